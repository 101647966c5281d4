// The discussion: who said what, who is at work or writing, and what waits to be heard.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor.js";
import { ask, command, guest, lookingOn, setup } from "./net.js";
import { writtenAgain } from "./fold.js";
import { Avatar } from "./avatar.js";
import { Composer } from "./composer.js";
import { Progress } from "./progress.js";
import { useKeyboard } from "./row.js";
import { Kept, labelOf, Reading } from "./text.js";
import { placeName, said, t } from "./words.js";

const NEAR = 40;
const SAID = new Set(["say", "break_in", "follow_up"]);
// So many of the newest are drawn; earlier ones come as a reader gets near to them.
const DRAWN = 60;

// The place that a reader has in the story. It follows only a reader who is at the end; anybody else is told that
// there is more, and what they look at stays where it is when earlier turns are drawn above.
function useReading(s) {
  const box = useRef(null),
    atEnd = useRef(true),
    top = useRef(0),
    keep = useRef(null);
  const [drawn, setDrawn] = useState(DRAWN);
  const [behind, setBehind] = useState(false);
  const hidden = Math.max(0, s.story.length - drawn);
  const follow = () => {
    if (!box.current) return;
    box.current.scrollTop = box.current.scrollHeight;
    top.current = box.current.scrollTop;
  };
  useEffect(() => {
    const watcher = new ResizeObserver(() => atEnd.current && follow());
    watcher.observe(box.current);
    watcher.observe(box.current.firstElementChild);
    return () => watcher.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (atEnd.current) follow();
    else setBehind(true);
  }, [s.story.length + s.heard.length + s.called.size]);
  useLayoutEffect(() => {
    if (keep.current === null || !box.current) return;
    box.current.scrollTop += box.current.scrollHeight - keep.current;
    top.current = box.current.scrollTop;
    keep.current = null;
  }, [drawn]);
  const earlier = () => {
    keep.current = box.current.scrollHeight;
    setDrawn((n) => n + DRAWN);
  };
  const moved = () => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    // Only a reader who moves up leaves the end: what is above may change its height at any time.
    if (scrollHeight - scrollTop - clientHeight <= NEAR) atEnd.current = true;
    else if (scrollTop < top.current - 1) atEnd.current = false;
    top.current = scrollTop;
    if (atEnd.current) setBehind(false);
    if (hidden && scrollTop < clientHeight && !atEnd.current && keep.current === null) earlier();
  };
  const toEnd = () => {
    atEnd.current = true;
    follow();
    setBehind(false);
  };
  return { box, hidden, behind, earlier, moved, toEnd };
}

export function Discussion({ s, standing, composer, hues, toReport, onFork }) {
  const { box, hidden, behind, earlier, moved, toEnd } = useReading(s);
  const entered = useKeyboard(".story");
  return html`<div class="discussion">
    <div class="story" ref=${box} onScroll=${moved} onFocusIn=${entered} tabindex="0" role="log" aria-busy=${standing ? "false" : "true"} aria-label=${t("discussion")}><div class="story-inner">
      ${hidden > 0 && html`<p class="told"><button type="button" class="link" onClick=${earlier}>${t("earlier", { n: hidden })}</button></p>`}
      ${!s.story.length && !s.doing && html`<p class="told">${t("loading")}</p>`}
      ${s.story
        .slice(hidden)
        .map((item) =>
          item.kind === "turn"
            ? html`<${Turn} key=${item.key} id=${s.id} turn=${item} you=${isYou(item)} name=${nameOf(item)} asked=${asked(s, item)} hue=${hues.get(item.speaker) ?? 0} lang=${s.language} onFork=${onFork} />`
            : html`<${Told} key=${item.key} item=${item} />`,
        )}
      ${s.heard.map((words) => html`<article class="turn person pending" key=${words.id}><div class="said"><p>${words.text}</p><p class="faint">${isYou({ ...words, role: "person" }) ? "" : `${words.person || t("somebody")} · `}${SAID.has(words.what) ? "" : `${t(`do_${words.what}`)} · `}${t(s.status === "ended" ? "heardLater" : "waiting")}</p></div></article>`)}
      ${s.status === "ended" && s.report && !standing?.here && html`<${Done} s=${s} toReport=${toReport} />`}
      <${Work} s=${s} standing=${standing} hues=${hues} />
    </div></div>
    ${behind && html`<button type="button" class="behind" onClick=${toEnd}>${t("newTurns")} ↓</button>`}
    ${lookingOn.value ? html`<p class="composer faint" role="status">${t(lookingOn.value)}</p>` : html`<${Composer} s=${s} fill=${composer} said=${toEnd} />`}
  </div>`;
}

