// One session: its head, and beside the discussion the map, the sources and the report.
import { Component, html, signal, useEffect, useMemo, useRef, useState } from "./vendor.js";
import { blank, fold, overhear, planned, writtenAgain } from "./fold.js";
import { ask, can, follow, guest, lookingOn, useAct } from "./net.js";
import { Downloads } from "./downloads.js";
import { count, heading, Language, language, named, t } from "./words.js";
import { Discussion, fork } from "./discussion.js";
import { HUES } from "./tree.js";
import { MindMap } from "./map.js";
import { useKeyboard } from "./row.js";
import { numbered } from "./text.js";
import { later } from "./later.js";
import { Report } from "./report.js";
import { Sources } from "./sources.js";

const Hover = later(() => import("./later/hover.js"), "Hover"),
  People = later(() => import("./later/people.js"), "People"),
  Plan = later(() => import("./later/plan.js"), "Plan");
const WIDE = matchMedia("(min-width: 60rem)");

// What is known of a session, as it comes in: at most one drawing a frame.
function useLive(id) {
  const live = useMemo(
    () => ({ session: blank(id), version: signal(0), standing: signal(null), connected: signal(true) }),
    [id],
  );
  const [missing, setMissing] = useState(false);
  const [finished, setFinished] = useState(false); // it had ended before it was looked at
  const [role, setRole] = useState("owner"); // as what it is shared with this person
  useEffect(() => {
    let drawn = 0,
      stop = null,
      over = false;
    const draw = () => {
      drawn ||= requestAnimationFrame(() => {
        drawn = 0;
        numbered(live.session);
        live.version.value += 1;
      });
    };
    const take = (batch) => {
      for (const one of batch) fold(live.session, one);
      draw();
    };
    const standing = (told) => {
      live.standing.value = told;
      draw();
    };
    const writing = (said) => {
      overhear(live.session, said);
      draw();
    };
    const absent = (failure) => {
      if (failure.status !== 404) return;
      setMissing(true);
      stop?.();
    };
    const connected = (on) => {
      // A stream that ends may have been of a session that somebody deleted.
      if (!on && live.connected.value) ask(`/api/sessions/${id}`).catch(absent);
      live.connected.value = on;
    };
    ask(`/api/sessions/${id}`).then((told) => {
      setFinished(told.state === "ended");
      setRole(told.role ?? "owner");
      if (!over) stop = follow(id, { take, standing, writing, connected });
    }, absent);
    return () => {
      over = true;
      stop?.();
    };
  }, [id]);
  useRole(role, live.standing.value?.watch_only);
  return { ...live, missing, finished };
}

// As what somebody looks at the session that is open, for whatever is drawn of it.
function useRole(role, watched) {
  const only = role === "reader" ? "readOnly" : watched ? "watchOnly" : "";
  useEffect(() => {
    lookingOn.value = only;
    guest.value = role !== "owner";
    return () => {
      lookingOn.value = "";
      guest.value = false;
    };
  }, [only, role]);
}

// A view that was looked at stays as it was left: scrolled, unfolded, half typed. It is drawn again when it is seen.
class View extends Component {
  shouldComponentUpdate(next) {
    return next.shown || this.props.shown;
  }
  render({ name, shown, draw }) {
    return html`<div class="view" id=${`panel-${name}`} role="tabpanel" aria-labelledby=${`tab-${name}`} inert=${!shown}>${draw()}</div>`;
  }
}

// Which view is shown, and which were; on a wide screen the discussion has a place of its own.
function useViews() {
  const [view, show] = useState(WIDE.matches ? "map" : "discussion");
  const chosen = useRef(false); // by the person, who is not taken elsewhere then
  const setView = (next) => {
    chosen.current = true;
    show(next);
  };
  const [wide, setWide] = useState(WIDE.matches);
  useEffect(() => {
    const change = () => {
      setWide(WIDE.matches);
      if (WIDE.matches) show((v) => (v === "discussion" ? "map" : v));
    };
    WIDE.addEventListener("change", change);
    return () => WIDE.removeEventListener("change", change);
  }, []);
  const beside = ["map", "people", "sources", "report"];
  const views = wide ? beside : ["discussion", ...beside];
  const seen = useRef(new Set());
  seen.current.add(view);
  const offer = (next) => chosen.current || show(next);
  return { view, setView, offer, wide, views, drawn: views.filter((name) => seen.current.has(name)) };
}

