// The list of sessions, and a new one.
import { html, useEffect, useState } from "./vendor.js";
import { ask, setup } from "./net.js";
import { Language } from "./language.js";
import { Sessions } from "./sessions.js";
import { t } from "./words.js";

const REFRESH = 5000;

export function Home() {
  const [rows, setRows] = useState(null);
  const look = () => document.hidden || ask("/api/sessions").then(setRows, () => {});
  useEffect(() => {
    document.title = "Roundtable";
    look();
    const timer = setInterval(look, REFRESH);
    return () => clearInterval(timer);
  }, []);
  return html`<div class="home">
    <header class="bar"><h1><img src="/static/icon.svg" alt="" width="28" height="28" />Roundtable</h1><${Language} /></header>
    <main id="content" tabindex="-1">
      <section class="card" aria-labelledby="new"><h2 id="new">${t("newSession")}</h2><${New} /></section>
      <section aria-labelledby="list"><h2 id="list">${t("sessions")}</h2>
        ${
          rows === null
            ? html`<p class="faint">${t("loading")}</p>`
            : !rows.length
              ? html`<p class="empty">${t("noSessions")}</p>`
              : html`<${Sessions} rows=${rows} changed=${look} />`
        }
      </section>
    </main></div>`;
}

const listed = (text) =>
  text
    .split(/[,，;；\n]/)
    .map((part) => part.trim())
    .filter(Boolean);

function New() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const offered = setup.value;
  async function begin(event) {
    event.preventDefault();
    const given = new FormData(event.target, event.submitter);
    const order = {
      topic: given.get("topic"),
      offline: given.get("offline") === "on",
      search: given.getAll("search"),
    };
    order.docs = [...new Set([...given.getAll("collection"), ...listed(given.get("docs"))])];
    for (const name of ["turns", "experts"]) if (given.get(name)) order[name] = Number(given.get(name));
    if (given.get("depth")) order.depth = given.get("depth");
    if (given.get("model").trim()) order.model = given.get("model").trim();
    if (order.offline) order.search = [];
    for (const name of ["site", "not_site"]) order[name] = listed(given.get(name));
    for (const name of ["since", "until"]) if (given.get(name).trim()) order[name] = given.get(name).trim();
    order.kind = given.getAll("kind");
    order.plan = given.get("begin") === "plan";
    setBusy(true);
    setFailure("");
    try {
      const { id } = await ask("/api/sessions", order);
      location.hash = `#/session/${id}`;
    } catch (trouble) {
      setFailure(trouble.message);
      setBusy(false);
    }
  }
  return html`<form class="new" onSubmit=${begin}>
    <label class="wide">${t("topic")}<textarea name="topic" rows="2" required maxlength="4000" placeholder=${t("topicHint")}></textarea></label>
    <fieldset class="wide"><legend>${t("docs")}</legend>
      <div class="picks">${(offered?.collections ?? []).map((name) => html`<label class="pick" key=${name}><input type="checkbox" name="collection" value=${name} /><span>${name}</span></label>`)}
        <label class="pick offline"><input type="checkbox" name="offline" /><span>${t("offline")}</span></label></div>
      <label class="inline"><span class="faint">${t("docsHint")}</span><input name="docs" autocomplete="off" spellcheck=${false} /></label></fieldset>
    <details class="wide"><summary>${t("options")}</summary><div class="grid">
      <fieldset class="wide"><legend>${t("search")}</legend><div class="picks">${(offered?.places ?? []).map(
        (name) => html`
        <label class="pick" key=${name}><input type="checkbox" name="search" value=${name} /><span>${name}</span></label>`,
      )}</div><span class="faint">${t("searchHint")}</span></fieldset>
      <label>${t("onlySites")}<input name="site" autocomplete="off" spellcheck=${false} placeholder="example.org, docs.example.org/guide" /></label>
      <label>${t("notSites")}<input name="not_site" autocomplete="off" spellcheck=${false} /></label>
      <label>${t("since")}<input name="since" autocomplete="off" pattern="\\d{4}(-\\d\\d){0,2}" placeholder="2024-05-17" /></label>
      <label>${t("until")}<input name="until" autocomplete="off" pattern="\\d{4}(-\\d\\d){0,2}" placeholder="2024" /></label>
      <fieldset class="wide"><legend>${t("onlyKinds")}</legend><div class="picks">${["paper", "news", "encyclopedia"].map(
        (name) => html`
        <label class="pick" key=${name}><input type="checkbox" name="kind" value=${name} /><span>${t(name)}</span></label>`,
      )}</div></fieldset>
      <label>${t("turnsLimit")}<input name="turns" type="number" min="1" max="500" placeholder=${offered?.turns ?? ""} /></label>
      <label>${t("depth")}<select name="depth"><option value="">${t("usual")}${offered?.depth ? ` (${t(offered.depth)})` : ""}</option>
        ${["quick", "standard", "deep"].map((name) => html`<option key=${name} value=${name}>${t(name)}</option>`)}</select></label>
      <label>${t("experts")}<input name="experts" type="number" min="1" max="8" placeholder=${t("usual")} /></label>
      <label class="wide">${t("model")}<input name="model" autocomplete="off" spellcheck=${false} placeholder="embedded · openai:NAME · anthropic:NAME · ollama:NAME" />
        <span class="faint">${offered && t("modelHint", { model: offered.model })}</span></label></div></details>
    ${failure && html`<p class="failure wide" role="alert">${failure}</p>`}
    <div class="new-begin"><button class="main" name="begin" value="now" disabled=${busy}>${busy ? t("loading") : t("begin")}</button>
      <button name="begin" value="plan" disabled=${busy}>${t("planFirst")}</button></div>
  </form>`;
}
