// Texts with citations. All of it becomes text nodes: nothing that a page or a model wrote is ever markup.
import { Component, html, signal, useEffect, useLayoutEffect, useRef, useState } from "./vendor.js";
import { claims } from "./dropped.js";
import { ask } from "./net.js";
import { language, t } from "./words.js";

// The numbers of what the session that is shown has read: passage "p31" is "9.2", the second of source 9.
// Whatever shows one is drawn again when the report brings its own.
const labels = signal(new Map());
export const numbered = (session) => {
  labels.value = session.labels;
};
export const labelOf = (id) => labels.value.get(id) ?? id.slice(1);

export class Kept extends Component {
  spoken = language.value;
  labels = labels.value;

  // Drawn again only when one of its values is another, the interface's language, or the numbers of sources.
  shouldComponentUpdate(next) {
    if (this.spoken !== language.value || this.labels !== labels.value) {
      this.spoken = language.value;
      this.labels = labels.value;
      return true;
    }
    const now = this.props;
    return Object.keys({ ...now, ...next }).some((key) => now[key] !== next[key]);
  }
}

const CITATION = /\[(p\d+)\]/g;

export function Cited({ text, open, onOpen }) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(CITATION)) {
    parts.push(
      ...unbroken(text.slice(at, found.index)),
      html`<${Cite} id=${found[1]} open=${open === found[1]} onOpen=${onOpen} />`,
    );
    at = found.index + found[0].length;
  }
  parts.push(...unbroken(text.slice(at)));
  return html`<span class="cited">${parts}</span>`;
}

export function Cite({ id, open, onOpen }) {
  const [source, place] = labelOf(id).split(".");
  return html`<button type="button" class="cite" data-passage=${id} aria-expanded=${open ? "true" : "false"} aria-label=${t("passage", { id: labelOf(id) })}
    onClick=${() => onOpen(open ? null : id)}>${source}${place && html`<span class="within">.${place}</span>`}</button>`;
}

const OPTION = /(?<![\w-])(--?[a-z][\w-]{0,30})/i;
// A text in which no line ends within an option of a program: browsers break after its hyphens.
export const unbroken = (text) =>
  text.split(OPTION).map((part, place) => (place % 2 ? html`<span class="whole">${part}</span>` : part));

export const toMark = (quote) => {
  const mark = quote?.querySelector("mark");
  if (!mark) return;
  // The line before it is seen whole: half a line looks like a fault.
  const line = parseFloat(getComputedStyle(quote).lineHeight);
  quote.scrollTop = Math.max(0, Math.floor(mark.offsetTop / line) - 1) * line;
};