export function Session({ id }) {
  const { session: s, missing, finished, ...live } = useLive(id);
  const { view, setView, offer, wide, views, drawn } = useViews();
  const composer = useRef(null);
  // The same functions each time: what is drawn of a turn or a report is drawn again only when that changes.
  const onFork = useMemo(() => (turn) => fork(id, turn), [id]);
  const sayNow = useRef(null);
  const askOn = useMemo(() => (text) => sayNow.current?.(text), [id]);
  const version = live.version.value,
    standing = live.standing.value;
  useEffect(() => {
    if (s.topic) document.title = `${named(standing?.name || s.topic)} · Roundtable`;
  }, [s.topic, standing?.name, language.value]);
  // Who comes back to a session that is over comes for its report.
  useEffect(() => {
    if (finished && s.report) offer("report");
  }, [finished, Boolean(s.report)]);
  if (missing)
    return html`<main id="content" class="join" tabindex="-1"><h1>${t("notFound")}</h1><p><a href="#/">${t("back")}</a></p></main>`;
  const say = (text, to) => {
    if (!wide) setView("discussion");
    setTimeout(() => composer.current?.(text, to));
  };
  sayNow.current = say;
  const hues = new Map(
    [...s.names.keys()].filter((slug) => slug !== "moderator").map((slug, place) => [slug, place % HUES]),
  );
  const shown = {
    discussion: () =>
      planned(s, standing) && !lookingOn.value
        ? html`<${Plan} s=${s} />`
        : html`<${Discussion} s=${s} version=${version} standing=${standing} composer=${composer} hues=${hues} toReport=${() => setView("report")} onFork=${onFork} />`,
    people: () =>
      html`<${People} s=${s} version=${version} standing=${standing} hues=${hues} onAsk=${(to) => say("", to)} />`,
    map: () => html`<${MindMap} s=${s} version=${version} onAsk=${say} />`,
    sources: () => html`<${Sources} s=${s} version=${version} passages=${s.passages} />`,
    report: () =>
      html`<${Report} s=${s} report=${s.report} sections=${s.sections} status=${s.status} looked=${s.looked} watched=${standing?.watched} again=${writtenAgain(s, standing)} onAsk=${askOn} />`,
  };
  const main = wide ? "section" : "main";
  return html`<div class="session" data-last=${s.last} data-count=${s.count}>
    <${Head} s=${s} version=${version} standing=${standing} connected=${live.connected.value} />
    <div class=${`body ${wide ? "wide" : "narrow"}`}>
      ${wide && html`<main id="content" class="left" tabindex="-1" aria-label=${t("discussion")}>${shown.discussion()}</main>`}
      <${main} id=${wide ? "beside" : "content"} class="right" tabindex="-1" aria-label=${t("views")}>
        <${Tabs} s=${s} version=${version} views=${views} view=${view} setView=${setView} />
        <div class="panel" id="panel">${drawn.map((name) => html`<${View} key=${name} name=${name} shown=${name === view} draw=${shown[name]} />`)}</div>
      </${main}>
    </div><${Hover} session=${id} /></div>`;
}

function Tabs({ s, views, view, setView }) {
  const tab = (name) => html`
    <button type="button" role="tab" key=${name} id=${`tab-${name}`} aria-selected=${view === name ? "true" : "false"} aria-controls=${`panel-${name}`}
      tabindex=${view === name ? 0 : -1} onClick=${() => setView(name)}>${t(name)}${" "}${badge(s, name)}</button>`;
  return html`<div class="tabs" role="tablist" aria-label=${t("views")} onKeyDown=${(e) => step(e, views, view, setView)}>${views.map(tab)}</div>`;
}

const NUMBERED = {
  map: (s) => s.nodes.size - 1,
  people: (s) => s.panel.length,
  sources: (s) => s.sources.size,
  discussion: (s) => s.turns.filter((turn) => turn.role !== "person").length,
};

