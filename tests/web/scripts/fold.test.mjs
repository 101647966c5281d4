// What the page's fold does beside what the server's does too: run by `node --test` (see test_fold.py).
import assert from "node:assert/strict";
import { test } from "node:test";
import { agenda, blank, fold, overhear, planned, writtenAgain } from "../../../roundtable/web/static/fold.js";
import { pieces } from "../../../roundtable/web/static/bare.js";
import { suggested } from "../../../roundtable/web/static/later/suggested.js";

const AT = "2026-01-01T00:00:00Z";
const START = {
  kind: "session_started",
  topic: "Tea",
  docs: ["/papers/tea notes"],
  settings: { moderator: { turns: 9 } },
};
const PANEL = { kind: "panel_seated", panel: [{ slug: "ada", name: "Ada" }] };
const CALLED = { kind: "speaker_called", turn: 1, speaker: "ada", question: null };

function folded(...events) {
  const session = blank("s1");
  events.forEach((event, place) => fold(session, { n: place + 1, at: AT, event }));
  return session;
}

test("an event of a kind that the page does not know is counted, and changes nothing else", () => {
  const known = folded(START);
  const more = folded(START, { kind: "from_a_later_version", text: "?" });
  assert.equal(more.last, 2);
  assert.deepEqual({ ...more, last: 1, count: 1 }, known);
});

test("what a speaker does is told by names that a person knows", () => {
  const where = "tea-notes-0a1b2c3d";
  const s = folded(START, PANEL, CALLED, { kind: "searched", speaker: "ada", query: "tea", where });
  assert.deepEqual(s.called.get("ada"), { what: "searching", values: { query: "tea", where: "tea notes" } });
  const more = folded(START, PANEL, CALLED, {
    kind: "searched",
    speaker: "ada",
    query: "Tea green leaves",
    where,
  });
  assert.equal(more.called.get("ada").values.query, "… green leaves");
});

test("a report is to be written again while edits stand that it does not know", () => {
  const made = { kind: "map_edited", did: "rename", changes: [{ op: "rename", node: "n0", title: "Teas" }] };
  const s = folded(START, PANEL, { kind: "map_started", title: "Tea", root: "n0" });
  s.status = "ended";
  const after = [made, made, { ...made, undo: true }, { ...made, undo: true }, { ...made, undo: true }].map(
    (event) => {
      fold(s, { n: s.last + 1, at: AT, event });
      return s.unwritten;
    },
  );
  assert.deepEqual(after, [1, 2, 1, 0, -1]);
});

test("a moderator who has nothing left to ask has not failed", () => {
  const gone = { kind: "turn_failed", turn: 1, speaker: "ada", question: null };
  const told = ["nothing left to ask", "the model is silent"].map(
    (reason) => folded(START, PANEL, CALLED, { ...gone, reason }).story.at(-1).what,
  );
  assert.deepEqual(told, ["askedOut", "failed"]);
});

test("what is being written is heard from those alone who have the word, until they have said it", () => {
  const s = folded(START, PANEL, CALLED);
  overhear(s, { ada: "Tea is", bob: "I" });
  assert.deepEqual([...s.writing], [["ada", "Tea is"]]);
  const turn = { n: 1, speaker: "ada", name: "Ada", role: "expert", act: "answer", text: "Tea is a drink." };
  fold(s, { n: 4, at: AT, event: { kind: "turn_taken", turn } });
  assert.equal(s.writing.size, 0);
  assert.equal(s.called.size, 0);
  assert.equal(s.story.at(-1).text, "Tea is a drink.");
});

test("a plan can be changed until somebody is called", () => {
  const standing = { state: "stopped", here: false };
  assert.ok(planned(folded(START, PANEL), standing));
  assert.ok(!planned(folded(START, PANEL, CALLED), standing));
  assert.ok(!planned(folded(START, PANEL), { ...standing, here: true }));
});

test("a person's question is taken up first, then gaps, and the topic itself stands on no list", () => {
  const raised = (id, by, place) => ({ kind: "question_raised", id, by, place, text: id });
  const s = folded(
    START,
    raised("q1", "ada", "queue"),
    raised("q2", "ada", "tail"),
    raised("q3", "ada", "head"),
    raised("q4", "person", "queue"),
  );
  assert.deepEqual(
    agenda(s).map((q) => q.id),
    ["q4", "q3", "q1"],
  );
});

test("a cost is unknown from the first request without a price, not from a reply that took none", () => {
  const replied = (requests, cost) => ({ kind: "model_replied", usage: { requests, cost } });
  assert.equal(folded(START, replied(1, 0.25), replied(0, null)).cost, 0.25);
  assert.equal(folded(START, replied(1, 0.25), replied(1, null), replied(1, 0.5)).cost, null);
});

