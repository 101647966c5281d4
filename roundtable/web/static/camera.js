// How the map is looked at: where it stands on the screen, and how large.
import { useEffect, useState } from "./vendor.js";
import { HEIGHT, LINE } from "./layout.js";

const LEAST = 0.3,
  MOST = 2,
  EDGE = 24,
  READABLE = 0.8; // smaller, a whole map is no longer read
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

// Until a person moves it, the map is shown whole, as far as it can be read.
function whole(drawn, room, root) {
  const high = room.height - 2 * EDGE;
  const k = Math.min(1, Math.max(READABLE, drawn.narrow ? 1 : scale(drawn, room)));
  const taken = drawn.height * k,
    top = drawn.at.get(root)?.y ?? 0;
  return {
    k,
    x: EDGE,
    y: drawn.narrow
      ? EDGE / 2
      : taken < high
        ? (room.height - taken) / 2
        : Math.min(EDGE, room.height / 2 - top * k),
  };
}

// Returns what is seen now (scale `k` and offset), and what changes it.
export function useCamera(drawn, room, root) {
  const [view, setView] = useState(null);
  const seen = view ?? whole(drawn, room, root);

  // Moves the view as little as makes a node visible.
  function show(item) {
    const left = item.x * seen.k + seen.x,
      top = item.y * seen.k + seen.y;
    const dx = left < EDGE ? EDGE - left : Math.min(0, room.width - EDGE - left - item.width * seen.k);
    const dy = top < EDGE ? EDGE - top : Math.min(0, room.height - EDGE - top - HEIGHT * seen.k);
    const x = left + dx < EDGE ? EDGE - item.x * seen.k : seen.x + dx;
    if (dx || dy) setView({ k: seen.k, x, y: seen.y + dy });
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
  return { seen, show, zoom, pan, near, fit: () => setView(null) };
}
