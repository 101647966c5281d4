// Folds events as the page does, and writes after each of them what the page holds, as JSON.
// standard input: a list of sessions, each a list of {n, at, event}; standard output: a list of lists of states.
import { readFileSync } from "node:fs";
import { agenda, blank, fold, taken } from "../../../roundtable/web/static/fold.js";

const below = (s, id) => [s.nodes.get(id), ...s.nodes.get(id).children.flatMap((child) => below(s, child))];

const held = (s) => ({
  topic: s.topic,
  language: s.language,
  docs: s.docs,
  status: s.status,
  last: s.last,
  limit: s.limit,
  taken: taken(s),
  counted: s.counted,
  turns: s.turns.map(({ key, kind, ...turn }) => turn), // eslint-disable-line no-unused-vars
  panel: s.panel,
  called: [...s.called.keys()],
  questions: [...s.questions.values()].map((q) => [q.id, q.text, q.state]),
  agenda: agenda(s).map((q) => q.id),
  waiting: s.heard.map((words) => [words.id, words.what, words.person]),
  paused: s.paused,
  waits: s.waits,
  mode: s.mode,
  steered: s.steered,
  aside: s.aside,
  dropped: [...s.dropped].sort(),
  undoable: s.edits.length,
  passages: s.passages,
  sources: [...s.sources.keys()],
  labels: Object.fromEntries(s.labels),
  novelty: s.novelty ?? null,
  requests: s.requests,
  tokens: s.tokens,
  cost: s.cost,
  sections: s.sections,
  report: s.report,
  map: s.nodes.size ? below(s, s.root).map(({ children, ...node }) => node) : [], // eslint-disable-line no-unused-vars
});

function states(events) {
  const session = blank("session");
  return events.map((recorded) => {
    fold(session, recorded);
    return JSON.parse(JSON.stringify(held(session)));
  });
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(states)));
