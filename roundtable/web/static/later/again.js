// What comes after a report: it is written another way, looked over once more, and asked on about.
import { html, useEffect, useRef, useState } from "../vendor.js";
import { ask, can, setup } from "../net.js";
import { suggested } from "./suggested.js";
import { day, often, said, t } from "../words.js";

export function Again({ s, looked, watched }) {
  return html`<section class="again" aria-label=${t("again")}>${can("say") && html`<${Rewrite} s=${s} /><${Update} s=${s} looked=${looked} watched=${watched} />`}<${Check} s=${s} /><${GoOnFrom} s=${s} /></section>`;
}

// Asks for something, and holds what came of it: `run(work)` tells busy, failure and result.
function useAsked() {
  const [asked, setAsked] = useState({ busy: false, failure: "", result: null });
  const run = (work) => {
    setAsked({ busy: true, failure: "", result: null });
    work().then(
      (result) => setAsked({ busy: false, failure: "", result }),
      (trouble) => setAsked({ busy: false, failure: trouble.message, result: null }),
    );
  };
  return [asked, run];
}

function Rewrite({ s }) {
  const [{ busy, failure }, run] = useAsked();
  const [outline, setOutline] = useState("");
  const box = useRef(null);
  const offered = setup.value ?? {};
  const opened = (event) => {
    if (event.target.open)
      ask(`/api/sessions/${s.id}/outline`).then(
        (told) => setOutline(told.outline),
        () => {},
      );
  };
  const write = (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const order = { outline: given.get("outline") === outline ? "" : given.get("outline") };
    for (const name of ["style", "language", "audience"])
      if (given.get(name).trim()) order[name] = given.get(name).trim();
    if (given.get("words")) order.words = Number(given.get("words"));
    run(async () => {
      await ask(`/api/sessions/${s.id}/report`, order);
      box.current.open = false;
    });
  };
  return html`<details ref=${box} onToggle=${opened}><summary>${t("writeOtherwise")}</summary><form class="stack" onSubmit=${write}>
    <div class="grid"><label>${t("style")}<select name="style"><option value="">${t("usual")}</option>${(offered.styles ?? []).map((one) => html`<option key=${one} value=${one}>${t(`style_${one}`)}</option>`)}</select></label>
      <label>${t("words")}<input name="words" type="number" min="100" max="40000" placeholder=${offered.words ?? ""} /></label>
      <label>${t("writtenIn")}<input name="language" autocomplete="off" placeholder="en" /></label>
      <label>${t("audience")}<input name="audience" placeholder=${t("audienceHint")} /></label></div>
    <p class="faint">${t("forModels")}</p>
    <label>${t("outline")}<textarea name="outline" rows="8" spellcheck=${false} defaultValue=${outline} key=${outline}></textarea></label><p class="faint">${t("outlineAgainHint")}</p>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p><button class="main" disabled=${busy}>${t(busy ? "writing" : "writeIt")}</button></p></form></details>`;
}

const OFTEN = ["", "12h", "1d", "1w", "4w"];

// What became of the sources since: looked up now, or by itself every so often.
function Update({ s, looked, watched }) {
  const [{ busy, failure }, run] = useAsked();
  const [sent, setSent] = useState(null); // until the server tells of it
  useEffect(() => setSent(null), [watched]);
  const every = sent ?? watched ?? "";
  const look = () => run(() => ask(`/api/sessions/${s.id}/update`, {}));
  const watch = (event) => {
    const wanted = event.target.value;
    run(async () => {
      await ask(`/api/sessions/${s.id}/watch`, { every: wanted });
      setSent(wanted);
    });
  };
  const offered = OFTEN.includes(every) ? OFTEN : [...OFTEN, every];
  const found =
    looked && t(looked.news ? "lookedFound" : "lookedNothing", { n: looked.n, at: day(looked.at) });
  return html`<div class="update"><p class="chips"><button type="button" class="small" disabled=${busy} onClick=${look}>${t("lookAgain")}</button>
      <label>${t("watchEvery")} <select name="every" disabled=${busy} value=${every} onChange=${watch}>${offered.map((one) => html`<option key=${one} value=${one}>${often(one)}</option>`)}</select></label>
      <span class="faint" role="status">${found}</span></p>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}</div>`;
}

// A new session that begins with this one's map, report and texts.
function GoOnFrom({ s }) {
  const [{ busy, failure }, run] = useAsked();
  const begin = (event) => {
    event.preventDefault();
    const topic = new FormData(event.target).get("topic");
    run(async () => {
      const { id } = await ask("/api/sessions", { topic, follows: s.id });
      location.hash = `#/session/${id}`;
    });
  };
  return html`<form class="chips follow" onSubmit=${begin}><label>${t("newFrom")} <input name="topic" required maxlength="4000" placeholder=${t("newFromHint")} /></label>
      <button disabled=${busy}>${t("newFromBegin")}</button></form>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}`;
}

const FATES = ["same", "changed", "lost", "gone", "unreachable", "unread"];

function Check({ s }) {
  const [{ busy, failure, result }, run] = useAsked();
  const look = (online) => () => run(() => ask(`/api/sessions/${s.id}/check${online ? "?online=1" : ""}`));
  return html`<div class="check"><p class="chips"><button type="button" class="small" disabled=${busy} onClick=${look(false)}>${t("checkAgain")}</button>
      ${!s.offline && html`<button type="button" class="small" disabled=${busy} onClick=${look(true)}>${t("checkPages")}</button>`}
      <span class="faint" role="status">${busy ? t("loading") : result && t(result.sound ? "sound" : "notSound", { n: result.summary.sentences })}</span></p>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${result && html`<${Found} result=${result} />`}</div>`;
}

function Found({ result }) {
  const failing = result.sentences.filter((one) => ["unsupported", "partial"].includes(one.support));
  const pages = FATES.filter((fate) => result.fates[fate]);
  return html`${failing.length > 0 && html`<ul>${failing.map((one) => html`<li key=${one.text}><b class=${`mark ${one.support}`}>${t(one.support)}</b> ${one.text} <span class="faint">${said(one.reason ?? "")}</span></li>`)}</ul>`}
    ${result.figures.length > 0 && html`<ul>${result.figures.map((one) => html`<li key=${one.fault}>${one.section}: ${one.fault}</li>`)}</ul>`}
    ${pages.length > 0 && html`<p>${pages.map((fate) => `${t(`page_${fate}`)}: ${result.fates[fate]}`).join(" · ")}</p>`}
    ${pages.length > 0 && html`<ul>${result.pages.filter((page) => !["same", "unread"].includes(page.fate)).map((page) => html`<li key=${page.url}>${page.url} <span class="faint">${t(`page_${page.fate}`)} ${said(page.reason ?? "")}</span></li>`)}</ul>`}`;
}

export function Suggestions({ s, onAsk }) {
  const some = suggested(s, (title) => t("askGap", { title }));
  if (!some.length) return null;
  return html`<div class="suggestions"><h3>${t("askNext")}</h3><ul>${some.map((text) => html`<li key=${text}><button type="button" onClick=${() => onAsk(text)}>${text}</button></li>`)}</ul></div>`;
}