// What came of it: a report, or, where nothing was found, what can be done now.
function Done({ s, toReport }) {
  if (!s.report.sections.length)
    return html`<p class="told done">${s.unsearched && html`${said(s.unsearched)}<br />`}${t("nothingFound")}<a href="#/">${t("beginAnew")}</a></p>`;
  return html`<p class="told done">${t("ready")}<button type="button" class="link" onClick=${toReport}>${t("readReport")}</button></p>`;
}

// Of several people each is called by name, but for whoever looks. What has no name was said before there were
// several, or in a terminal: by whose session it is, as far as is known.
const isYou = ({ role, person }) =>
  role === "person" && (person ? person === setup.value?.account : !guest.value);

const nameOf = (turn) => {
  if (turn.role !== "person") return turn.name;
  return isYou(turn) ? t("person") : turn.person || t("somebody");
};

// What you do, after “You”.
const YOURS = { question: "youQuestion", steer: "youSteer", note: "youNote" };

// What a turn answers, where that is not what was said just before.
function asked(s, turn) {
  if (turn.act !== "answer" || turn.replies_to) return "";
  const before = s.turns[s.turns.indexOf(turn) - 1];
  return before?.act === "question" && before.question === turn.question
    ? ""
    : (s.questions.get(turn.question)?.text ?? "");
}

// The sources that a turn cites, folded.
function TurnSources({ id, turn }) {
  const [list, setList] = useState(null);
  const cited = new Map(turn.citations.map((one) => [Number(labelOf(one).split(".")[0]), one]));
  const numbers = [...cited.keys()].sort((a, b) => a - b);
  if (!numbers.length) return null;
  const titleOf = (n) => list?.find((one) => one.passages.includes(cited.get(n)))?.title ?? "";
  const opened = (event) => event.target.open && !list && ask(`/api/sessions/${id}/sources`).then(setList);
  return html`<details class="turn-sources" onToggle=${opened}><summary>${t("sourcesOf", { n: numbers.length })}</summary>
    <ul>${numbers.map((n) => html`<li key=${n}><span class="source-number">${n}</span> ${titleOf(n)}</li>`)}</ul></details>`;
}

class Turn extends Kept {
  render({ id, turn, you, name, asked: question, hue, lang, onFork }) {
    const look = turn.role === "expert" ? `expert hue-${hue}` : turn.role;
    return html`<article class=${`turn ${look} ${turn.act}`} aria-label=${name} data-turn=${turn.n}>
      <${Avatar} name=${name} />
      <div class="said"><header><b role="heading" aria-level="2">${name}</b> <span class="act">${t((you && YOURS[turn.act]) || turn.act)}</span>
        <button type="button" class="plain fork-turn" title=${t("fork", { n: turn.n })} onClick=${() => onFork(turn.n)}><span class="sign" aria-hidden="true">↗</span><span class="number" aria-hidden="true">${turn.n}</span></button></header>
        ${turn.replies_to && html`<p class=${`reply ${turn.replies_to.act}`}>↳ ${t(`reply_${turn.replies_to.act}`, { who: turn.replies_to.name, n: turn.replies_to.turn })}</p>`}
        ${question && html`<p class="asked">${question}</p>`}
        <${Reading} session=${id} lang=${lang} text=${turn.text} />${turn.age && html`<p class="reply">${turn.age}</p>`}${Object.entries(turn.withdrawn ?? {}).map(([text, n]) => html`<p class="reply dispute" key=${text}>${t("withdrawn", { n })} <s>${text}</s></p>`)}<${TurnSources} id=${id} turn=${turn} /></div></article>`;
  }
}

