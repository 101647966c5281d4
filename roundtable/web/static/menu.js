// A menu that shuts when a person looks elsewhere or presses Escape.
import { html, useEffect, useRef } from "./vendor.js";

// Shuts a `details` element by a click outside it or by Escape.
export function useShut(box) {
  useEffect(() => {
    const shut = (e) => {
      if (!box.current?.open) return;
      if (e.key === "Escape") {
        const inside = box.current.contains(document.activeElement);
        box.current.open = false;
        if (inside) box.current.querySelector("summary").focus();
      } else if (e.type === "click" && !box.current.contains(e.target)) box.current.open = false;
    };
    for (const what of ["click", "keydown"]) document.addEventListener(what, shut);
    return () => {
      for (const what of ["click", "keydown"]) document.removeEventListener(what, shut);
    };
  }, []);
}

export function Menu({ title, children }) {
  const box = useRef(null);
  useShut(box);
  return html`<details class="menu" ref=${box}><summary>${title}</summary><div class="menu-body">${children}</div></details>`;
}
