// What could be asked next: what the report could not say, questions that nobody took up, gaps of the map, and
// branches of it that were talked about and that the report tells nothing of.
import { agenda } from "../fold.js";

const OFFERED = 4,
  LONGEST = 160, // letters of a question that fits on a button
  LEAST = 2; // passages of a branch that is worth a question

// A title of which nothing that was said below it takes up a word tells what kind of part it is, and no subject:
// “Additional notes”, “Other”, “备注”.
function taken({ title, notes }) {
  const said = notes.map((note) => note.answer.toLowerCase()).join(" ");
  return (title.toLowerCase().match(/\p{L}{2,}/gu) ?? []).some((word) => said.includes(word));
}

// `about` makes a question of a node's title.
export function suggested(s, about) {
  const nodes = [...s.nodes.values()].filter((node) => node.parent);
  const sections = s.report?.sections ?? [];
  const told = new Set(sections.flatMap((one) => one.sentences).flatMap((one) => one.citations));
  const untold = nodes.filter(
    (node) => node.passages.length >= LEAST && !node.passages.some((id) => told.has(id)) && taken(node),
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
    ...[...gaps, ...untold].map((node) => about(node.title)),
  ];
  return [...new Set(questions)].filter((text) => text.length <= LONGEST).slice(0, OFFERED);
}
