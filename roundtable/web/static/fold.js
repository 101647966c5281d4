// A session as its events tell it: the page's own fold, the same as the server's for what is shown.

import { grow, plant } from "./tree.js";

const NOTHING_TO_ASK = "nothing left to ask"; // a reason that tells of no failure

export function blank(id) {
  return {
    id,
    topic: "",
    status: "running",
    planned: null, // turns that the session was planned for
    limit: null, // turns after which the table closes
    failures: 0,
    besides: 0, // answers to what was asked from outside the table
    counted: 0, // turns that the limit is held against: what a person says, and what answers them, is free
    panel: [],
    turns: [],
    story: [],
    called: new Map(),
    doing: "",
    proposed: null, // things to set side by side
    questions: new Map(),
    heard: [],
    asked: new Map(), // commands that wait for the next turn, by id
    passages: 0,
    sources: new Map(), // by sha256: its number from 1, and its passages in the order of their admission
    labels: new Map(), // by passage: "9.2" is the second of source 9; another map when the numbers change
    dropped: new Set(),
    nodes: new Map(),
    root: "n0",
    where: new Map(), // the node of each passage
    noteAt: new Map(), // the node of each turn's note
    grown: 0,
    hues: new Map(), // by node: the colour of a branch
    edits: [], // those of the map by hand that can be taken back: {did, title}
    sections: [],
    report: null,
    tokens: 0,
    requests: 0,
    cost: 0, // US dollars; null: a request had no known price
    paused: false,
    waits: false,
    last: 0,
    count: 0,
    names: new Map([["moderator", "Moderator"]]),
    writing: new Map(),
    mode: "passive",
    language: "en",
    steered: [],
    aside: [],
    docs: [],
    offline: false,
    unwritten: 0, // edits of the map that stand since the report
    looked: null, // the last look at what became of the sources: when, how many, and whether there was news
  };
}

const REMEMBERED = 30; // as the server does

const WAITING = new Set([
  "say",
  "break_in",
  "follow_up",
  "steer",
  "set_aside",
  "drop_source",
  "drop_host",
  "read",
  "compare",
  "add_expert",
  "rename_expert",
  "dismiss_expert",
]);

// Who asks from outside the table: what answers them is free.
const OUTSIDE = new Set(["person", "update"]);

