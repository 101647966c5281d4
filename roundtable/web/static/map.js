// The map: a tree that can be walked with the keyboard, searched, folded, zoomed, and changed by hand.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor.js";
import { can, command } from "./net.js";
import { HEIGHT, layout, LINE, visible } from "./layout.js";
import { Branch } from "./branch.js";
import { Kept } from "./text.js";
import { t } from "./words.js";

const STEP = 1.25,
  LEAST = 0.3,
  MOST = 2,
  EDGE = 24,
  DRAG = 6;
const bounded = (k) => Math.min(MOST, Math.max(LEAST, k));

export function MindMap({ s, version, onAsk }) {
  const [folded, setFolded] = useState(() => new Map());
  const [at, setAt] = useState(s.root);
  const [chosen, setChosen] = useState(null);
  const [words, setWords] = useState("");
  const [view, setView] = useState(null);
  const [over, setOver] = useState(null);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const box = useRef(null),
    svg = useRef(null),
    drag = useRef(null),
    goTo = useRef(null);
  const focus = s.nodes.has(at) ? at : s.root;

  useEffect(() => {
    if (!box.current) return undefined;
    const watcher = new ResizeObserver(([entry]) =>
      setRoom({ width: entry.contentRect.width, height: entry.contentRect.height }),
    );
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, [s.nodes.size > 0]);

  const drawn = useMemo(() => {
    const shown = visible(s.nodes, s.root, folded);
    return { shown, ...layout(shown) };
  }, [s.grown, s.nodes.size, folded]);
  const like = words.trim().toLowerCase();
  const found = useMemo(
    () =>
      like ? [...s.nodes.values()].filter((n) => n.title.toLowerCase().includes(like)).map((n) => n.id) : [],
    [like, s.grown],
  );
  const hits = useMemo(() => new Set(found), [found]);

  // Until a person moves it, the map is shown whole, as far as it can be read.
  const whole = () => {
    const k = Math.min(
      1,
      Math.max(
        0.72,
        Math.min((room.width - 2 * EDGE) / drawn.width, (room.height - 2 * EDGE) / drawn.height),
      ),
    );
    const high = drawn.height * k;
    const root = drawn.at.get(s.root)?.y ?? 0;
    return {
      k,
      x: EDGE,
      y:
        high < room.height - 2 * EDGE ? (room.height - high) / 2 : Math.min(EDGE, room.height / 2 - root * k),
    };
  };
  const seen = view ?? whole();

  useLayoutEffect(() => {
    if (!goTo.current) return;
    const item = drawn.at.get(goTo.current);
    if (!item) return;
    const id = goTo.current;
    goTo.current = null;
    show(item);
    svg.current?.querySelector(`[data-node="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  });

  // Moves the view as little as makes a node visible.
  function show(item) {
    const left = item.x * seen.k + seen.x,
      top = item.y * seen.k + seen.y;
    const dx = left < EDGE ? EDGE - left : Math.min(0, room.width - EDGE - left - item.width * seen.k);
    const dy = top < EDGE ? EDGE - top : Math.min(0, room.height - EDGE - top - HEIGHT * seen.k);
    const x = left + dx < EDGE ? EDGE - item.x * seen.k : seen.x + dx;
    if (dx || dy) setView({ k: seen.k, x, y: seen.y + dy });
  }
  function fold(id, open) {
    setFolded(new Map(folded).set(id, open));
  }
  function go(id) {
    if (!id) return;
    const next = new Map(folded);
    for (let above = s.nodes.get(id)?.parent; above; above = s.nodes.get(above)?.parent)
      next.set(above, true);
    setFolded(next);
    setAt(id);
    goTo.current = id;
  }
  function all(open) {
    const next = new Map();
    for (const node of s.nodes.values())
      if (node.children.length) next.set(node.id, open || node.id === s.root);
    setFolded(next);
    setView(null);
  }
  function zoom(by, x = room.width / 2, y = room.height / 2) {
    const k = bounded(seen.k * by);
    setView({ k, x: x - ((x - seen.x) * k) / seen.k, y: y - ((y - seen.y) * k) / seen.k });
  }

  function keys(event) {
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
      Enter: () => setChosen(node.id),
      " ": () => item.inner && fold(node.id, !item.open),
      Escape: () => setChosen(null),
      "+": () => zoom(STEP),
      "-": () => zoom(1 / STEP),
      "*": () => all(true),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  // Dragging: the ground moves the view, a node goes under the node it is let fall on.
  const nodeAt = (event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-node]")?.dataset.node ?? null;
  function down(event) {
    if (event.button) return;
    const id = event.target.closest("[data-node]")?.dataset.node ?? null;
    drag.current = {
      id,
      x: event.clientX,
      y: event.clientY,
      from: seen,
      moved: false,
      fold: Boolean(event.target.closest(".fold")),
    };
  }
  function moving(event) {
    const d = drag.current;
    if (!d) return;
    const dx = event.clientX - d.x,
      dy = event.clientY - d.y;
    if (!d.moved && Math.hypot(dx, dy) < DRAG) return;
    if (!d.moved) {
      d.moved = true;
      svg.current.setPointerCapture(event.pointerId);
    }
    if (d.id && d.id !== s.root && can("map_move"))
      setOver({ id: d.id, on: target(d.id, nodeAt(event)), x: event.clientX, y: event.clientY });
    else setView({ k: d.from.k, x: d.from.x + dx, y: d.from.y + dy });
  }
  function target(id, on) {
    for (let above = on; above; above = s.nodes.get(above)?.parent) if (above === id) return null;
    return on === s.nodes.get(id)?.parent ? null : on;
  }
  function up(event) {
    const d = drag.current;
    drag.current = null;
    setOver(null);
    if (!d) return;
    if (d.moved) {
      const on = d.id && can("map_move") ? target(d.id, nodeAt(event)) : null;
      if (on) command(s.id, "map_move", { node: d.id, parent: on, was: s.nodes.get(d.id).parent });
    } else if (d.id) {
      setAt(d.id);
      const item = drawn.at.get(d.id);
      if (d.fold && item.inner) fold(d.id, !item.open);
      else setChosen(d.id);
    }
  }
  function wheel(event) {
    event.preventDefault();
    const bounds = svg.current.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey)
      zoom(Math.exp(-event.deltaY / 200), event.clientX - bounds.left, event.clientY - bounds.top);
    else setView({ k: seen.k, x: seen.x - event.deltaX, y: seen.y - event.deltaY });
  }
  const wheeled = useRef(wheel);
  wheeled.current = wheel;
  useEffect(() => {
    const here = svg.current,
      turn = (event) => wheeled.current(event);
    here?.addEventListener("wheel", turn, { passive: false });
    return () => here?.removeEventListener("wheel", turn);
  }, [s.nodes.size > 0]);

  const near = (item) => {
    const y = item.y * seen.k + seen.y;
    return item.node.id === focus || (y > -4 * LINE && y < room.height + 4 * LINE);
  };
  if (!s.nodes.size) return html`<p class="faint pad">${t("mapEmpty")}</p>`;
  const picked = chosen && s.nodes.get(chosen);
  return html`<div class=${picked ? "map open" : "map"}>
    <div class="tools"><input type="search" aria-label=${t("searchMap")} placeholder=${t("searchMap")} value=${words}
        onInput=${(e) => {
          setWords(e.target.value);
        }} onKeyDown=${(e) => {
          if (e.key === "Enter" && found.length) {
            e.preventDefault();
            go(found[(found.indexOf(at) + 1) % found.length]);
          }
        }} />
      <span class="faint" role="status">${like && t("found", { n: found.length })}</span><span class="spring"></span>
      <button type="button" aria-label=${t("zoomOut")} onClick=${() => zoom(1 / STEP)}>−</button><button type="button" aria-label=${t("zoomIn")} onClick=${() => zoom(STEP)}>+</button>
      <button type="button" onClick=${() => setView(null)}>${t("fit")}</button>
      ${s.edited && can("map_undo") && html`<button type="button" onClick=${() => command(s.id, "map_undo")}>${t("undo")}</button>`}
      <button type="button" class="more" onClick=${() => all(true)}>${t("expandAll")}</button><button type="button" class="more" onClick=${() => all(false)}>${t("collapseAll")}</button></div>
    <div class="ground" ref=${box}><svg ref=${svg} class=${drag.current?.moved ? "dragging" : ""} width=${room.width} height=${room.height}
        onPointerDown=${down} onPointerMove=${moving} onPointerUp=${up} onPointerCancel=${() => {
          drag.current = null;
          setOver(null);
        }}>
      <g transform=${`translate(${seen.x} ${seen.y}) scale(${seen.k})`}>
        <g class="edges" aria-hidden="true">${drawn.shown.filter((item) => item.depth && (near(item) || near(drawn.at.get(item.node.parent)))).map((item) => html`<path key=${item.node.id} d=${edge(drawn.at.get(item.node.parent), item)} />`)}
          ${drawn.shown.filter((item) => item.open && near(item)).map((item) => html`<path key=${`trunk ${item.node.id}`} d=${trunk(item, drawn.at.get(item.node.children.find((id) => drawn.at.has(id))))} />`)}</g>
        <g role="tree" aria-label=${`${t("map")}. ${t("keys")}`} onKeyDown=${keys}>${drawn.shown
          .filter(near)
          .map(
            (
              item,
            ) => html`<${Leaf} key=${item.node.id} node=${item.node} title=${item.title} x=${item.x} y=${item.y} width=${item.width}
          depth=${item.depth} place=${item.place} of=${item.of} open=${item.open} inner=${item.inner} here=${item.node.id === focus} chosen=${item.node.id === chosen}
          hit=${hits.has(item.node.id)} over=${over?.on === item.node.id} dragged=${over?.id === item.node.id} />`,
          )}</g>
      </g></svg></div>
    ${
      picked &&
      html`<${Branch} s=${s} node=${picked} version=${version} onAsk=${onAsk} onGo=${(id) => {
        go(id);
        setChosen(id);
      }} onClose=${() => {
        setChosen(null);
        goTo.current = chosen;
      }} />`
    }
  </div>`;
}

// All children of a node share a stem, and each has a curve from its end.
const trunk = (from, to) => `M${from.x + from.width} ${from.y + HEIGHT / 2} H${to.x - 34}`;

function edge(from, to) {
  const y = from.y + HEIGHT / 2,
    v = to.y + HEIGHT / 2,
    middle = to.x - 20;
  return `M${middle - 14} ${y} C${middle} ${y} ${middle - 6} ${v} ${to.x} ${v}`;
}

class Leaf extends Kept {
  render({ node, title, x, y, width, depth, place, of, open, inner, here, chosen, hit, over, dragged }) {
    const look = [
      "leaf",
      `depth-${Math.min(depth, 3)}`,
      hit && "hit",
      chosen && "chosen",
      over && "over",
      dragged && "dragged",
      node.by === "person" && "by-hand",
      ...node.marks,
    ]
      .filter(Boolean)
      .join(" ");
    const marks = node.marks.map((mark) => t(mark)).join(", ");
    return html`<g role="treeitem" class=${look} data-node=${node.id} transform=${`translate(${x} ${y})`} tabindex=${here ? 0 : -1} aria-level=${depth + 1} aria-posinset=${place} aria-setsize=${of}
      aria-expanded=${inner ? (open ? "true" : "false") : undefined} aria-selected=${chosen ? "true" : "false"}>
      <title>${marks ? `${node.title} (${marks})` : node.title}</title><rect width=${width} height=${HEIGHT} rx="8" />
      <text x="11" y="18.5" aria-hidden="true">${title}</text>${inner > 0 && !open && html`<g class="fold" aria-hidden="true"><rect x=${width - 31} y="4" width="26" height="20" rx="10" /><text x=${width - 18} y="18" text-anchor="middle">${inner}</text></g>`}
      ${inner > 0 && open && html`<g class="fold"><circle cx=${width} cy=${HEIGHT / 2} r="6" /><path d=${`M${width - 3} ${HEIGHT / 2} h6`} /></g>`}</g>`;
  }
}
