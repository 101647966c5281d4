// The table: who sits at it, how it goes on, what it is asked to look at and to leave alone.
import { html, useRef, useState } from "../vendor.js";
import { agenda } from "../fold.js";
import { Line } from "../row.js";
import { can, useAct } from "../net.js";
import { Avatar } from "../avatar.js";
import { t } from "../words.js";

export function People({ s, standing, hues, onAsk }) {
  const [act, failure] = useAct(s.id);
  const spoke = (slug) => s.turns.filter((turn) => turn.speaker === slug).length;
  const open = agenda(s);
  const live = standing?.here && s.status === "running";
  return html`<div class="scroll people" tabindex="0" role="region" aria-label=${t("people")}>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <section><h2>${t("seat")}</h2>
      ${!s.panel.length && html`<p class="faint">${t("nobodyYet")}</p>`}
      <ul class="seats">${s.panel.map((p) => html`<${Seat} key=${p.slug} p=${p} hue=${hues.get(p.slug) ?? 0} spoke=${spoke(p.slug)} only=${s.panel.length < 2} onAsk=${onAsk} act=${act} />`)}</ul>
      ${can("add_expert") && s.panel.length > 0 && s.panel.length < 8 && html`<${Newcomer} act=${act} />`}</section>
    ${can("mode") && html`<section><h2>${t("course")}</h2>
      <fieldset class="picks"><legend class="visually-hidden">${t("course")}</legend>${[
        "passive",
        "wait",
      ].map(
        (mode) => html`<label class="pick" key=${mode}>
        <input type="radio" name="mode" checked=${s.mode === mode} onChange=${() => act("mode", { mode })} /><span>${t(mode)}</span></label>`,
      )}</fieldset>
      <p class="faint">${t(s.mode === "wait" ? "waitHint" : "passiveHint")}</p>
      <${GoOn} act=${act} live=${live} /></section>`}
    <section><h2>${t("agenda")}</h2>
      ${open.length ? html`<ol class="agenda">${open.slice(0, 12).map((q) => html`<li key=${q.id}>${q.text}</li>`)}</ol>` : html`<p class="faint">${t("agendaEmpty")}</p>`}
      ${open.length > 12 && html`<p class="faint">${t("andMore", { n: open.length - 12 })}</p>`}</section>
    ${(can("steer") || s.steered.length + s.aside.length > 0) && html`<section><h2>${t("directions")}</h2>
      ${can("steer") && html`<${Line} button="send" label=${t("steerTable")} hint=${t("hint_steer")} onSave=${(text) => act("steer", { text })} />`}
      ${can("set_aside") && html`<${Line} button="send" label=${t("setAside")} hint=${t("hint_set_aside")} onSave=${(subject) => act("set_aside", { subject })} />`}
      ${s.steered.length > 0 && html`<p class="chips">${s.steered.map((text) => html`<span class="chip" key=${text}>${text}</span>`)}</p>`}
      ${s.aside.length > 0 && html`<p class="chips">${s.aside.map((text) => html`<span class="chip gone" key=${text}>${text}</span>`)}</p>`}</section>`}
  </div>`;
}

function Seat({ p, hue, spoke, only, onAsk, act }) {
  const [edit, setEdit] = useState(false);
  const rename = async (to) => (await act("rename_expert", { expert: p.slug, to })) && setEdit(false);
  return html`<li class=${`seat hue-${hue}`}><${Avatar} name=${p.name} />
    <div class="seat-body">${
      edit
        ? html`<${Line} label=${t("newName")} value=${p.name} most="120" onSave=${rename} onClose=${() => setEdit(false)} />`
        : html`<p class="seat-name"><b>${p.name}</b> <span class="faint">${t("turns", { n: spoke })}</span></p>`
    }
      <p class="faint">${p.focus || p.role}</p>
      ${can("say") && html`<p class="chips"><button type="button" class="small" aria-label=${`${t("askOne")}: ${p.name}`} onClick=${() => onAsk(p.slug)}>${t("askOne")}</button>
        ${!edit && html`<button type="button" class="small" aria-label=${`${t("rename")}: ${p.name}`} onClick=${() => setEdit(true)}>${t("rename")}</button>`}
        ${!only && html`<button type="button" class="small" aria-label=${`${t("dismiss")}: ${p.name}`} onClick=${() => act("dismiss_expert", { expert: p.slug })}>${t("dismiss")}</button>`}</p>`}</div></li>`;
}

function Newcomer({ act }) {
  const form = useRef(null);
  const add = async (event) => {
    event.preventDefault();
    const given = new FormData(form.current),
      expert = given.get("name").trim();
    if (expert && (await act("add_expert", { expert, focus: given.get("focus").trim() })))
      form.current.reset();
  };
  return html`<details class="newcomer"><summary>${t("addExpert")}</summary><form ref=${form} class="stack" onSubmit=${add}>
    <label>${t("newName")}<input name="name" required maxlength="120" /></label><label>${t("focus")}<input name="focus" maxlength="400" /></label><button>${t("invite")}</button></form></details>`;
}

function GoOn({ act, live }) {
  const field = useRef(null);
  if (!can("go_on")) return null;
  return html`<form class="line" onSubmit=${(e) => {
    e.preventDefault();
    act("go_on", { turns: Number(field.current.value) });
  }}>
    <label>${t(live ? "goOnFrom" : "goOnAgain")}<input ref=${field} type="number" min="1" max="200" defaultValue="4" required /></label><button>${t("goOn")}</button></form>`;
}
