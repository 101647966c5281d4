// A person's own words to the table, and what they bring to be read.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { can, command, upload } from "./net.js";
import { bringing, chosenFiles, useDrops } from "./files.js";
import { t } from "./words.js";

const newcomer = (text) => {
  const [expert, ...focus] = text.split(/[:：]/);
  return { expert, focus: focus.join(":").trim() };
};
const VALUES = {
  say: (text, to) => ({ text, ...(to ? { to } : {}) }),
  break_in: (text, to) => ({ text, ...(to ? { to } : {}) }),
  follow_up: (text) => ({ text }),
  steer: (text) => ({ text }),
  set_aside: (text) => ({ subject: text }),
  read: (text) => ({ place: text }),
  compare: (text) => {
    const [things, ...questions] = text.split(/[:：]/);
    return { things, questions: questions.join(":").trim() };
  },
  add_expert: newcomer,
};
// A line as it is typed in the terminal: `/go 4`, `@EXPERT …`; a path is none.
const TYPED = /^(?:\/[a-z][a-z-]*(?=\s|$)|@\S)/i;
// What can be said.
const KINDS = ["say", "break_in", "steer", "set_aside", "read", "compare", "add_expert"];

const told = ({ things, questions }) => ({
  things: things.join(t("listed")),
  questions: questions.join(t("listed")),
});

export function Composer({ s, fill, said }) {
  const field = useRef(null);
  const [to, setTo] = useState("");
  const [kind, setKind] = useState("say");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState("");
  useEffect(() => {
    fill.current = (text, expert) => {
      setKind("say");
      if (expert !== undefined) setTo(expert);
      if (text) field.current.value = text;
      field.current.focus();
    };
  }, []);
  const ended = s.status === "ended";
  const chosen = kind === "say" && ended && s.report && !to ? "follow_up" : kind;
  const there = s.panel.some((p) => p.slug === to) ? to : "";
  async function doing(what, work) {
    setFailure("");
    setBusy(what);
    try {
      await work();
      said();
    } catch (trouble) {
      setFailure(trouble.message);
    } finally {
      setBusy("");
    }
  }
  function send(event) {
    event?.preventDefault();
    const text = field.current.value.trim();
    if (!text || busy) return;
    doing("words", async () => {
      if (kind === "say" && TYPED.test(text)) await command(s.id, "typed", { text });
      else await command(s.id, chosen, VALUES[chosen](text, there));
      if (field.current.value.trim() === text) field.current.value = "";
      setKind("say");
    });
  }
  const [over, read] = useReading(s, doing, setFailure);
  const fillTable = () => doing("table", () => command(s.id, "compare", {}));
  const waits = s.heard.some((words) => words.what === "compare");
  const keys = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
  };
  const hint = kind === "say" && ended ? "followUp" : `hint_${kind}`;
  return html`<form class=${over ? "composer over" : "composer"} onSubmit=${send}>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${s.proposed && can("compare") && html`<p class="proposed"><span>${t("proposedTable", told(s.proposed))}</span> <button type="button" disabled=${Boolean(busy) || waits} onClick=${fillTable}>${t("fillTable")}</button></p>`}
    <label class="visually-hidden" for="words">${t("say")}</label>
    <textarea id="words" ref=${field} rows="2" maxlength="4000" onKeyDown=${keys} placeholder=${t(hint)}></textarea>
    <div class="composer-row">
      <${Kinds} kind=${kind} onKind=${setKind} />
      ${(kind === "say" || kind === "break_in") && s.panel.length > 0 && html`<${Addressee} panel=${s.panel} to=${there} onTo=${setTo} />`}
      ${can("read") && html`<${Attach} busy=${busy === "file"} onFiles=${read} />`}
      <button class="main">${t("send")}</button></div></form>`;
}

// Files that are let fall anywhere beside the session, or chosen, are read by the table.
function useReading(s, doing, failed) {
  const read = (given) =>
    doing("file", async () => {
      const { MOST, sendEach } = await bringing();
      const refused = await sendEach(given.slice(0, MOST), ({ file }) => upload(s.id, file));
      if (given.length > MOST) refused.unshift(t("mostAtOnce", { n: MOST }));
      if (refused.length) throw new Error(refused.join(" · "));
    });
  return [useDrops((given) => can("read") && read(given), failed), read];
}

function Kinds({ kind, onKind }) {
  const kinds = KINDS.filter(can);
  if (kinds.length < 2) return null;
  return html`<span class="inline"><select aria-label=${t("kindOfWords")} value=${kind} onChange=${(e) => onKind(e.target.value)}>
    ${kinds.map((name) => html`<option key=${name} value=${name}>${t(`do_${name}`)}</option>`)}</select></span>`;
}

function Addressee({ panel, to, onTo }) {
  return html`<span class="inline"><select aria-label=${t("to")} value=${to} onChange=${(e) => onTo(e.target.value)}>
    <option value="">${t("everyone")}</option>${panel.map((p) => html`<option key=${p.slug} value=${p.slug}>${p.name}</option>`)}</select></span>`;
}

function Attach({ busy, onFiles }) {
  const file = useRef(null);
  const bring = () => {
    const given = chosenFiles(file.current.files);
    if (given.length) onFiles(given);
    file.current.value = "";
  };
  return html`<input type="file" multiple ref=${file} class="visually-hidden" tabindex="-1" aria-hidden="true" onChange=${bring} />
    <button type="button" class="plain attach" disabled=${busy} title=${t("readFile")} onClick=${() => file.current.click()}><span aria-hidden="true">＋</span><span aria-hidden="true"> ${t(busy ? "loading" : "file")}</span></button>`;
}
