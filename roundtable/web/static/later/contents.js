// A report's table of contents: it stays in sight, and says which section is being read.
import { html, useEffect, useRef, useState } from "../vendor.js";
import { useShut } from "../menu.js";
import { t } from "../words.js";

const LINE = 90; // pixels under the top: what has passed it is being read

export function Contents({ box, sections }) {
  const [at, setAt] = useState(0);
  const list = useRef(null);
  useEffect(() => {
    const here = box();
    const look = () => {
      const top = here.getBoundingClientRect().top + LINE;
      const passed = [...here.querySelectorAll("[data-section]")].filter(
        (one) => one.getBoundingClientRect().top <= top,
      );
      setAt(Number(passed.at(-1)?.dataset.section ?? 0));
    };
    here?.addEventListener("scroll", look, { passive: true });
    return () => here?.removeEventListener("scroll", look);
  }, [sections.length]);
  useShut(list);
  const go = (place) => {
    list.current.open = false;
    const section = box().querySelector(`[data-section="${place}"]`);
    section.scrollIntoView();
    section.firstElementChild.focus({ preventScroll: true });
  };
  const level = Math.min(...sections.map((one) => one.level));
  return html`<nav class="contents" aria-label=${t("contents")}><details ref=${list}>
    <summary><b>${t("contents")}</b> <span class="faint">${sections[at]?.heading}</span></summary>
    <ol>${sections.map((one, place) => html`<li key=${place} class=${one.level > level ? "inner" : ""}><button type="button" class="link" aria-current=${place === at ? "true" : undefined} onClick=${() => go(place)}>${one.heading || t("report")}</button></li>`)}</ol></details></nav>`;
}
