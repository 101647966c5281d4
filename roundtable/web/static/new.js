// A new session: what it is about, what it reads, how far it goes, and what leaves this machine with it.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { ask, setup } from "./net.js";
import { Documents } from "./documents.js";
import { t } from "./words.js";

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
    outline: outlined(given.get("outline")),
    roles: within(given, "role:", String),
    budget: within(given, "budget:", Number),
  };
  for (const name of ["site", "not_site"]) order[name] = listed(given.get(name));
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

export function NewSession() {
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
    <${Documents} changed=${changed} />
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
  const read = told || (documents ? "outgoingDocuments" : "outgoingModel");
  return html`<div class="outgoing" role="status"><p><b>${t(hosts.length || places.length ? "leaves" : "staysHere")}</b> <span class="faint">${t("askedModel", { model })}</span></p>
    ${hosts.length > 0 && html`<p>${t(read, { hosts: hosts.join(", ") })}</p>`}
    ${places.length > 0 && html`<p>${t(documents && guarded ? "outgoingGuarded" : "outgoingSearch", { places: places.map((one) => (one === "web" ? t("theWeb") : one)).join(", ") })}</p>`}
    ${model === "embedded" && !told && html`<p class="faint">${t("embeddedHint")}</p>`}</div>`;
}

function Options() {
  const offered = setup.value ?? {};
  const number = (name, most, usual, least = 1) =>
    html`<label>${t(name === "turns" ? "turnsLimit" : name)}<input name=${name} type="number" min=${least} max=${most} placeholder=${usual ?? t("usual")} /></label>`;
  const choice = (name, values, usual, kind = "") =>
    html`<label>${t(name)}<select name=${name}><option value="">${usual ? t("usualIs", { value: t(kind + usual) }) : t("usual")}</option>
      ${values.map((one) => html`<option key=${one} value=${one}>${t(kind + one)}</option>`)}</select></label>`;
  return html`<details class="wide options"><summary>${t("options")}</summary>
    <fieldset><legend>${t("discussion")}</legend><div class="grid">
      ${choice("depth", ["quick", "standard", "deep"], offered.depth)}${number("turns", 500, offered.turns)}${number("experts", 8, offered.experts)}
      <label class="pick tall"><input type="checkbox" name="wait" /><span>${t("wait")}</span></label></div></fieldset>
    <${Scope} places=${offered.places ?? []} />
    <fieldset><legend>${t("report")}</legend><div class="grid">${choice("style", offered.styles ?? [], offered.style, "style_")}${number("words", 40000, offered.words, 100)}
      <label class="wide">${t("outline")}<textarea name="outline" rows="3" placeholder=${t("outlineHint")}></textarea></label></div></fieldset>
    <fieldset><legend>${t("limits")}</legend><div class="grid three">${(offered.budgets ?? []).map((name) => html`<label key=${name}>${t(`limit_${name}`)}<input name=${`budget:${name}`} type="number" min="0" step=${name === "money" ? "0.01" : "1"} placeholder=${offered.budget?.[name] ?? t("noLimit")} /></label>`)}</div></fieldset>
    <${ModelChoice} offered=${offered} />
  </details>`;
}

// Where is searched outside, and which of what is found there may be used.
function Scope({ places }) {
  const picks = (name, values, shown) =>
    html`<div class="picks">${values.map((one) => html`<label class="pick" key=${one}><input type="checkbox" name=${name} value=${one} /><span>${shown(one)}</span></label>`)}</div>`;
  const text = (name, label, hint) =>
    html`<label>${label}<input name=${name} autocomplete="off" spellcheck=${false} placeholder=${hint} /></label>`;
  const date = (name, hint) =>
    html`<label>${t(name)}<input name=${name} autocomplete="off" pattern="\\d{4}(-\\d\\d){0,2}" placeholder=${hint} /></label>`;
  return html`<fieldset><legend>${t("search")}</legend>${picks("search", places, (one) => one)}<span class="faint">${t("searchHint")}</span>
    <div class="grid">${text("site", t("onlySites"), "example.org, docs.example.org/guide")}${text("not_site", t("notSites"), "")}${date("since", "2024-05-17")}${date("until", "2024")}</div>
    <fieldset><legend>${t("onlyKinds")}</legend>${picks("kind", ["paper", "news", "encyclopedia", "docs", "code"], (one) => t(one === "docs" ? "documentation" : one))}</fieldset></fieldset>`;
}

function ModelChoice({ offered }) {
  const named = (name, label) =>
    html`<label key=${name}>${label}<input name=${name} autocomplete="off" spellcheck=${false} list="models" /></label>`;
  return html`<fieldset><legend>${t("model")}</legend><div class="grid">
      <label class="wide">${t("modelName")}<input name="model" autocomplete="off" spellcheck=${false} list="models" placeholder="openai:NAME" aria-describedby="usual-model" /></label>
      <p class="wide faint" id="usual-model">${offered.model && t("modelHint", { model: offered.model })}</p>
      <label class="wide">${t("baseUrl")}<input name="base_url" type="url" autocomplete="off" placeholder="http://127.0.0.1:8000/v1" /></label></div>
    <datalist id="models">${["embedded", "openai:", "anthropic:", "ollama:"].map((name) => html`<option key=${name} value=${name} />`)}</datalist>
    <details><summary>${t("byRole")}</summary><div class="grid three">${(offered.roles ?? []).map((role) => named(`role:${role}`, t(`role_${role}`)))}</div></details></fieldset>`;
}
