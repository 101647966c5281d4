// What is told in passing: it stands under the head and covers nothing, goes by itself, and belongs to one view.
import { html, signal, useEffect, useRef } from "./vendor.js";
import { t } from "./words.js";

const LASTS = { done: 8000, trouble: 15_000 }; // milliseconds; longer while the pointer or the keyboard is on it
const notices = signal([]);
let given = 0;

const close = (id) => {
  notices.value = notices.value.filter((one) => one.id !== id);
};

// Tells that something was done, with what takes it back, or what went wrong.
export function tell(text, { kind = "done", action = null } = {}) {
  given += 1;
  const same = notices.value.filter((one) => one.text !== text);
  notices.value = [...same, { id: given, text, kind, action, view: location.hash }].slice(-3);
}

// The map was changed since: what would take a deed back now takes back another.
export function withdraw() {
  notices.value = notices.value.filter((one) => !one.action);
}

addEventListener("unhandledrejection", (event) =>
  tell(event.reason?.message ?? String(event.reason), { kind: "trouble" }),
);
addEventListener("hashchange", () => {
  notices.value = notices.value.filter((one) => one.view === location.hash);
});

export function Notices() {
  return html`<div class="notices" aria-live="polite">${notices.value.map((one) => html`<${Notice} key=${one.id} one=${one} />`)}</div>`;
}

function Notice({ one }) {
  const timer = useRef(0);
  const wait = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => close(one.id), LASTS[one.kind]);
  };
  const stay = () => clearTimeout(timer.current);
  useEffect(() => {
    wait();
    return stay;
  }, []);
  const box = useRef(null),
    from = useRef(null); // where the keyboard was before it came here: it goes back there
  const entered = (event) => {
    stay();
    if (!box.current.contains(event.relatedTarget)) from.current = event.relatedTarget;
  };
  const leave = () => {
    const back = from.current?.isConnected ? from.current : document.getElementById("content");
    if (box.current.contains(document.activeElement)) back?.focus({ preventScroll: true });
    close(one.id);
  };
  const act = () => {
    leave();
    one.action.run();
  };
  return html`<div ref=${box} class=${`notice ${one.kind}`} role=${one.kind === "trouble" ? "alert" : undefined} onPointerEnter=${stay} onPointerLeave=${wait} onFocusIn=${entered} onFocusOut=${wait}>
    <span>${one.text}</span>${one.action && html` <button type="button" class="small" onClick=${act}>${one.action.label}</button>`}
    <button type="button" class="plain" aria-label=${t("close")} onClick=${leave}>✕</button></div>`;
}