function badge(s, name) {
  const n = NUMBERED[name]?.(s) ?? 0;
  return n > 0
    ? html`<span class="badge">${count(n)}</span>`
    : name === "report" && s.report?.sections.length > 0
      ? html`<span class="badge ready" aria-hidden="true">✓</span>`
      : null;
}

function step(event, views, view, setView) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const next = views[(views.indexOf(view) + by + views.length) % views.length];
  setView(next);
  document.getElementById(`tab-${next}`)?.focus();
}

// What is drawn of the session takes its version too: a component with the same values is not drawn again.
function Head({ s, standing, connected }) {
  const [perform, failure] = useAct(s.id);
  const entered = useKeyboard(".acts :is(button, summary)");
  const plan = planned(s, standing);
  const live = !plan && ["running", "closed"].includes(s.status);
  const running = live && standing?.state !== "stopped";
  const waits = s.waits && !s.called.size ? "waits" : s.paused || s.waits ? "paused" : s.status;
  const now = standing?.indexing?.of ? "reads" : waits;
  const rests = writtenAgain(s, standing) ? "reworking" : s.status;
  const state = plan ? "planned" : running ? now : live ? "stopped" : rests;
  const here = !lookingOn.value;
  const rest = here && !running && standing && !standing.here;
  const n = s.counted,
    limit = s.limit ?? 0;
  const act = (name, values) => () => perform(name, values);
  return html`<header class="bar head">
    <a class="home-link" href="#/" aria-label=${t("back")}><img src="/static/icon.svg" alt="" width="28" height="28" /></a>
    <div class="headline"><h1 lang=${s.language} title=${s.topic}>${heading(named(standing?.name || s.topic) || t("loading"))}</h1>
      <p class="facts"><span class=${`state ${state}`} role="status">${t(state === "waits" && !here ? "waitsThere" : state)}</span>
        ${running && limit > 0 && html`<progress max=${limit} value=${Math.min(n, limit)} aria-label=${t("step", { n, limit })}></progress>`}
        <span>${running && n <= limit ? t("step", { n, limit }) : t("turns", { n })}</span>
        ${s.besides > 0 && html`<span class="more">${t("besides", { n: s.besides })}</span>`}
        <span class="more">${t("passages", { n: s.passages })}</span>
        ${s.novelty !== undefined && html`<span class="more" title=${t("noveltyTitle")}>${t("novelty", { n: Math.round(100 * s.novelty) })}</span>`}
        ${s.requests > 0 && html`<span class="more">${t("requests", { n: s.requests })}</span>`}
        ${s.tokens > 0 && html`<span class="more">${t("tokens", { n: s.tokens })}</span>`}
        ${s.cost === null && html`<span class="more">${t("costUnknown")}</span>`}
        ${s.cost > 0 && html`<span class="more">${t("cost", { n: s.cost.toFixed(4) })}</span>`}
        ${failure && html`<span class="lost" role="alert">${failure}</span>`}
        ${!connected && html`<span class="lost" role="alert">${t("lost")}</span>`}</p></div>
    <div class="acts" onFocusIn=${entered}>
      ${state === "running" && here && can("pause") && html`<button type="button" onClick=${act("pause")}>${t("pause")}</button>`}
      ${["paused", "waits"].includes(state) && here && html`<button type="button" onClick=${act("go_on")}>${t(state === "waits" ? "goOn" : "resume")}</button>`}
      ${running && state !== "closed" && here && standing?.here && html`<button type="button" onClick=${act("stop")}>${t("writeNow")}</button>`}
      ${rest && state === "stopped" && !planned(s, standing) && html`<button type="button" class="main" onClick=${act("go_on")}>${t("resume")}</button>`}
      ${rest && state === "stopped" && n > 0 && html`<button type="button" onClick=${act("stop")}>${t("writeNow")}</button>`}
      ${rest && state === "ended" && (s.heard.length > 0 || s.unwritten !== 0) && html`<button type="button" onClick=${act("stop")}>${t("writeAgain")}</button>`}
      ${rest && state === "ended" && html`<button type="button" onClick=${act("go_on", { turns: 4 })}>${t("more", { n: 4 })}</button>`}
      <${Downloads} s=${s} report=${s.report} /><${Language} />
    </div></header>`;
}