const FOLDS = {
  session_started(s, e) {
    s.topic = e.topic;
    s.planned = s.limit = e.settings?.moderator?.turns ?? null;
    s.doing = "opening";
    s.language = e.language;
    s.docs = e.docs ?? [];
    s.offline = Boolean(e.offline);
  },
  plan_changed(s, e) {
    s.planned = s.limit = e.turns;
  },
  session_resumed(s, e) {
    s.status = "running";
    s.doing = "";
    s.paused = s.waits = false;
    s.limit = e.turns == null ? s.planned : s.counted + e.turns;
  },
  table_closed(s, e) {
    s.status = "closed";
    s.paused = s.waits = false;
    quiet(s);
    // It closes again when its report is written again: nothing was said since.
    const before = s.story.findLast((item) => item.kind === "turn" || item.what === "closed");
    if (before?.what !== "closed" || before.text !== e.reason) tell(s, "closed", e.reason);
  },
  session_stopped(s, e) {
    s.status = "stopped";
    quiet(s);
    if (s.turns.length || !s.panel.length) tell(s, "stopped", e.reason);
  },
  session_ended(s) {
    s.status = "ended";
    s.paused = s.waits = false;
    quiet(s);
    s.doing = "";
  },
  commanded(s, e) {
    const c = e.command;
    if (c.do === "pause") s.paused = true;
    if (c.do === "mode") {
      s.mode = c.mode;
      if (c.mode === "passive") s.waits = false;
    }
    if (["go_on", "stop"].includes(c.do)) s.paused = s.waits = false;
    // A table that waits for a person waits again after so many turns; another closes.
    if (c.do === "go_on" && c.turns != null)
      s.limit = Math.max(s.mode === "wait" ? (s.limit ?? 0) : 0, s.counted + c.turns);
    if (["say", "break_in", "follow_up"].includes(c.do)) s.waits = false;
    if (!WAITING.has(c.do)) return;
    s.asked.set(e.id, c);
    s.heard = [
      ...s.heard,
      {
        id: e.id,
        what: c.do,
        person: e.person ?? "",
        text:
          c.text ??
          (c.things && `${c.things}: ${c.questions}`) ??
          c.subject ??
          fileName(c.place) ??
          c.source ??
          c.host ??
          c.expert,
      },
    ];
  },
  command_done(s, e) {
    const c = s.asked.get(e.id);
    s.asked.delete(e.id);
    s.heard = s.heard.filter((words) => words.id !== e.id);
    if (e.problem) tell(s, "warned", e.problem);
    else if (c?.do === "steer") s.steered = [...s.steered, c.text];
    else if (c?.do === "set_aside") s.aside = [...s.aside, c.subject];
    else if (c?.do === "drop_source") s.dropped.add(c.source);
    else if (c?.do === "drop_host") s.dropped.add(c.host);
  },
  table_waits(s) {
    s.waits = true;
  },
  sources_updated(s, e, at) {
    const news = e.changes.length > 0 || Object.keys(e.replaced).length > 0;
    s.looked = { at, n: e.looked, news };
    tell(s, news ? "sourcesChanged" : "nothingNew", "", { n: e.looked, changes: e.changes.length + e.more });
  },
  warned(s, e) {
    tell(s, "warned", e.text);
  },
  model_replied(s, e) {
    const u = e.usage ?? {};
    s.requests += u.requests ?? 0;
    s.tokens += (u.prompt_tokens ?? 0) + (u.completion_tokens ?? 0);
    if (u.requests) s.cost = s.cost === null || u.cost == null ? null : s.cost + u.cost;
  },
  comparison_proposed(s, e) {
    s.proposed = { things: e.things, questions: e.questions };
  },
  things_compared(s) {
    s.proposed = null;
  },
  panel_seated(s, e) {
    for (const p of e.panel) s.names.set(p.slug, p.name);
    tell(s, s.panel.length ? "renewed" : "panelSeated", e.panel.map((p) => p.name).join(", "));
    s.panel = e.panel;
  },
  speaker_called(s, e) {
    s.called.set(e.speaker, { what: "thinking", values: {} });
    s.doing = "";
  },
  searched(s, e) {
    does(s, e.speaker, "searching", { query: ownWords(e.query, s.topic), where: placeName(e.where, s.docs) });
    if (e.error) s.unsearched = e.error;
  },
  page_read(s, e) {
    does(s, e.speaker, "reading", { url: e.title || e.url });
  },
  passages_admitted(s, e) {
    s.passages += e.passages.length;
    for (const { id, span } of e.passages) {
      if (!s.sources.has(span[0])) s.sources.set(span[0], { number: s.sources.size + 1, held: [] });
      const source = s.sources.get(span[0]);
      source.held.push(id);
      s.labels.set(id, `${source.number}.${source.held.length}`);
    }
  },
  turn_taken(s, e) {
    const turn = { ...e.turn, key: `t${e.turn.n}`, kind: "turn" };
    if (turn.role === "moderator") s.names.set(turn.speaker, turn.name);
    s.turns.push(turn);
    const theirs = turn.role === "person" || OUTSIDE.has(s.questions.get(turn.question)?.by);
    if (!theirs) s.counted += 1;
    else if (turn.role !== "person") s.besides += 1;
    s.story.push(turn);
    s.called.delete(turn.speaker);
    s.writing.delete(turn.speaker);
    const q = turn.act === "answer" && s.questions.get(turn.question);
    if (q?.state === "waiting") q.state = "taken";
  },
  turn_failed(s, e) {
    s.called.delete(e.speaker);
    s.writing.delete(e.speaker);
    s.failures += 1;
    if (e.speaker !== "moderator") s.counted += 1;
    const who = s.names.get(e.speaker) ?? e.speaker;
    if (e.reason === NOTHING_TO_ASK) tell(s, "askedOut", "", { who });
    else tell(s, "failed", e.reason, { n: e.turn, who, reason: e.reason });
  },
  answer_judged(s, e) {
    for (const claim of e.withdrawn ?? []) {
      const marked = (one) =>
        one.kind === "turn" && one.n === claim.turn
          ? { ...one, withdrawn: { ...one.withdrawn, [claim.text]: e.turn } }
          : one;
      s.turns = s.turns.map(marked);
      s.story = s.story.map(marked);
    }
  },
  novelty_measured(s, e) {
    s.novelty = Math.max(e.passages, e.terms);
  },
  question_raised(s, e) {
    s.questions.set(e.id, { ...e, state: "waiting" });
  },
  question_reworded(s, e) {
    const q = s.questions.get(e.id);
    if (q) q.text = e.text;
  },
  question_returned(s, e) {
    const q = s.questions.get(e.id);
    if (q) Object.assign(q, { state: "waiting", place: "head", returns: (q.returns ?? 0) + 1 });
  },
  discussion_reviewed(s, e) {
    for (const q of s.questions.values()) q.rank = e.order.indexOf(q.id) + 1;
    if (e.common.length) tell(s, "common", e.common.join(" · "));
    if (e.apart.length) tell(s, "apart", e.apart.join(" · "));
  },
  question_closed(s, e) {
    const q = s.questions.get(e.id);
    if (q) q.state = e.state;
    if (e.state === "answered" && e.reason) tell(s, "answeredBut", e.reason);
  },
  map_started(s, e) {
    s.root = e.root;
    plant(s, e.root, e.title, null);
  },
  map_placed(s, e) {
    grow(s, e.changes);
  },
  map_grown(s, e) {
    grow(s, e.changes);
  },
  map_edited(s, e) {
    // What drops a source's passages is no edit of the map; the outline that a session began with stands.
    if (e.undo) s.edits = s.edits.slice(0, -1);
    else if (e.did !== "outline" && e.changes.some((c) => c.op !== "drop"))
      s.edits = [...s.edits, e].slice(-REMEMBERED);
    if (s.status === "ended") s.unwritten += e.undo ? -1 : 1;
    grow(s, e.changes);
  },
  section_written(s, e) {
    s.sections = [...s.sections, e.section];
    s.doing = "writing";
  },
  report_written(s, e) {
    s.report = e.report;
    renumber(s);
    s.unwritten = 0;
    s.sections = [];
    s.doing = "";
  },
};