class Told extends Kept {
  render({ item }) {
    const key = { closed: "closedBecause", stopped: "stoppedBecause" }[item.what] ?? item.what;
    if (item.what === "warned") return html`<p class="told warned">${said(item.text)}</p>`;
    return html`<p class=${`told ${item.what}`}>${t(key, item.values ?? { reason: item.text, names: item.text?.replaceAll(", ", t("listed")) })}</p>`;
  }
}

const does = (what, values, who) => t(what, { ...values, who, where: placeName(values?.where) });

// What is under way.
export function Work({ s, standing, hues }) {
  if (standing?.trouble) return html`<p class="told failure" role="alert">${said(standing.trouble)}</p>`;
  if (standing?.queued) return html`<p class="told work" role="status">${t("queued")}<${Dots} /></p>`;
  const still = standing && standing.state !== "running";
  const again = writtenAgain(s, standing);
  if (!again && (still || s.status === "ended" || s.status === "stopped")) return null;
  if (again || s.status === "closed")
    return html`<p class="told work" role="status">${again && !s.sections.length ? t("reworking") : written(s)}<${Dots} /></p>`;
  if (s.waits && !s.called.size && lookingOn.value)
    return html`<p class="told" role="status">${t("waitsElsewhere")}</p>`;
  if (s.waits && !s.called.size)
    return html`<p class="told yours" role="status"><b>${t("yourTurn")}</b> ${t("yourTurnHint")}<button type="button" class="small" onClick=${() => command(s.id, "go_on")}>${t("goOn")}</button></p>`;
  if (standing?.indexing?.of)
    return html`<div class="told work" aria-live="off"><${Progress} work=${standing.indexing} name=${standing.indexing.name} /></div>`;
  const at = [...s.called];
  if (!at.length && s.paused) return null;
  const named = (slug) => (slug === "moderator" ? t("moderator") : (s.names.get(slug) ?? slug));
  if (!at.length) {
    const doing = s.doing || (s.turns.length ? "between" : "opening");
    return html`<p class="told work" aria-live="off">${does(doing, s.doer?.values, named(s.doer?.speaker))}<${Dots} /></p>`;
  }
  return at.map(([slug, doing]) => {
    const hue = hues.get(slug) ?? 0,
      name = named(slug),
      words = s.writing.get(slug);
    if (!words)
      return html`<p key=${slug} class=${`told work hue-${hue}`} aria-live="off">${does(doing.what, doing.values, name)}<${Dots} /></p>`;
    // Read out only when it is a turn: a screen reader need not hear each piece.
    return html`<article key=${slug} class=${`turn writing ${slug === "moderator" ? "moderator" : `expert hue-${hue}`}`} aria-hidden="true"><${Avatar} name=${name} />
      <div class="said"><header><b>${name}</b> <span class="act">${t("typing")}</span></header><p>${words}<i class="caret"></i></p></div></article>`;
  });
}

// How far the report is.
export function written(s) {
  const last = s.sections.findLast((section) => section.heading)?.heading;
  return s.sections.length ? t("writingSections", { n: s.sections.length, last: last ?? "" }) : t("writing");
}

const Dots = () => html`<i class="dots" aria-hidden="true"></i>`;

// Another session that begins as this one did.
export const fork = (id, turn) =>
  ask(`/api/sessions/${id}/fork`, { turn }).then((told) => {
    location.hash = `#/session/${told.id}`;
  });
