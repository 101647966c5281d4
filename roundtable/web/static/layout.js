// Where the map's nodes stand: a tree that grows to the right, a line for each leaf that is shown.

export const LINE = 38,
  HEIGHT = 28,
  GAP = 44;
const MOST = 46,
  ROOT = 28, // letters of a line of the root's title, which is shown whole
  ROOT_LINES = 8;
export const ROOT_LINE = 18;
const PADDING = 22,
  COUNT = 30;

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

function width(text) {
  if (!widths.has(text)) {
    pen.font = "13.5px system-ui, sans-serif";
    widths.set(text, Math.ceil(pen.measureText(text).width));
  }
  return widths.get(text);
}

const wide = /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/;

// A title as it is drawn: cut where it is too long (a Chinese character is as wide as two letters).
export function short(title, most = MOST) {
  let used = 0,
    text = "";
  for (const letter of title) {
    used += wide.test(letter) ? 2 : 1;
    if (used > most) return `${text.trimEnd()}…`;
    text += letter;
  }
  return text;
}

// A title in lines of words; in a language without spaces, of letters.
function lines(title) {
  const found = [];
  let line = "";
  for (const word of title.match(/[\u2e80-\u9fff\uff00-\uff60]|\S+\s*/gu) ?? []) {
    if (line && short((line + word).trimEnd(), ROOT) !== (line + word).trimEnd()) {
      found.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  found.push(line.trimEnd());
  if (found.length > ROOT_LINES) found.splice(ROOT_LINES - 1, Infinity, `${found[ROOT_LINES - 1]} …`);
  return found.map((one) => short(one, MOST));
}

// Without a person's word, what is deep in a large map starts collapsed.
// On a narrow screen, that is all but the main branches.
export const openAtFirst = (depth, size, narrow) => depth < (narrow || size > 150 ? 1 : size > 40 ? 2 : 3);

export function visible(nodes, root, folded, narrow = false) {
  const shown = [];
  const walk = (id, depth, place, of) => {
    const node = nodes.get(id);
    if (!node) return;
    const inner = node.children.filter((child) => nodes.has(child));
    const open = inner.length > 0 && (folded.get(id) ?? openAtFirst(depth, nodes.size, narrow));
    shown.push({ node, depth, place, of, open, inner: inner.length });
    if (open) inner.forEach((child, n) => walk(child, depth + 1, n + 1, inner.length));
  };
  walk(root, 0, 1, 1);
  return shown;
}

// What a person sees of a node at once: that sources disagree there, or that something lacks.
const GLYPHS = { contradiction: "≠", gap: "?" };
const glyphs = (node) =>
  node.marks
    .map((mark) => GLYPHS[mark])
    .filter(Boolean)
    .map((glyph) => `${glyph} `)
    .join("");

// How many passages a node and all below it hold, as a share of the most that a branch does.
function weigh(shown, nodes) {
  const held = new Map();
  const sum = (id) => {
    if (!held.has(id)) {
      const node = nodes.get(id);
      held.set(id, node ? node.passages.length + node.children.reduce((all, one) => all + sum(one), 0) : 0);
    }
    return held.get(id);
  };
  const most = Math.max(1, ...shown.filter((item) => item.depth).map((item) => sum(item.node.id)));
  for (const item of shown) item.weight = item.depth ? sum(item.node.id) / most : 0;
}

export function layout(shown, nodes) {
  weigh(shown, nodes);
  const columns = [],
    at = new Map();
  for (const item of shown) {
    item.lines = item.depth ? [glyphs(item.node) + short(item.node.title, MOST)] : lines(item.node.title);
    item.width = Math.max(...item.lines.map(width)) + PADDING + (item.inner && !item.open ? COUNT : 0);
    columns[item.depth] = Math.max(columns[item.depth] ?? 0, item.width);
    at.set(item.node.id, item);
  }
  const lefts = columns.reduce((all, w) => [...all, all.at(-1) + w + GAP], [0]);
  let line = 0;
  for (const item of shown) {
    item.x = lefts[item.depth];
    if (!item.open) item.y = LINE * line++;
  }
  for (const item of [...shown].reverse()) {
    if (!item.open) continue;
    const ys = item.node.children.map((child) => at.get(child)?.y).filter((y) => y !== undefined);
    item.y = (Math.min(...ys) + Math.max(...ys)) / 2;
  }
  return { at, width: lefts.at(-1) - GAP, height: LINE * line };
}
