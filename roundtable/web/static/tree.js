// The mind map as its changes make it, in a session's `nodes`: the same as the server's `MindMap`. A node that
// changes becomes a new object, so that what is drawn of it is drawn again and nothing else.

import { withoutPassage } from "./dropped.js";

const MARKS = ["pinned", "gap", "contradiction"];

const tidy = (title) => title.trim().split(/\s+/u).join(" ");
const without = (list, item) => list.filter((other) => other !== item);
const joined = (list, more) => [...new Set([...list, ...more])];
const inOrder = (marks) => MARKS.filter((mark) => marks.includes(mark));
// What a person touched stays theirs, whatever the table does with it later.
const hand = (node, by) => (by === "person" ? "person" : node.by);

export function plant(s, id, title, parent, by = "table") {
  const node = { id, title: tidy(title), parent, children: [], notes: [], passages: [], marks: [], by };
  s.nodes.set(id, node);
  if (parent !== null) change(s, parent, (n) => ({ children: [...n.children, id] }));
}

export function grow(s, changes) {
  s.grown += 1;
  for (const c of changes) CHANGES[c.op]?.(s, c);
  colour(s);
}

export const HUES = 8;

// A branch keeps its colour whatever goes or comes beside it, and has it again when it comes back.
function colour(s) {
  const tops = s.nodes.get(s.root)?.children ?? [];
  const worn = Array(HUES).fill(0);
  for (const id of tops) if (s.hues.has(id)) worn[s.hues.get(id)] += 1;
  for (const id of tops.filter((one) => !s.hues.has(one))) {
    const hue = worn.indexOf(Math.min(...worn));
    s.hues.set(id, hue);
    worn[hue] += 1;
  }
}

function change(s, id, fields) {
  const node = s.nodes.get(id);
  if (node) s.nodes.set(id, { ...node, ...fields(node) });
}

const CHANGES = {
  add: (s, c) => plant(s, c.id, c.title, c.parent, c.by),
  place(s, c) {
    const before = s.where.get(c.passage);
    if (before === c.node) return;
    if (before) change(s, before, (n) => ({ passages: without(n.passages, c.passage) }));
    change(s, c.node, (n) => ({ passages: [...n.passages, c.passage] }));
    s.where.set(c.passage, c.node);
  },
  drop(s, c) {
    const before = s.where.get(c.passage);
    if (before) change(s, before, (n) => ({ passages: without(n.passages, c.passage) }));
    s.where.delete(c.passage);
    const cites = (note) => note.answer?.includes(`[${c.passage}]`);
    const rest = (note) => ({ ...note, answer: withoutPassage(note.answer, c.passage, s.language) });
    for (const { id, notes } of [...s.nodes.values()])
      if (notes.some(cites)) change(s, id, () => ({ notes: notes.map((n) => (cites(n) ? rest(n) : n)) }));
  },
  note(s, c) {
    change(s, c.node, (n) => ({ notes: [...n.notes, c.note] }));
    s.noteAt.set(c.note.turn, c.node);
  },
  move_note(s, c) {
    const before = s.noteAt.get(c.turn);
    const note = s.nodes.get(before)?.notes.find((one) => one.turn === c.turn);
    if (!note) return;
    change(s, before, (n) => ({ notes: without(n.notes, note) }));
    change(s, c.node, (n) => ({ notes: [...n.notes, note] }));
    s.noteAt.set(c.turn, c.node);
  },
  rename: (s, c) => change(s, c.node, (n) => ({ title: tidy(c.title), by: hand(n, c.by) })),
  move(s, c) {
    const before = s.nodes.get(c.node)?.parent;
    change(s, before, (n) => ({ children: without(n.children, c.node) }));
    change(s, c.parent, (n) => ({ children: [...n.children, c.node] }));
    change(s, c.node, (n) => ({ parent: c.parent, by: hand(n, c.by) }));
  },
  merge(s, c) {
    const gone = s.nodes.get(c.node);
    if (!gone) return;
    change(s, gone.parent, (n) => ({ children: without(n.children, c.node) }));
    change(s, c.into, (n) => ({
      notes: [...n.notes, ...gone.notes],
      passages: joined(n.passages, gone.passages),
      children: [...n.children, ...gone.children],
      marks: inOrder([...n.marks, ...gone.marks]),
      by: hand(n, c.by),
    }));
    for (const child of gone.children) change(s, child, () => ({ parent: c.into }));
    for (const passage of gone.passages) s.where.set(passage, c.into);
    for (const note of gone.notes) s.noteAt.set(note.turn, c.into);
    s.nodes.delete(c.node);
  },
  remove(s, c) {
    const parent = s.nodes.get(c.node)?.parent;
    change(s, parent, (n) => ({ children: without(n.children, c.node) }));
    s.nodes.delete(c.node);
  },
  mark(s, c) {
    change(s, c.node, (n) => ({ marks: c.on ? inOrder([...n.marks, c.mark]) : without(n.marks, c.mark) }));
  },
};
