// The discussion: who said what, who is at work, and a person's own words.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor.js";
import { can, command } from "./net.js";
import { Kept, Reading } from "./text.js";
import { t } from "./words.js";

const NEAR = 40;
const HUES = 8;

export function Discussion({ s, standing, composer, toReport }) {
  const box = useRef(null);
  const atEnd = useRef(true);
  const top = useRef(0);
  const follow = () => { if (!box.current) return; box.current.scrollTop = box.current.scrollHeight; top.current = box.current.scrollTop; };
  const [behind, setBehind] = useState(false);
  useEffect(() => {
    const watcher = new ResizeObserver(() => { if (atEnd.current) follow(); });
    watcher.observe(box.current);
    watcher.observe(box.current.firstElementChild);
    return () => watcher.disconnect();
  }, []);
  const length = s.story.length + s.heard.length + s.called.size;
  // It follows only a reader who is at the end; anybody else is told that there is more.
  useLayoutEffect(() => {
    if (atEnd.current) follow();
    else setBehind(true);
  }, [length]);
  const moved = () => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    const left = scrollHeight - scrollTop - clientHeight;
    // Only a reader who moves up leaves the end: what is above may change its height at any time.
    if (left <= NEAR) atEnd.current = true;
    else if (scrollTop < top.current - 1) atEnd.current = false;
    top.current = scrollTop;
    if (atEnd.current) setBehind(false);
  };
  const toEnd = () => { atEnd.current = true; follow(); setBehind(false); };
  const hues = new Map([...s.names.keys()].filter((slug) => slug !== "moderator").map((slug, place) => [slug, place % HUES]));
  const here = standing?.here !== false || s.status === "running";
  return html`<div class="discussion">
    <div class="story" ref=${box} onScroll=${moved} tabindex="0" role="log" aria-label=${t("discussion")}><div class="story-inner">
      ${s.story.map((item) => item.kind === "turn"
        ? html`<${Turn} key=${item.key} id=${s.id} turn=${item} hue=${hues.get(item.speaker) ?? 0} />`
        : html`<${Told} key=${item.key} item=${item} />`)}
      ${s.heard.map((words) => html`<article class="turn person pending" key=${words.id}><div class="said"><p>${words.text}</p><p class="faint">${t("waiting")}</p></div></article>`)}
      ${s.status === "ended" && s.report && html`<p class="told done">${t("ready")} <button type="button" class="link" onClick=${toReport}>${t("readReport")}</button></p>`}
      <${Work} s=${s} standing=${standing} hues=${hues} />
    </div></div>
    ${behind && html`<button type="button" class="behind" onClick=${toEnd}>${t("newTurns")} ↓</button>`}
    <${Composer} s=${s} standing=${standing} fill=${composer} here=${here} said=${toEnd} />
  </div>`;
}

class Turn extends Kept {
  render({ id, turn, hue }) {
    const look = turn.role === "expert" ? `expert hue-${hue}` : turn.role;
    return html`<article class=${`turn ${look} ${turn.act}`} aria-label=${turn.name}>
      <div class="face" aria-hidden="true">${initials(turn.name)}</div>
      <div class="said"><header><b>${turn.role === "person" ? t("person") : turn.name}</b> <span class="act">${t(turn.act)}</span></header>
        <${Reading} session=${id} text=${turn.text} /></div></article>`;
  }
}

class Told extends Kept {
  render({ item }) {
    const key = { closed: "closedBecause", stopped: "stoppedBecause" }[item.what] ?? item.what;
    if (item.what === "warned") return html`<p class="told warned">${item.text}</p>`;
    return html`<p class="told">${t(key, item.values ?? { reason: item.text, names: item.text })}</p>`;
  }
}

function initials(name) {
  const words = name.trim().split(/[\s·,&-]+/u).filter(Boolean);
  return /[\u3400-\u9fff]/.test(name) ? [...name].slice(0, 1).join("") : [...new Set([words[0], words.at(-1)])].map((word) => [...word][0].toUpperCase()).join("");
}

function Work({ s, standing, hues }) {
  if (standing?.trouble) return html`<p class="told failure" role="alert">${standing.trouble}</p>`;
  const still = standing && standing.state !== "running";
  if (still || s.status === "ended" || s.status === "stopped") return null;
  if (s.status === "closed") return html`<p class="told work">${t("writing")}<i class="dots" aria-hidden="true"></i></p>`;
  const at = [...s.called];
  if (!at.length && s.doing) return html`<p class="told work">${t(s.doing, s.values ?? {})}<i class="dots" aria-hidden="true"></i></p>`;
  return at.map(([slug, doing]) => html`<p key=${slug} class=${`told work hue-${hues.get(slug) ?? 0}`}>
    ${t(doing.what, { ...doing.values, who: s.names.get(slug) ?? slug })}<i class="dots" aria-hidden="true"></i></p>`);
}

const newcomer = (text) => { const [expert, ...focus] = text.split(/[:：]/); return { expert, focus: focus.join(":").trim() }; };

function Composer({ s, standing, fill, said }) {
  const field = useRef(null);
  const [to, setTo] = useState("");
  const [kind, setKind] = useState("say");
  const [failure, setFailure] = useState("");
  useEffect(() => {
    fill.current = (text) => { field.current.value = text; field.current.focus(); };
  }, []);
  const kinds = ["say", ...["steer", "set_aside", "break_in", "read", "add_expert"].filter(can)];
  const labels = { say: t("say"), steer: t("steerTable"), set_aside: t("setAside"), break_in: t("breakIn"), read: t("readUrl"), add_expert: t("addExpert") };
  async function send(event) {
    event?.preventDefault();
    const text = field.current.value.trim();
    if (!text) return;
    setFailure("");
    const values = kind === "read" ? { place: text } : kind === "set_aside" ? { subject: text } : kind === "add_expert" ? newcomer(text) : { text, ...(kind === "say" && to ? { to } : {}) };
    try {
      await command(s.id, kind, values);
      field.current.value = "";
      setKind("say");
      said();
    } catch (trouble) {
      setFailure(trouble.message);
    }
  }
  const keys = (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event); };
  const ended = s.status === "ended";
  return html`<form class="composer" onSubmit=${send}>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <label class="visually-hidden" for="words">${t("say")}</label>
    <textarea id="words" ref=${field} rows="2" maxlength="4000" onKeyDown=${keys} placeholder=${ended ? t("followUp") : t("sayHint")}></textarea>
    <div class="composer-row">
      ${kinds.length > 1 && html`<label class="inline"><span class="visually-hidden">${t("kindOfWords")}</span>
        <select value=${kind} onChange=${(e) => setKind(e.target.value)}>${kinds.map((name) => html`<option key=${name} value=${name}>${labels[name]}</option>`)}</select></label>`}
      ${kind === "say" && html`<label class="inline"><span class="visually-hidden">${t("to")}</span><select value=${to} onChange=${(e) => setTo(e.target.value)}>
        <option value="">${t("everyone")}</option>${s.panel.map((p) => html`<option key=${p.slug} value=${p.slug}>${p.name}</option>`)}</select></label>`}
      <button class="main">${t("send")}</button></div></form>`;
}
