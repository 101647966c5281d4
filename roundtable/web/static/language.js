// The button that changes the language of the interface to the next that there is.
import { html } from "./vendor.js";
import { language, languages, speak } from "./words.js";

export function Language() {
  const codes = Object.keys(languages);
  const other = codes[(codes.indexOf(language.value) + 1) % codes.length];
  return html`<button type="button" class="plain" lang=${other} onClick=${() => speak(other)}>${languages[other]}</button>`;
}
