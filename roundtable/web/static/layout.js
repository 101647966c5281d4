// Where the map's nodes stand: a tree that grows to the right, a line for each leaf that is shown; on a narrow
// screen an outline, a line for each node, so that its letters keep their size.

import { wordsOf } from "./words.js";

export const LINE = 38,
  HEIGHT = 28,
  GAP = 44;
// Letters of a line, and lines, of a title; the root's is shown whole.
const TITLE = { letters: 26, most: 2 },
  OUTLINED = { letters: 32, most: 2 },
  ROOT = { letters: 28, most: 8 },
  INDENT = 20;
export const TITLE_LINE = 18;
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
export function short(title, most = 46) {
  let used = 0,
    text = "";
  for (const letter of title) {
    used += wide.test(letter) ? 2 : 1;
    if (used > most) return `${text.trimEnd()}…`;
    text += letter;
  }
  return text;
}

const RUN = /(?:[\u2e80-\u9fff\uff00-\uff60]+|[^\s\u2e80-\u9fff\uff00-\uff60]+)\s*/gu,
  OPENS = /[“‘（《「『【]$/;

// What of a title stands in one line: words, also in a language without spaces, with the signs at them.
function unbroken(title) {
  const found = [];
  for (const run of title.match(RUN) ?? [])
    for (const { segment, isWordLike } of wide.test(run)
      ? wordsOf(run)
      : [{ segment: run, isWordLike: true }])
      if (!found.length || (isWordLike && !OPENS.test(found.at(-1)))) found.push(segment);
      else found[found.length - 1] += segment;
  return found;
}

// A title in lines of words. What is too long for all of them is cut.
function lines(title, { letters, most }) {
  const found = [""];
  for (const word of unbroken(title)) {
    const longer = found.at(-1) + word;
    if (!found.at(-1) || found.length === most || short(longer.trimEnd(), letters) === longer.trimEnd())
      found[found.length - 1] = longer;
    else found.push(word);
  }
  return found.map((one) => short(one.trimEnd(), letters));
}

// The nodes that are drawn: what a person folded or opened, and else as many levels as are given and what a person put
// or changed there.
export function visible({ nodes, root, hues }, folded, levels) {
  const shown = [],
    byHand = (child) => nodes.get(child).by === "person";
  const walk = (id, depth, place, of, hue) => {
    const node = nodes.get(id);
    if (!node) return;
    const inner = node.children.filter((child) => nodes.has(child));
    const open = inner.length > 0 && (folded.get(id) ?? (depth < levels || inner.some(byHand)));
    shown.push({ node, depth, place, of, hue, open, inner: inner.length });
    if (open)
      inner.forEach((child, n) =>
        walk(child, depth + 1, n + 1, inner.length, depth ? hue : (hues.get(child) ?? 0)),
      );
  };
  walk(root, 0, 1, 1, 0);
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

// Tells how many passages a node and all below it hold.
export function holding(nodes) {
  const held = new Map();
  const sum = (id) => {
    if (!held.has(id)) {
      const node = nodes.get(id);
      held.set(id, node ? node.passages.length + node.children.reduce((all, one) => all + sum(one), 0) : 0);
    }
    return held.get(id);
  };
  return sum;
}

// Weighs what is shown by what it holds, as a share of the most that a branch does.
function weigh(shown, nodes) {
  const sum = holding(nodes);
  const most = Math.max(1, ...shown.filter((item) => item.depth).map((item) => sum(item.node.id)));
  for (const item of shown) {
    item.held = sum(item.node.id);
    item.weight = item.held / most;
  }
}

export function layout(shown, nodes, narrow) {
  weigh(shown, nodes);
  const at = new Map();
  let top = 0;
  for (const item of shown) {
    const { node, depth } = item,
      above = at.get(node.parent);
    const title = depth ? glyphs(node) + node.title : node.title;
    item.lines = lines(title, depth ? (narrow ? OUTLINED : TITLE) : ROOT);
    item.width = Math.max(...item.lines.map(width)) + PADDING + (item.inner && !item.open ? COUNT : 0);
    item.x = narrow ? INDENT * depth : above ? above.x + above.width + GAP : 0;
    // Half of what a title has more than one line stands above its line, half below; an only child makes room for it.
    const extra = TITLE_LINE * (item.lines.length - 1);
    item.extra = Math.max(extra, !narrow && above?.inner === 1 ? above.extra : 0);
    at.set(node.id, item);
    if (item.open && !narrow) continue;
    item.y = top + item.extra / 2;
    top += LINE + item.extra;
  }
  for (const item of narrow ? [] : [...shown].reverse()) {
    if (!item.open) continue;
    const ys = item.node.children.map((child) => at.get(child)?.y).filter((y) => y !== undefined);
    item.y = (Math.min(...ys) + Math.max(...ys)) / 2;
  }
  // A title of several lines may stand higher or lower than those of all children.
  const over = (item) => (TITLE_LINE * (item.lines.length - 1)) / 2;
  const first = Math.min(0, ...shown.map((item) => item.y - over(item)));
  const last = Math.max(top, ...shown.map((item) => item.y + HEIGHT + over(item)));
  const right = Math.max(0, ...shown.map((item) => item.x + item.width));
  return { at, narrow, width: right, top: first, height: last - first };
}
