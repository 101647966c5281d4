// The passage of a citation that the pointer rests on; it stays while the pointer is on either, and Escape shuts it.
import { html, useEffect, useRef, useState } from "../vendor.js";
import { Passage } from "../text.js";

const REST = 250, // milliseconds before it opens
  LEAVE = 200, // milliseconds to reach it
  EDGE = 8, // pixels kept free around it
  WIDE = 420;

export function Hover({ session }) {
  const [at, setAt] = useState(null);
  const timer = useRef(0);
  useEffect(() => {
    const later = (then, wait) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(then, wait);
    };
    const over = (event) => event.pointerType === "mouse" && rest(event.target);
    const rest = (target) => {
      const on = target.closest?.(".cite, .hover");
      if (on?.matches(".cite[data-passage]") && on.getAttribute("aria-expanded") !== "true")
        later(() => setAt(beside(on)), REST);
      else if (on?.matches(".hover")) clearTimeout(timer.current);
      else later(() => setAt(null), LEAVE);
    };
    const shut = (event) => {
      if (event.type === "keydown" && event.key !== "Escape") return;
      if (event.target.closest?.(".hover")) return;
      clearTimeout(timer.current);
      setAt(null);
    };
    const heard = [
      ["pointerover", over],
      ["pointerdown", shut],
      ["keydown", shut],
      ["wheel", shut],
    ];
    for (const [name, hear] of heard) document.addEventListener(name, hear, { passive: true });
    // Where the pointer rested before this script had come; a finger rests nowhere.
    const under = matchMedia("(hover: hover)").matches && document.querySelector(".cite:hover");
    if (under) rest(under);
    return () => {
      clearTimeout(timer.current);
      for (const [name, hear] of heard) document.removeEventListener(name, hear);
    };
  }, [session]);
  const place = (box) => {
    if (box) Object.assign(box.style, { left: at.left, top: at.top, bottom: at.bottom, width: at.width });
  };
  if (!at) return null;
  return html`<div class="hover" role="tooltip" ref=${place}><${Passage} session=${session} id=${at.id} onClose=${() => setAt(null)} /></div>`;
}

// Under the citation, or above it where there is more room.
function beside(cite) {
  const box = cite.getBoundingClientRect();
  const width = Math.min(WIDE, innerWidth - 2 * EDGE);
  const left = Math.max(EDGE, Math.min(box.left - 24, innerWidth - width - EDGE));
  const below = innerHeight - box.bottom > box.top;
  return {
    id: cite.dataset.passage,
    left: `${left}px`,
    width: `${width}px`,
    top: below ? `${box.bottom + 4}px` : "auto",
    bottom: below ? "auto" : `${innerHeight - box.top + 4}px`,
  };
}
