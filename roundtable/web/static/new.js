// A new session: what it is about, what it reads, how far it goes, and what leaves this machine with it.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { ask, setup } from "./net.js";
import { Documents } from "./documents.js";
import { later } from "./later.js";
import { placeName, t } from "./words.js";

const Folded = () => html`<details class="wide options"><summary>${t("options")}</summary></details>`;
const Options = later(() => import("./later/options.js"), "Options", Folded);

const PAUSE = 350; // milliseconds after a change before it is asked what it means

const listed = (text) =>
  text
    .split(/[,，;；\n]/)
    .map((part) => part.trim())
    .filter(Boolean);

// Plain lines are items too.
const outlined = (text) =>
  text.replace(/^([ \t]*)(?=[^\s#\-*+\d])(.*)$/gm, (_, indent, line) => `${indent}- ${line}`);

// What the form asks for, as the server takes it; what was left empty is not said.
function ordered(form, submitter) {
  const given = new FormData(form, submitter);
  const offline = given.get("offline") === "on";
  const order = {
    topic: given.get("topic"),
    offline,
    search: offline ? [] : given.getAll("search"),
    docs: [...new Set([...given.getAll("collection"), ...listed(given.get("docs"))])],
    plan: given.get("begin") === "plan",
    kind: given.getAll("kind"),
    wait: given.get("wait") === "on",
    outline: outlined(given.get("outline") ?? ""),
    roles: within(given, "role:", String),
    budget: within(given, "budget:", Number),
  };
  for (const name of ["site", "not_site"]) order[name] = listed(given.get(name) ?? "");
  for (const name of ["turns", "experts", "words"])
    if (given.get(name)) order[name] = Number(given.get(name));
  for (const name of ["depth", "style", "model", "base_url", "since", "until"])
    if (given.get(name)?.trim()) order[name] = given.get(name).trim();
  return order;
}

const within = (given, prefix, read) =>
  Object.fromEntries(
    [...given]
      .filter(([name, value]) => name.startsWith(prefix) && value.trim())
      .map(([name, value]) => [name.slice(prefix.length), read(value.trim())]),
  );

export function NewSession({ earlier }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const [leaves, look] = useOutgoing(ordered);
  const form = useRef(null);
  useEffect(() => look(form.current), [setup.value]);
  async function begin(event) {
    event.preventDefault();
    setBusy(true);
    setFailure("");
    try {
      const { id } = await ask("/api/sessions", ordered(event.target, event.submitter));
      location.hash = `#/session/${id}`;
    } catch (trouble) {
      setFailure(trouble.message);
      setBusy(false);
    }
  }
  const changed = () => {
    setFailure("");
    look(form.current);
  };
  return html`<form class="new" ref=${form} onSubmit=${begin} onInput=${changed}>
    <label class="wide">${t("topic")}<textarea name="topic" rows="2" required maxlength="4000" placeholder=${t("topicHint")}></textarea></label>
    <${Examples} form=${form} changed=${changed} />
    <${Documents} changed=${changed} earlier=${earlier} anywhere />
    <${Options} />
    ${failure && html`<p class="failure wide" role="alert">${failure}</p>`}
    ${!(failure && leaves?.problem === failure) && html`<${Outgoing} leaves=${leaves} />`}
    <div class="new-begin"><button class="main" name="begin" value="now" disabled=${busy}>${busy ? t("loading") : t("begin")}</button>
      <button name="begin" value="plan" disabled=${busy}>${t("planFirst")}</button></div>
  </form>`;
}

// Something to begin with: first what needs neither key nor network.
const EXAMPLES = [
  { words: "exampleOffline", collection: "python", offline: true },
  { words: "exampleWeb" },
  { words: "exampleDocuments" },
];

function Examples({ form, changed }) {
  const take = ({ words, collection, offline }) => {
    const fields = form.current.elements;
    fields.topic.value = t(words);
    fields.offline.checked = Boolean(offline);
    for (const box of form.current.querySelectorAll("[name=collection]"))
      if (box.checked !== (box.value === collection)) box.click();
    fields.topic.focus();
    changed();
  };
  return html`<p class="examples"><span class="faint">${t("examples")}</span>${EXAMPLES.map(
    (one) =>
      html`<button type="button" class="link" key=${one.words} onClick=${() => take(one)}>${t(one.words)}</button>`,
  )}</p>`;
}

// Asks, a moment after each change, what would leave this machine.
// `read` tells the order that a form stands for.
export function useOutgoing(read) {
  const [leaves, setLeaves] = useState(null);
  const timer = useRef(0);
  const asked = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const look = (form) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const mine = (asked.current += 1);
      const order = { ...read(form), topic: "?", outline: "" };
      const told = (answer) => mine === asked.current && setLeaves(answer);
      ask("/api/outgoing", order).then(told, (trouble) => told({ problem: trouble.message }));
    }, PAUSE);
  };
  return [leaves, look];
}

// `told` names what a language model is given; without it, what a session gives it.
export function Outgoing({ leaves, told = "" }) {
  if (!leaves) return html`<p class="outgoing faint">${t("loading")}</p>`;
  if (leaves.problem) return html`<p class="outgoing warned" role="status">${leaves.problem}</p>`;
  const { model, hosts, places, documents, guarded } = leaves;
  const head = hosts.length ? "leaves" : places.length ? "searchesLeave" : "staysHere";
  const read = told || (documents ? "outgoingDocuments" : "outgoingModel");
  return html`<div class="outgoing" role="status"><p><b>${t(head)}</b></p>
    ${hosts.length > 0 && html`<p>${t(read, { hosts: hosts.join(t("listed")) })}</p>`}
    ${places.length > 0 && html`<p>${t(documents && guarded ? "outgoingGuarded" : "outgoingSearch", { places: places.map(placeName).join(t("listed")) })}</p>`}
    <p class="faint">${t(model === "embedded" && !told ? "embeddedHint" : "askedModel", { model })}</p></div>`;
}
