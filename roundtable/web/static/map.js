// The map: a tree that can be walked with the keyboard, searched, folded, zoomed, and changed by hand.
import { html, useLayoutEffect, useMemo, useRef, useState } from "./vendor.js";
import { can } from "./net.js";
import { HEIGHT, layout, TITLE_LINE, visible } from "./layout.js";
import { Branch, deed, undo } from "./branch.js";
import { free, narrow, readable, STEP, useCamera, useRoom } from "./camera.js";
import { useDrag, useWheel } from "./pointer.js";
import { Kept } from "./text.js";
import { t } from "./words.js";

const OVERVIEW = 0.45; // all that is open is seen at once, unless it were smaller than this

// Whether anything is on the map: before the first answer it has its root alone.
const begun = ({ nodes, root }) =>
  nodes.size > 1 || Boolean(nodes.get(root)?.passages.length || nodes.get(root)?.notes.length);

export function MindMap({ s, version, onAsk }) {
  const box = useRef(null),
    pane = useRef(null),
    svg = useRef(null);
  const [words, setWords] = useState("");
  const there = s.nodes.size > 0;
  const room = useRoom(box, there),
    all = useRoom(pane, there);
  // How much is open is a matter of the whole pane: a node's panel beside the map folds nothing away.
  const walk = useWalk(s, { width: all.width, height: room.height }, narrow());
  const { drawn, focus, fold, go } = walk;
  const camera = useCamera(drawn, room, s.root);
  const { chosen, choose, close, opened } = useChosen(walk, camera, room, box);
  const { over, moved, handlers } = useDrag(s, svg, camera, (id, toFold) => {
    const item = walk.at(id);
    if (toFold && item.inner) fold(id, !item.open);
    else choose(id);
  });
  useWheel(svg, camera, there);
  useLayoutEffect(() => {
    const item = walk.arrived();
    if (!item) return;
    camera.show(item, free(box.current));
    svg.current?.querySelector(`[data-node="${CSS.escape(item.node.id)}"]`)?.focus({ preventScroll: true });
  });
  const allOpen = (open) => {
    walk.foldAll(open);
    camera.fit(OVERVIEW);
  };
  const found = useFound(s, words);
  const hits = useMemo(() => new Set(found), [found]);
  useSought(words, found, walk, (item) => camera.show(item, free(box.current)));
  if (!there) return html`<p class="empty">${t("mapEmpty")}</p>`;
  const near = (item) => item.node.id === focus || camera.near(item);
  const look = (item) => ({
    here: item.node.id === focus,
    chosen: item.node.id === chosen,
    hit: hits.has(item.node.id),
    over: over?.on === item.node.id,
    dragged: over?.id === item.node.id,
  });
  const picked = chosen && s.nodes.get(chosen);
  // Who opens a node with the keyboard is taken to what it says; Escape leads back.
  const enter = (id) => {
    choose(id);
    setTimeout(() => pane.current?.querySelector(".branch h2")?.focus());
  };
  return html`<div class=${picked ? "map open" : "map"} ref=${pane}>
    <${Tools} s=${s} version=${version} words=${words} setWords=${setWords} found=${found} camera=${camera} all=${allOpen} focus=${focus} go=${go} />
    <div class="ground" ref=${box}><svg role="none" ref=${svg} class=${moved ? "dragging" : ""} width=${room.width} height=${room.height} ...${handlers}>
      <g transform=${`translate(${camera.seen.x} ${camera.seen.y}) scale(${camera.seen.k})`}>
        <g class="edges" aria-hidden="true">${edges(drawn, near)}</g>
        <g role="tree" lang=${s.language} aria-label=${`${t("map")}. ${t("keys")}`} onKeyDown=${(e) => keys(e, { s, drawn, focus, fold, go, all: allOpen, choose: enter, close, zoom: camera.zoom })}>
          ${drawn.shown.filter(near).map((item) => html`<${Leaf} key=${item.node.id} ...${item} ...${look(item)} />`)}</g>
      </g></svg>${s.nodes.size < 2 && !picked && html`<p class="empty">${begun(s) ? html`<span>${t("mapWhole")}<button type="button" class="link" onClick=${() => choose(s.root)}>${t("mapOpen")}</button></span>` : t(s.status === "ended" ? "mapNothing" : "mapEmpty")}</p>`}</div>
    ${
      picked &&
      html`<${Branch} s=${s} node=${picked} version=${version} onAsk=${onAsk} onGo=${opened} onClose=${close} />`
    }
  </div>`;
}

