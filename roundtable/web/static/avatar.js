// A speaker's mark: initials in the speaker's colour.
import { html } from "./vendor.js";

export function initials(name) {
  const words = name
    .trim()
    .split(/[\s·,&-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (!words.length) return "·";
  if (/[\u3400-\u9fff]/.test(name)) return [...words[0]][0];
  const [first, ...rest] = /^(the|an?)$/i.test(words[0]) && words.length > 1 ? words.slice(1) : words;
  return [...new Set([first, rest.at(-1) ?? first])]
    .map((word) => [...word.replace(/^[^\p{L}\p{N}]+/u, "")][0].toUpperCase())
    .join("");
}

export const Avatar = ({ name }) => html`<div class="face" aria-hidden="true">${initials(name)}</div>`;