// What a search adds to the topic that it begins with.
const ownWords = (query, topic) =>
  topic && query.startsWith(topic) && query.length > topic.length
    ? `… ${query.slice(topic.length).trim()}`
    : query;

// The report's sources come first, as its exports number them; the others follow as they were admitted.
function renumber(s) {
  const sourceOf = new Map([...s.sources].flatMap(([sha, { held }]) => held.map((id) => [id, sha])));
  const cells = (table) => table.rows.flat().flatMap((cell) => cell.citations);
  const cited = s.report.sections.flatMap(({ sentences, tables, charts }) => [
    ...sentences.flatMap((one) => one.citations),
    ...tables.flatMap(cells),
    ...charts.flatMap((one) => one.citations),
  ]);
  const found = new Set(cited.map((id) => sourceOf.get(id)).filter(Boolean));
  s.labels = new Map();
  [...new Set([...(s.report.numbered ?? []), ...found, ...s.sources.keys()])].forEach((sha, place) => {
    const source = s.sources.get(sha);
    if (!source) return;
    source.number = place + 1;
    source.held.forEach((id, n) => s.labels.set(id, `${source.number}.${n + 1}`));
  });
}

export function fold(session, recorded) {
  session.last = recorded.n;
  session.count += 1;
  FOLDS[recorded.event.kind]?.(session, recorded.event, recorded.at);
}

// What speakers are writing at this moment: no event, and soon replaced by the turn.
export function overhear(session, said) {
  for (const [speaker, text] of Object.entries(said)) {
    if (text && session.called.has(speaker)) session.writing.set(speaker, text);
    else session.writing.delete(speaker);
  }
}

// A session whose panel is seated and that nobody has begun: its plan can be changed.
export const planned = (s, standing) =>
  s.panel.length > 0 &&
  taken(s) === 0 &&
  s.called.size === 0 &&
  standing?.state === "stopped" &&
  !standing.here;

// An ended session that this server works on: its report is written again.
export const writtenAgain = (s, standing) => s.status === "ended" && Boolean(standing?.here && s.report);

export const taken = (s) => s.turns.length + s.failures;

// The questions that wait, as the table takes them up (`Agenda.waiting`); not the topic itself.
export function agenda(s) {
  const waiting = [...s.questions.values()].filter((q) => q.state === "waiting" && q.place !== "tail");
  const last = s.questions.size + 1;
  const place = (q) =>
    [!OUTSIDE.has(q.by), (q.returns ?? 0) > 0, !q.part, !q.claim, q.rank || last, q.place !== "head"].map(
      Number,
    );
  const before = (one, other) => one.map((n, i) => n - other[i]).find(Boolean) ?? 0;
  return waiting.sort((one, other) => before(place(one), place(other)));
}

function tell(s, what, text, values) {
  s.story.push({ kind: "told", what, text, values, key: `e${s.last}-${s.story.length}` });
}

// A file that was brought is kept in a folder of the server's: a person knows its name.
const fileName = (place) =>
  /[\\/]uploads[\\/][^\\/]+[\\/][0-9a-f]{12}[\\/]([^\\/]+)$/.exec(place)?.[1] ?? place;

function quiet(s) {
  s.called.clear();
  s.writing.clear();
}

// A folder's collection has a name of its own, the folder's and a hash: a person knows the folder.
function placeName(where, docs) {
  const stem = /^(.+)-[0-9a-f]{8}$/.exec(where)?.[1];
  const ends = docs
    .map((path) => /[/\\]([^/\\]+)$/.exec(path)?.[1])
    .filter(
      (end) =>
        end
          ?.replace(/[^\p{L}\p{N}_.-]+/gu, "-")
          .replace(/^[-._]+|[-._]+$/g, "")
          .slice(0, 40) === stem,
    );
  return stem && ends.length === 1 ? ends[0] : where;
}

function does(s, speaker, what, values) {
  if (s.called.has(speaker)) s.called.set(speaker, { what, values });
  else if (!s.turns.length) {
    s.doing = what;
    s.doer = { values, speaker };
  }
}
