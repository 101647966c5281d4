// What could be asked next: what the report could not say, questions that nobody took up, gaps of the map, and
// branches of it that the report tells nothing of.
import { agenda } from "../fold.js";

const OFFERED = 4,
  LONGEST = 160, // letters of a question that fits on a button
  LEAST = 2; // passages of a branch that is worth a question

// `about` makes a question of a node's title; a title of nothing but `bare` words names no subject.
export function suggested(s, about, bare = "") {
  const none = new Set(bare.split(" "));
  const says = ({ title }) => (title.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => !none.has(word));
  const nodes = [...s.nodes.values()].filter((node) => node.parent);
  const sections = s.report?.sections ?? [];
  const told = new Set(sections.flatMap((one) => one.sentences).flatMap((one) => one.citations));
  const untold = nodes.filter(
    ({ passages }) => passages.length >= LEAST && !passages.some((id) => told.has(id)),
  );
  // The deeper a branch, the less its title says by itself.
  const depth = (node) => (node?.parent ? 1 + depth(s.nodes.get(node.parent)) : 0);
  untold.sort(
    (one, other) => depth(one) - depth(other) || other.passages.length - one.passages.length,
  );
  const gaps = nodes.filter((node) => node.marks.includes("gap"));
  const questions = [
    ...(s.report?.back.open_questions ?? []),
    ...agenda(s).map((q) => q.text),
    ...[...gaps, ...untold].filter(says).map((node) => about(node.title)),
  ];
  return [...new Set(questions)].filter((text) => text.length <= LONGEST).slice(0, OFFERED);
}
