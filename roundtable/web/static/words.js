// The interface's own words, in the language that a person chose. What the table says stays in the table's language.
import { html, signal } from "./vendor.js";

const kept = (() => {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
})();

const load = async (code) => (await fetch(`/static/words/${code}.json`)).json();
const first = await load(kept || navigator.language);

// Every language that there is: what it calls itself, by its code.
const languages = first.languages;
const catalogues = new Map([[first.code, first]]);
export const language = signal(first.code);
document.documentElement.lang = first.code;

async function speak(code) {
  if (!catalogues.has(code)) catalogues.set(code, await load(code));
  language.value = code;
  document.documentElement.lang = code;
  try {
    localStorage.setItem("language", code);
  } catch {
    /* private windows keep nothing */
  }
}

export const count = (n) => new Intl.NumberFormat(language.value).format(n);

// What stands between the parts of a message; null: it is another. An expression would take too long to see that.
function valuesOf(text, [begin, ...parts]) {
  const found = [];
  let at = text.startsWith(begin) ? begin.length : NaN;
  for (const [n, part] of parts.entries()) {
    const there = n < parts.length - 1 ? text.indexOf(part, at) : text.length - part.length;
    if (!(there >= at) || !text.startsWith(part, there)) return null;
    found.push(text.slice(at, there));
    at = there + part.length;
  }
  return at === text.length ? found : null;
}

// What the server said, as the catalogue has it: by the first message that is all of it; its values are said in turn.
export function said(text) {
  if (text.length > 1000) return text;
  for (const [parts, words] of catalogues.get(language.value).messages) {
    const found = valuesOf(text, parts);
    if (found) return words.replace(/\{(\d)\}/g, (_, n) => said(found[Number(n)]));
  }
  return text;
}

// A session's name: what the program put behind it is said in the language of the interface.
export function named(name) {
  for (const [pattern, words] of catalogues.get(language.value).names) {
    const found = new RegExp(`^${pattern}$`).exec(name);
    if (found) return words.replace("{0}", () => named(found[1])).replace("{1}", found[2]);
  }
  return name;
}

// A text with its values; one that differs by number is chosen by the value `n`, which may be shown as it is.
export function t(key, values = {}) {
  let words = catalogues.get(language.value).texts[key] ?? key;
  if (typeof words === "object") {
    // Chinese has no plural, yet “every day” is no “every 1 days” there.
    const form = values.n === 1 ? "one" : new Intl.PluralRules(language.value).select(Number(values.n));
    words = words[form] ?? words.other;
  }
  const shown = (value) => (typeof value === "number" ? count(value) : said(String(value ?? "")));
  return words.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}

// As it is written where the browser is, if they speak that language there.
export const day = (at) => {
  const date = new Date(at);
  const place = navigator.languages.find((one) => one.startsWith(language.value)) ?? language.value;
  return Number.isNaN(date.valueOf())
    ? String(at ?? "")
    : date.toLocaleString(place, { dateStyle: "medium", timeStyle: "short" });
};

// Some seconds in words: "40 s", "3 min".
export const lasting = (seconds) => {
  const [n, unit] = seconds < 90 ? [seconds, "second"] : [Math.round(seconds / 60), "minute"];
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "short" }).format(n);
};

// How often, "12h", as it is said.
export const often = (every) =>
  every ? t(`every_${every.slice(-1).toLowerCase()}`, { n: parseInt(every, 10) }) : t("never");

// Chinese stands without blanks: where a heading is broken, its words stay whole.
const words = Intl.Segmenter && new Intl.Segmenter("zh", { granularity: "word" });
// A text in its words and the signs between them; each letter is one where the browser knows no words.
export const wordsOf = (text) =>
  words ? [...words.segment(text)] : [...text].map((segment) => ({ segment, isWordLike: true }));
export const heading = (text) =>
  words && /[\u3400-\u9fff]/.test(text)
    ? wordsOf(text).map((one) => (one.isWordLike ? [html`<wbr />`, one.segment] : one.segment))
    : text;

// The button that changes the language of the interface to the next that there is.
export function Language() {
  const codes = Object.keys(languages);
  const other = codes[(codes.indexOf(language.value) + 1) % codes.length];
  return html`<button type="button" class="plain" lang=${other} onClick=${() => speak(other)}>${languages[other]}</button>`;
}

const NAMES = {
  arxiv: "arXiv",
  brave: "Brave",
  crossref: "Crossref",
  exa: "Exa",
  github: "GitHub",
  openalex: "OpenAlex",
  searxng: "SearXNG",
  semanticscholar: "Semantic Scholar",
  serper: "Serper",
  tavily: "Tavily",
  wikipedia: "Wikipedia",
};

// What a place to search is called.
export const placeName = (one) => (one === "web" ? t("theWeb") : (NAMES[one] ?? one));
