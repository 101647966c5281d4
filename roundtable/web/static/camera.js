// How the map is looked at: where it stands on the screen, and how large.
import { useEffect, useState } from "./vendor.js";
import { HEIGHT, LINE } from "./layout.js";

const LEAST = 0.3,
  MOST = 2,
  EDGE = 24,
  READABLE = 0.8, // smaller, a whole map is no longer read
  LEGIBLE = 0.6; // smaller, it is better read in parts than seen whole
export const STEP = 1.25;
// A phone's width.
export const narrow = () => innerWidth < 480;

const bounded = (k) => Math.min(MOST, Math.max(LEAST, k));

// The size of the ground that the map is drawn on; `there`: whether it is on the page yet.
export function useRoom(box, there) {
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!box.current) return undefined;
    const watcher = new ResizeObserver(([entry]) =>
      setRoom({ width: entry.contentRect.width, height: entry.contentRect.height }),
    );
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, [there]);
  return room;
}

const scale = (drawn, room) =>
  Math.min((room.width - 2 * EDGE) / drawn.width, (room.height - 2 * EDGE) / drawn.height);
export const readable = (drawn, room) => scale(drawn, room) >= READABLE;

// What is free of the ground where the panel of a node lies over it: at its side, or on a phone below.
export function free(ground) {
  const all = ground.getBoundingClientRect();
  const panel = ground.parentElement.querySelector(".branch")?.getBoundingClientRect();
  if (!panel || panel.left >= all.right) return { width: all.width, height: all.height };
  return panel.left > all.left + EDGE
    ? { width: panel.left - all.left, height: all.height }
    : { width: all.width, height: Math.max(0, panel.top - all.top) };
}

// Until a person moves it, the map is shown whole; one that would be smaller than `least` is shown as it can be read.
export function whole(drawn, room, root, least) {
  const high = room.height - 2 * EDGE,
    fits = scale(drawn, room);
  const k = drawn.narrow ? 1 : fits < least ? READABLE : Math.min(1, Math.max(LEAST, fits));
  const taken = drawn.height * k,
    top = drawn.at.get(root)?.y ?? 0;
  return {
    k,
    x: EDGE,
    y: drawn.narrow
      ? EDGE / 2
      : taken < high + 1
        ? (room.height - taken) / 2 - drawn.top * k
        : Math.min(EDGE, room.height / 2 - top * k),
  };
}

// Returns what is seen now (scale `k` and offset), and what changes it.
export function useCamera(drawn, room, root) {
  const [view, setView] = useState({ least: LEGIBLE });
  const seen = view.k ? view : whole(drawn, room, root, view.least);

  // Moves the view as little as makes a node visible in what is free of the ground; `back` takes that back.
  function show(item, open) {
    const left = item.x * seen.k + seen.x,
      top = item.y * seen.k + seen.y;
    const dx = left < EDGE ? EDGE - left : Math.min(0, open.width - EDGE - left - item.width * seen.k);
    const dy = top < EDGE ? EDGE - top : Math.min(0, open.height - EDGE - top - HEIGHT * seen.k);
    const x = left + dx < EDGE ? EDGE - item.x * seen.k : seen.x + dx;
    if (dx || dy) setView({ k: seen.k, x, y: seen.y + dy, before: view.before ?? view });
  }
  function zoom(by, x = room.width / 2, y = room.height / 2) {
    const k = bounded(seen.k * by);
    setView({ k, x: x - ((x - seen.x) * k) / seen.k, y: y - ((y - seen.y) * k) / seen.k });
  }
  const pan = (from, dx, dy) => setView({ k: from.k, x: from.x + dx, y: from.y + dy });
  const near = (item) => {
    const y = item.y * seen.k + seen.y;
    return y > -4 * LINE && y < room.height + 4 * LINE;
  };
  const back = () => view.before && setView(view.before);
  // As small as it must be, or not smaller than `least`.
  const fit = (least = 0) => setView({ least });
  return { seen, show, back, zoom, pan, near, fit };
}