test("an ended session that the server works on has its report written again", () => {
  const report = { sections: [] };
  const ended = folded(START, { kind: "report_written", report }, { kind: "session_ended", reason: "turns" });
  assert.equal(writtenAgain(ended, { here: true }), true);
  assert.equal(writtenAgain(ended, { here: false }), false);
  assert.equal(writtenAgain(ended, null), false);
  assert.equal(writtenAgain(folded(START), { here: true }), false);
});

test("a branch keeps its colour when another goes, and has it again when it comes back", () => {
  const add = (id) => ({ op: "add", id, title: id, parent: "n0" });
  const grown = (...changes) => ({ kind: "map_grown", changes });
  const started = [
    START,
    { kind: "map_started", root: "n0", title: "Tea" },
    grown(...["n1", "n2", "n3"].map(add)),
  ];
  const before = folded(...started).hues;
  assert.equal(new Set(before.values()).size, 3);
  const gone = folded(...started, grown({ op: "remove", node: "n1" }), grown(add("n4")));
  assert.equal(gone.hues.get("n2"), before.get("n2"));
  assert.equal(gone.hues.get("n3"), before.get("n3"));
  assert.equal(gone.hues.get("n4"), before.get("n1"), "the colour that nobody has");
  const back = folded(...started, grown({ op: "remove", node: "n1" }), grown(add("n1")));
  assert.equal(back.hues.get("n1"), before.get("n1"));
});

test("what an undo would take back is known by name", () => {
  const edit = (did, title) => ({ kind: "map_edited", changes: [{ op: "mark" }], did, title });
  const s = folded(START, edit("pin", "Costs"), edit("delete", "Light"));
  assert.equal(s.edits.at(-1).title, "Light");
  const undone = { kind: "map_edited", undo: true, changes: [], did: "delete", title: "Light" };
  assert.equal(
    folded(START, edit("pin", "Costs"), edit("delete", "Light"), undone).edits.at(-1).title,
    "Costs",
  );
});

test("a table that closes again, for a report that is written again, is told once", () => {
  const closed = { kind: "table_closed", cause: "turns", reason: "6 turns taken" };
  const turn = { n: 1, speaker: "ada", name: "Ada", role: "expert", act: "answer", text: "Tea." };
  const taken = { kind: "turn_taken", turn };
  const told = (...events) => folded(START, ...events).story.filter((item) => item.what === "closed").length;
  const again = { kind: "session_resumed", turns: 0 };
  assert.equal(told(taken, closed, again, closed), 1);
  assert.equal(told(taken, closed, again, { ...closed, reason: "nothing left to ask" }), 2);
  assert.equal(told(taken, closed, again, { ...taken, turn: { ...turn, n: 2 } }, closed), 2);
});

test("a file that was brought is told by its name, any other place as it was given", () => {
  const heard = (place) =>
    folded(START, { kind: "commanded", id: "c1", command: { do: "read", place } }).heard[0].text;
  assert.equal(
    heard("/home/ann/.local/share/roundtable/uploads/s1/0a1b2c3d4e5f/tea notes.txt"),
    "tea notes.txt",
  );
  assert.equal(heard("/papers/uploads/tea.txt"), "/papers/uploads/tea.txt");
  assert.equal(heard("https://example.org/tea"), "https://example.org/tea");
});

test("a passage in a list has no signs of headings, and no fences of code", () => {
  assert.deepEqual(pieces("## Set it\n\n```sh\n# all\nx = `ls`\n```\nThen go on."), [
    { head: true, text: "Set it" },
    { head: false, text: "# all\nx = `ls`" },
    { head: false, text: "Then go on." },
  ]);
});

test("what the map holds and the report does not tell is offered to be asked about, the larger branch first", () => {
  const said = (answer) => ({ question: "What is known?", answer });
  const node = (id, title, passages, more = {}) => [
    id,
    { id, title, passages, marks: [], parent: "n0", notes: [said(`It is about the ${title}.`)], ...more },
  ];
  const report = { sections: [{ sentences: [{ citations: ["p1"] }] }], back: { open_questions: ["Why?"] } };
  const nodes = new Map([
    node("n0", "All", ["p8", "p9"], { parent: null }),
    node("n1", "Told", ["p1", "p2"]),
    node("n2", "Roof", ["p3", "p4"]),
    node("n3", "Single", ["p5"]),
    node("n4", "Heat", ["p6", "p7", "p8"]),
    node("n5", "Gap", [], { marks: ["gap"] }),
    node("n6", "Deep", ["p10", "p11", "p12"], { parent: "n2" }),
    // Nothing that was said there takes up a word of the title: it names no subject.
    node("n7", "2. Zusätzliche Hinweise", ["p13", "p14", "p15", "p16"], {
      notes: [said("Tiles last long.")],
    }),
    node("n8", "备注", ["p17", "p18"], { notes: [said("瓦片很耐用。")] }),
  ]);
  const asked = suggested({ ...folded(START), nodes, report }, (title) => `${title}?`);
  assert.deepEqual(asked, ["Why?", "Gap?", "Heat?", "Roof?"]);
});