// Lines that a source broke at a width of its own flow on; short ones, lists and code stay as they are.
const flowing = (text) => text.replace(/([^\n]{45,})\n(?=[^\s\-*•>#|\d])/g, (_, line) => `${line} `);

const CODE = /((?:^|\n)```[^]*?(?:\n```|$))/,
  HEADING = /(?<=^|\n\n)(#{1,6} [^\n]+)(?=\n\n|$)/;
const heading = (part) => (/^#{1,6} [^\n]+$/.test(part) ? html`<b>${part.replace(/^#+ /, "")}</b>` : part);

// A text with its headings as they look; in code such a line is a comment, or a command.
const withHeadings = (text) =>
  flowing(text)
    .split(CODE)
    .map((part, place) => (place % 2 ? part : part.split(HEADING).map(heading)));

const kept = new Map();

// A passage with what stands around it, or `{failure}`; null until it is there.
export function usePassage(session, id) {
  const key = `${session}/${id}`;
  const [told, setTold] = useState(kept.get(key) ?? null);
  useEffect(() => {
    let here = true;
    if (kept.has(key)) {
      setTold(kept.get(key));
      return undefined;
    }
    setTold(null);
    ask(`/api/sessions/${session}/passages/${id}`)
      .then((passage) => {
        kept.set(key, passage);
        if (here) setTold(passage);
      })
      .catch((failure) => {
        if (here) setTold({ failure: failure.message });
      });
    return () => {
      here = false;
    };
  }, [key]);
  return told;
}

const titles = new Map(); // by session: the titles of the sources of its passages, as soon as they are there

// The title of a passage's source; "" until it is there.
export function useTitle(session, id) {
  const [told, setTold] = useState(titles.get(session)?.known);
  useEffect(() => {
    let here = true;
    const held = titles.get(session);
    const asked = held && (!held.known || held.known.has(id)) ? held.asked : askTitles(session);
    asked.then((known) => here && setTold(known));
    return () => {
      here = false;
    };
  }, [session, id]);
  return told?.get(id) ?? "";
}

function askTitles(session) {
  const held = { known: null };
  held.asked = ask(`/api/sessions/${session}/sources`).then(
    (list) => {
      held.known = new Map(list.flatMap((one) => one.passages.map((id) => [id, one.title || one.url])));
      return held.known;
    },
    () => new Map(), // the passage itself says what is wrong
  );
  titles.set(session, held);
  return held.asked;
}

export function Passage({ session, id, onClose }) {
  const told = usePassage(session, id);
  const box = useRef(null);
  // What was opened is brought into view; under the pointer it stands where it fits.
  useEffect(() => {
    if (told && !box.current.closest(".hover")) box.current.scrollIntoView({ block: "nearest" });
  }, [told]);
  useEffect(() => {
    const shut = (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || !box.current) return;
      if (box.current.contains(document.activeElement))
        document.querySelector(`.cite[data-passage="${id}"][aria-expanded=true]`)?.focus();
      onClose();
    };
    document.addEventListener("keydown", shut);
    return () => document.removeEventListener("keydown", shut);
  }, [id, onClose]);
  return html`<aside class="passage" ref=${box} aria-label=${t("passage", { id: labelOf(id) })}>
    <header><b><span class="source-number">${labelOf(id)}</span> ${told?.title || t("passage", { id: labelOf(id) })}</b>
      <button type="button" class="plain" aria-label=${t("close")} onClick=${onClose}>✕</button></header>
    ${
      !told
        ? html`<p class="faint">${t("loading")}</p>`
        : told.failure
          ? html`<p>${told.failure}</p>`
          : html`
      <blockquote tabindex="0" ref=${toMark}><span class="around">${withHeadings(told.before)}</span><mark>${withHeadings(told.text)}</mark><span class="around">${withHeadings(told.after)}</span></blockquote>
      <p class="faint origin">${[told.became && t(told.became), told.trust && t(`trust_${told.trust}`), told.author, dated(told), told.page && t("page", { n: told.page }), told.section].filter(Boolean).join(" · ")}
        ${" "}<${Address} url=${told.url} shown=${told.shown} /></p>`
    }
  </aside>`;
}

// When a source was published; of a document of one's own that does not say, of when its file is.
export const dated = (one) => one.published ?? (one.of_file ? t("fileOf", { date: one.of_file }) : null);

// Only addresses of the web are links: any other scheme is shown, and cannot be followed.
export function Address({ url, shown }) {
  return /^https?:\/\//i.test(url)
    ? html`<a href=${url} target="_blank" rel="noopener noreferrer nofollow">${url}</a>`
    : html`<span class="address">${shown ?? url}</span>`;
}

const LONG = 620, // letters: a longer paragraph is read in parts
  PART = 320;
const QUOTED = /“[^“”]*”(?:\s*\[p\d+\])+/g;

// A text as it is read: words quoted from a source stand as quotations, long paragraphs come in parts.
export function blocks(text) {
  const quotes = text.match(QUOTED) ?? [];
  if (quotes.length && !text.replace(QUOTED, "").trim())
    return quotes.map((words) => ({ quote: true, words }));
  return text
    .split(/\n+/)
    .filter((line) => line.trim())
    .flatMap((line) => (line.length > LONG ? paragraphs(line) : [line]))
    .map((words) => ({ quote: false, words }));
}

function paragraphs(line) {
  const found = [""];
  let rest = line.length;
  for (const sentence of claims(line)) {
    if (found.at(-1).length >= PART && rest >= PART / 2) found.push("");
    found[found.length - 1] += sentence;
    rest -= sentence.length;
  }
  return found;
}

// A quotation's sign is not drawn, and takes no keyboard.
const citesOf = (box) =>
  [...box.querySelectorAll("button.cite, button.mark")].filter(
    (one) => getComputedStyle(one).display !== "none",
  );
const ALONG = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function along(event) {
  const cites = citesOf(event.currentTarget),
    at = cites.indexOf(event.target);
  const next = at >= 0 && cites[at + ALONG[event.key]];
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// All citations in a box, and the signs beside them, are one stop of the Tab key; the arrows go from one to the next.
export function useOneStop() {
  const box = useRef(null);
  useLayoutEffect(() => {
    const cites = box.current ? citesOf(box.current) : [];
    const stop =
      cites.find((one) => one === document.activeElement) ?? cites.find((one) => one.tabIndex === 0);
    for (const one of cites) one.tabIndex = one === (stop ?? cites[0]) ? 0 : -1;
  });
  return { ref: box, onKeyDown: along };
}

// A text in which one citation at a time may be open, right under the part that it stands in.
export function Reading({ session, lang, text }) {
  const [open, setOpen] = useState(null);
  const stop = useOneStop();
  return html`<div class="reading" lang=${lang} ...${stop}>${blocks(text).map(({ quote, words }, place) => {
    const mine = open?.startsWith(`${place} `) ? open.split(" ")[1] : null;
    const onOpen = (id) => setOpen(id && `${place} ${id}`);
    const shown = html`<${Cited} text=${words} open=${mine} onOpen=${onOpen} />`;
    return html`${quote ? html`<blockquote class="quote">${shown}</blockquote>` : html`<p>${shown}</p>`}
      ${mine && html`<${Passage} session=${session} id=${mine} onClose=${() => setOpen(null)} />`}`;
  })}</div>`;
}
