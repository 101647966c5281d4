// The map under a pointer: the ground is dragged to move the view, a node to go under the node that it is let fall
// on; the wheel moves, and with Ctrl zooms.
import { useEffect, useRef, useState } from "./vendor.js";
import { can, command } from "./net.js";

const DRAG = 6; // pixels; less is a click

const nodeAt = (event) =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-node]")?.dataset.node ?? null;

// Where a node may go: not under itself or what is below it, and not where it is.
function target(s, id, on) {
  for (let above = on; above; above = s.nodes.get(above)?.parent) if (above === id) return null;
  return on === s.nodes.get(id)?.parent ? null : on;
}

// Returns what is dragged over what, and the handlers of the drawing.
export function useDrag(s, svg, camera, onClick) {
  const drag = useRef(null);
  const [over, setOver] = useState(null);
  const end = () => {
    drag.current = null;
    setOver(null);
  };
  function onPointerDown(event) {
    if (event.button) return;
    const id = event.target.closest("[data-node]")?.dataset.node ?? null;
    const toFold = Boolean(event.target.closest(".fold"));
    drag.current = { id, x: event.clientX, y: event.clientY, from: camera.seen, moved: false, toFold };
  }
  function onPointerMove(event) {
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
      setOver({ id: d.id, on: target(s, d.id, nodeAt(event)), x: event.clientX, y: event.clientY });
    else camera.pan(d.from, dx, dy);
  }
  function onPointerUp(event) {
    const d = drag.current;
    end();
    if (!d?.id) return;
    if (!d.moved) return onClick(d.id, d.toFold);
    const on = can("map_move") ? target(s, d.id, nodeAt(event)) : null;
    if (on) command(s.id, "map_move", { node: d.id, parent: on, was: s.nodes.get(d.id).parent });
  }
  const moved = Boolean(drag.current?.moved);
  return { over, moved, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: end } };
}

export function useWheel(svg, camera, there) {
  const wheel = (event) => {
    event.preventDefault();
    const bounds = svg.current.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey)
      camera.zoom(Math.exp(-event.deltaY / 200), event.clientX - bounds.left, event.clientY - bounds.top);
    else camera.pan(camera.seen, -event.deltaX, -event.deltaY);
  };
  // The newest each time, though it is listened to once: only a listener that is not passive may hold the page still.
  const wheeled = useRef(wheel);
  wheeled.current = wheel;
  useEffect(() => {
    const here = svg.current;
    const turn = (event) => wheeled.current(event);
    here?.addEventListener("wheel", turn, { passive: false });
    return () => here?.removeEventListener("wheel", turn);
  }, [there]);
}
