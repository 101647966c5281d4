// The plan of a session before it begins: who sits at the table, what they look into first, where, and for how long.
import { html, useEffect, useRef, useState } from "../vendor.js";
import { ask, setup } from "../net.js";
import { Avatar } from "../avatar.js";
import { placeName, t } from "../words.js";

const MOST = 8;

export function Plan({ s }) {
  const [plan, setPlan] = useState(null);
  const [experts, setExperts] = useState([]);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const form = useRef(null);
  useEffect(() => {
    ask(`/api/sessions/${s.id}/plan`).then(
      (told) => {
        setPlan(told);
        setExperts(told.experts.map((e) => ({ ...e, key: e.slug })));
      },
      (trouble) => setFailure(trouble.message),
    );
  }, [s.id, s.panel]);
  if (!plan)
    return html`<div class="scroll plan">${failure ? html`<p class="failure" role="alert">${failure}</p>` : html`<p class="faint">${t("loading")}</p>`}</div>`;
  async function begin(event) {
    event.preventDefault();
    const given = new FormData(form.current);
    const order = {
      turns: Number(given.get("turns")),
      experts: experts.map(({ slug, name, focus, question }) => ({
        slug: slug ?? "",
        name,
        focus,
        question,
      })),
    };
    if (!plan.offline) order.search = given.getAll("search");
    setBusy(true);
    setFailure("");
    try {
      await ask(`/api/sessions/${s.id}/plan`, order);
    } catch (trouble) {
      setFailure(trouble.message);
      setBusy(false);
    }
  }
  return html`<form class="scroll plan" ref=${form} onSubmit=${begin} aria-labelledby="plan-title">
    <header><p class="kicker">${t("plan")}</p><h2 id="plan-title">${t("planTitle")}</h2><p class="faint">${t("planHint")}</p></header>
    <${Seats} experts=${experts} onChange=${setExperts} />
    <${Where} plan=${plan} />
    ${plan.things.length > 0 && html`<p class="faint">${t("proposedTable", { things: plan.things.join(t("listed")), questions: plan.respects.join(t("listed")) })}</p>`}
    <p class="estimate">${plan.requests ? t("estimate", { requests: plan.requests, tokens: plan.tokens, cost: plan.cost == null ? t("noPrice") : `$${plan.cost.toFixed(2)}` }) : t("free")}</p>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="plan-begin"><button class="main" disabled=${busy}>${busy ? t("loading") : t("beginPlan")}</button></p>
  </form>`;
}

function Seats({ experts, onChange }) {
  const change = (key, field, value) =>
    onChange(experts.map((e) => (e.key === key ? { ...e, [field]: value } : e)));
  const add = () => onChange([...experts, { key: `new${Date.now()}`, name: "", focus: "", question: "" }]);
  return html`<ul class="plan-seats">${experts.map(
    (e, place) => html`<li key=${e.key} class=${`seat hue-${place % 8}`}><${Avatar} name=${e.name || "?"} />
      <div class="stack"><label>${t("newName")}<input value=${e.name} required maxlength="200" onInput=${(x) => change(e.key, "name", x.target.value)} /></label>
        <label>${t("focus")}<input value=${e.focus} maxlength="1000" onInput=${(x) => change(e.key, "focus", x.target.value)} /></label>
        <label>${t("firstQuestion")}<textarea rows="2" maxlength="2000" value=${e.question} onInput=${(x) => change(e.key, "question", x.target.value)}></textarea></label></div>
      <button type="button" class="plain" aria-label=${`${t("dismiss")}: ${e.name}`} disabled=${experts.length < 2} onClick=${() => onChange(experts.filter((x) => x.key !== e.key))}>✕</button></li>`,
  )}</ul>
    ${experts.length < MOST && html`<p><button type="button" onClick=${add}>${t("addSeat")}</button></p>`}`;
}

function Where({ plan }) {
  const places = [...new Set([...plan.search, ...(setup.value?.places ?? [])])];
  return html`<section class="plan-where"><h3>${t("whereSearched")}</h3>
      ${plan.docs.length > 0 && html`<p class="chips">${plan.docs.map((name) => html`<span class="chip" key=${name}>${name}</span>`)}</p>`}
      ${
        plan.offline
          ? html`<p class="faint">${t("offlineHint")}</p>`
          : html`<fieldset class="picks"><legend class="visually-hidden">${t("search")}</legend>${places.map(
              (name) => html`
        <label class="pick" key=${name}><input type="checkbox" name="search" value=${name} defaultChecked=${plan.search.includes(name)} /><span>${placeName(name)}</span></label>`,
            )}</fieldset>`
      }
      <label class="inline-number">${t("turnsLimit")}<input name="turns" type="number" min="1" max="500" required defaultValue=${plan.turns} /></label></section>`;
}
