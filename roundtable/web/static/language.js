// The button that changes the language of the interface.
import { html } from "./vendor.js";
import { language, speak, t } from "./words.js";

export function Language() {
  const other = language.value === "zh" ? "en" : "zh";
  return html`<button type="button" class="plain" lang=${other} onClick=${() => speak(other)}>${t("language")}</button>`;
}
