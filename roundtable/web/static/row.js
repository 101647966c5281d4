// What is done with a row of a list, one thing at a time: changed or asked about where it stands.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { ask } from "./net.js";
import { t } from "./words.js";

// The keyboard goes on at what `other` finds, where what it was on in a box is gone; returns the box's handler.
export function useKeyboard(other) {
  const was = useRef(null);
  useEffect(() => {
    if (!was.current || was.current.isConnected) return;
    was.current = null;
    if (document.activeElement === document.body)
      document.querySelector(other)?.focus({ preventScroll: true });
  });
  return (event) => {
    was.current = event.target;
  };
}

// Returns what tells the server (`act`), what went wrong, and what draws: a button that opens something or acts at
// once, a line to change, a question before what cannot be taken back.
export function useRow(path, name, changed) {
  const [doing, setDoing] = useState("");
  const [failure, setFailure] = useState("");
  const opener = useRef(null);
  // The keyboard goes back to where it came from: what had it is gone.
  const close = () => {
    if (doing) opener.current?.focus();
    setDoing("");
  };
  const act = (what, values = {}) =>
    ask(`${path}/${what}`, values).then(
      () => {
        close();
        setFailure("");
        if (what === "delete") beside(opener.current)?.focus();
        changed();
      },
      (trouble) => setFailure(trouble.message),
    );
  const opens = (what) => (event) => {
    opener.current = event.currentTarget;
    setDoing(doing === what ? "" : what);
  };
  return {
    act,
    failure,
    button: (what, { off = false, now = opens(what) } = {}) =>
      html`<button type="button" class="small" disabled=${off} aria-label=${`${t(what)}: ${name}`} onClick=${now}>${t(what)}</button>`,
    line: (what, label, value, save) =>
      doing === what && html`<${Line} label=${label} value=${value} onSave=${save} onClose=${close} />`,
    sure: (question) =>
      doing === "remove" &&
      html`<${Sure} question=${question} onYes=${() => act("delete")} onClose=${close} />`,
  };
}

// What the keyboard goes to when a button's row is taken away.
const beside = (button) => {
  const row = button?.closest("li");
  const near = row?.nextElementSibling ?? row?.previousElementSibling;
  return near?.querySelector("a, button") ?? document.getElementById("content");
};

function Sure({ question, onYes, onClose }) {
  const keep = useRef(null);
  useEffect(() => keep.current.focus(), []);
  return html`<p class="row-ask" role="alertdialog" aria-label=${question} onKeyDown=${(e) => e.key === "Escape" && onClose()}><span>${question}</span> <button type="button" class="small danger" onClick=${onYes}>${t("remove")}</button> <button type="button" class="small" ref=${keep} onClick=${onClose}>${t("keep")}</button></p>`;
}

// A line of words with its button: Enter or the button sends it, Escape leaves it. It may stand inside a form.
// `onSave` is given words that are not empty and not what was there; where it tells false they stay to be mended.
// With `onClose` the line is there for one change: it has the keyboard at once, and is closed without one.
export function Line({ label, value = "", hint = "", button = "save", most = 400, onSave, onClose }) {
  const field = useRef(null);
  useEffect(() => onClose && field.current.select(), []);
  const save = async (event) => {
    event.preventDefault();
    const words = field.current.value.trim();
    if (!words || words === value) return onClose?.();
    if ((await onSave(words)) !== false && !value && field.current) field.current.value = "";
  };
  const keys = (event) => {
    if (event.key === "Escape") onClose?.();
    if (event.key === "Enter" && !event.isComposing) save(event);
  };
  return html`<div class="line"><label>${label}<input ref=${field} defaultValue=${value} maxlength=${most} placeholder=${hint} onKeyDown=${keys} /></label><button type="button" title=${label} onClick=${save}>${t(button)}</button></div>`;
}
