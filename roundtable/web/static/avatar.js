// A speaker's mark: initials in the speaker's colour.
import { html } from "./vendor.js";

export function initials(name) {
  const words = name
    .trim()
    .split(/[\s·,&-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (!words.length) return "·";
  if (/[\u3400-\u9fff]/.test(name)) return [...words[0]][0];
  return [...new Set([words[0], words.at(-1)])]
    .map((word) => [...word.replace(/^[^\p{L}\p{N}]+/u, "")][0].toUpperCase())
    .join("");
}

export const Avatar = ({ name }) => html`<div class="face" aria-hidden="true">${initials(name)}</div>`;
