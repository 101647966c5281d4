// What else a session can be given: how far it goes, where it searches, its report, its limits, its models.
import { html } from "../vendor.js";
import { setup } from "../net.js";
import { placeName, t } from "../words.js";

export function Options() {
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
  return html`<fieldset><legend>${t("search")}</legend>${picks("search", places, placeName)}<span class="faint">${t("searchHint")}</span>
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
