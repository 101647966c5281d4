// How far reading documents is, of how much, and about how long it will take.
import { html } from "./vendor.js";
import { lasting, t } from "./words.js";

const TELLING = 20; // files by which the rest can be told

export function Progress({ work, name }) {
  const { done, of, seconds, of_site } = work;
  // The first files wait for what reads them to begin: a few of many tell minutes where it takes seconds.
  const telling = done > 0 && done >= Math.min(TELLING, of / 10);
  const left = telling && seconds > 2 ? Math.ceil((seconds / done) * (of - done)) : 0;
  const what = of
    ? t(name ? (of_site ? "indexingSite" : "indexing") : "readingForMeaning", { name, done, of })
    : t("beingRead");
  return html`<p class="progress"><progress max=${of || 1} value=${of ? done : undefined} aria-label=${name || what}></progress>
    <span>${what}${left > 1 ? ` · ${t("left", { time: lasting(left) })}` : ""}</span></p>`;
}
