// What could be asked next: what the report could not say, questions that nobody took up, gaps of the map.
import { html } from "./vendor.js";
import { agenda } from "./fold.js";
import { t } from "./words.js";

const MOST = 4,
  LONGEST = 160; // letters of a question that fits on a button

export function suggested(s) {
  const gaps = [...s.nodes.values()].filter((node) => node.marks.includes("gap") && node.parent);
  const questions = [
    ...(s.report?.back.open_questions ?? []),
    ...agenda(s).map((q) => q.text),
    ...gaps.map((node) => t("askGap", { title: node.title })),
  ];
  return [...new Set(questions)].filter((text) => text.length <= LONGEST).slice(0, MOST);
}

export function Suggestions({ s, onAsk }) {
  const some = suggested(s);
  if (!some.length) return null;
  return html`<div class="suggestions"><h3>${t("askNext")}</h3><ul>${some.map((text) => html`<li key=${text}><button type="button" onClick=${() => onAsk(text)}>${text}</button></li>`)}</ul></div>`;
}