// The node that is opened; it stays in sight beside its panel, and what was seen before comes back after it.
function useChosen(walk, camera, room, box) {
  const [chosen, setChosen] = useState(null);
  useLayoutEffect(() => {
    const item = chosen && walk.drawn.at.get(chosen);
    if (item) camera.show(item, free(box.current));
  }, [chosen, room.width, room.height]);
  return {
    chosen,
    choose(id) {
      setChosen(id);
      walk.unfold(id);
    },
    opened(id) {
      setChosen(id);
      walk.go(id);
    },
    close(to = chosen) {
      setChosen(null);
      camera.back();
      if (to) walk.backTo(to);
    },
  };
}

// Which nodes are shown, and the one that has the keyboard.
// Without a person's word, so many levels are open as can be read at once.
function useWalk(s, room, outline) {
  const [folded, setFolded] = useState(() => new Map());
  const [at, setAt] = useState(s.root);
  const goTo = useRef(null);
  const drawn = useMemo(() => {
    const draw = (levels, by) => {
      const shown = visible(s, by, levels);
      return { shown, ...layout(shown, s.nodes, outline) };
    };
    const levels = [3, 2].find((most) => readable(draw(most, new Map()), room)) ?? 1;
    return draw(levels, folded);
  }, [s.grown, s.nodes.size, folded, room, outline]);
  function unfold(id) {
    const next = new Map(folded);
    for (let above = s.nodes.get(id)?.parent; above; above = s.nodes.get(above)?.parent)
      next.set(above, true);
    setFolded(next);
  }
  function go(id) {
    if (!id) return;
    unfold(id);
    setAt(id);
    goTo.current = id;
  }
  function foldAll(open) {
    const next = new Map();
    for (const node of s.nodes.values())
      if (node.children.length) next.set(node.id, open || node.id === s.root);
    setFolded(next);
  }
  return {
    drawn,
    focus: s.nodes.has(at) ? at : s.root,
    go,
    unfold,
    foldAll,
    fold: (id, open) => setFolded(new Map(folded).set(id, open)),
    at(id) {
      setAt(id);
      return drawn.at.get(id);
    },
    backTo: (id) => {
      goTo.current = id;
    },
    // The node that was gone to, once it is drawn.
    arrived() {
      const item = goTo.current && drawn.at.get(goTo.current);
      if (item) goTo.current = null;
      return item;
    },
  };
}

function useFound(s, words) {
  const like = words.trim().toLowerCase();
  const titled = (node) => node.title.toLowerCase().includes(like);
  return useMemo(
    () => (like ? [...s.nodes.values()].filter(titled).map((node) => node.id) : []),
    [like, s.grown],
  );
}

// What is searched for comes into sight as it is typed, once a word; where all of it is folded away, the first is
// unfolded. The keyboard stays with the words; Enter goes there.
function useSought(words, found, walk, show) {
  const sought = useRef("");
  useLayoutEffect(() => {
    const like = words.trim();
    if (sought.current === like) return;
    const first = found.map((id) => walk.drawn.at.get(id)).find(Boolean);
    if (!first && found.length) return walk.unfold(found[0]); // it is drawn again
    sought.current = like;
    if (first && like) show(first);
  });
}

function keys(event, { s, drawn, focus, fold, go, all, choose, close, zoom }) {
  const place = drawn.shown.findIndex((item) => item.node.id === focus),
    item = drawn.shown[place];
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const { node } = item;
  const moves = {
    ArrowDown: () => go(drawn.shown[place + 1]?.node.id),
    ArrowUp: () => go(drawn.shown[place - 1]?.node.id),
    ArrowRight: () => (item.open ? go(node.children[0]) : item.inner && fold(node.id, true)),
    ArrowLeft: () => (item.open ? fold(node.id, false) : go(node.parent)),
    Home: () => go(s.root),
    End: () => go(drawn.shown.at(-1).node.id),
    Enter: () => choose(node.id),
    " ": () => item.inner && fold(node.id, !item.open),
    Escape: close,
    "+": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    "*": () => all(true),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
}

function Tools({ s, words, setWords, found, camera, all, focus, go }) {
  const search = (event) => {
    if (event.key !== "Enter" || !found.length) return;
    event.preventDefault();
    go(found[(found.indexOf(focus) + 1) % found.length]);
  };
  return html`<div class="tools"><input type="search" aria-label=${t("searchMap")} placeholder=${t("searchMap")} value=${words} onInput=${(e) => setWords(e.target.value)} onKeyDown=${search} />
    <span class="faint" role="status">${words.trim() && t("found", { n: found.length })}</span><span class="spring"></span>
    <button type="button" aria-label=${t("zoomOut")} onClick=${() => camera.zoom(1 / STEP)}>−</button><button type="button" aria-label=${t("zoomIn")} onClick=${() => camera.zoom(STEP)}>+</button>
    <button type="button" onClick=${() => camera.fit()}>${t("fit")}</button>
    ${s.edits.length > 0 && can("map_undo") && html`<button type="button" title=${deed(s.edits.at(-1))} onClick=${() => undo(s)}>${t("undo")}</button>`}
    <button type="button" class="more" onClick=${() => all(true)}>${t("expandAll")}</button><button type="button" class="more" onClick=${() => all(false)}>${t("collapseAll")}</button></div>`;
}

// All children of a node share a stem, and each has a curve from its end, as wide as it holds much. In an outline each
// hangs below its parent.
function edges(drawn, near) {
  const above = (item) => drawn.at.get(item.node.parent);
  const first = (item) => drawn.at.get(item.node.children.find((id) => drawn.at.has(id)));
  const curves = drawn.shown.filter((item) => item.depth && (near(item) || near(above(item))));
  const stems = drawn.narrow ? [] : drawn.shown.filter((item) => item.open && near(item));
  const way = drawn.narrow ? hanging : edge;
  return [
    ...curves.map(
      (item) =>
        html`<path key=${item.node.id} class=${`hue-${item.hue}`} stroke-width=${1.2 + 2.6 * item.weight} d=${way(above(item), item)} />`,
    ),
    ...stems.map(
      (item) =>
        html`<path key=${`trunk ${item.node.id}`} class=${item.depth ? `hue-${item.hue}` : ""} d=${trunk(item, first(item))} />`,
    ),
  ];
}

const trunk = (from, to) => `M${from.x + from.width} ${from.y + HEIGHT / 2} H${to.x - 34}`;

function edge(from, to) {
  const y = from.y + HEIGHT / 2,
    v = to.y + HEIGHT / 2,
    middle = to.x - 20;
  return `M${middle - 14} ${y} C${middle} ${y} ${middle - 6} ${v} ${to.x} ${v}`;
}

const hanging = (from, to) => `M${from.x + 9} ${from.y + HEIGHT / 2} V${to.y + HEIGHT / 2} H${to.x}`;

class Leaf extends Kept {
  render({
    node,
    lines,
    x,
    y,
    width,
    held,
    hue,
    depth,
    place,
    of,
    open,
    inner,
    here,
    chosen,
    hit,
    over,
    dragged,
  }) {
    const look = [
      "leaf",
      `depth-${Math.min(depth, 3)}`,
      depth && `hue-${hue}`,
      hit && "hit",
      chosen && "chosen",
      over && "over",
      dragged && "dragged",
      node.by === "person" && "by-hand",
      ...node.marks,
    ]
      .filter(Boolean)
      .join(" ");
    const extra = (lines.length - 1) * TITLE_LINE;
    const told = [...node.marks.map((mark) => t(mark)), held && t("passages", { n: held })].filter(Boolean);
    return html`<g role="treeitem" class=${look} data-node=${node.id} transform=${`translate(${x} ${y})`} tabindex=${here ? 0 : -1} aria-level=${depth + 1} aria-posinset=${place} aria-setsize=${of}
      aria-expanded=${inner ? (open ? "true" : "false") : undefined} aria-selected=${chosen ? "true" : "false"}>
      <title>${[node.title, ...told].join(" · ")}</title><rect y=${-extra / 2} width=${width} height=${HEIGHT + extra} rx="8" />
      <text aria-hidden="true">${lines.map((line, n) => html`<tspan x="11" y=${18.5 - extra / 2 + TITLE_LINE * n}>${line}</tspan>`)}</text>${inner > 0 && !open && html`<g class="fold" aria-hidden="true"><rect x=${width - 31} y="4" width="26" height="20" rx="10" /><text x=${width - 18} y="18" text-anchor="middle">${inner}</text></g>`}
      ${inner > 0 && open && html`<g class="fold"><circle cx=${width} cy=${HEIGHT / 2} r="6" /><path d=${`M${width - 3} ${HEIGHT / 2} h6`} /></g>`}</g>`;
  }
}
