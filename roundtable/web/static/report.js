// The report, section by section as it is written, with what the checker says of each sentence.
import { Component, html, useState } from "./vendor.js";
import { can, command } from "./net.js";
import { later } from "./later.js";
import { Cite, Kept, Passage, unbroken, useOneStop, useTitle } from "./text.js";
import { heading, language, t } from "./words.js";

const FIRST = language.value;
const after = () => import("./later/again.js");
// As high as what comes in their places, and not seen.
const ContentsMeanwhile = () =>
    html`<div class="contents waiting"><details><summary><b>${t("contents")}</b></summary></details></div>`,
  CopyMeanwhile = ({ whole }) =>
    html`<p class="copy waiting" hidden=${!whole}><button type="button" class="small" disabled>${t("copyReport")}</button></p>`;
const Contents = later(() => import("./later/contents.js"), "Contents", ContentsMeanwhile),
  CopyReport = later(() => import("./later/copying.js"), "CopyReport", CopyMeanwhile),
  Again = later(after, "Again"),
  Suggestions = later(after, "Suggestions");

// How far the sources carry a sentence; what each means is told by the words that end in "Why".
const SIGNS = {
  quoted: "“”",
  supported: "✓",
  inferred: "∴",
  partial: "≈",
  unsupported: "✗",
  unchecked: "?",
  retracted: "⚠",
  corrected: "✎",
  doubted: "⁇",
};

export class Report extends Component {
  shouldComponentUpdate(next) {
    if ((this.spoken ?? FIRST) !== language.value) {
      this.spoken = language.value;
      return true;
    }
    const now = this.props;
    return ["report", "sections", "status", "looked", "watched", "again"].some(
      (name) => next[name] !== now[name],
    );
  }
  render({ s, report, sections, status, looked, watched, again, onAsk }) {
    const writing = status === "closed" || sections.length > 0 || again;
    // While a report is written again, what was there stays readable until the first new section comes.
    const shown = (writing && sections.length) || !report ? sections : report.sections;
    if (!shown.length)
      return html`<div class="empty"><p>${writing ? t("writing") : t(report ? "nothingFound" : "reportEmpty")}</p>
        ${!writing && report && html`<p><a href="#/">${t("beginAnew")}</a></p>`}
        ${!writing && !report && s.turns.length > 0 && html`<p><button type="button" onClick=${() => command(s.id, "stop")}>${t("writeNow")}</button></p>`}</div>`;
    const whole = shown === sections ? null : report;
    return html`<article class="scroll report" tabindex="0" aria-label=${t("report")} ref=${(box) => (this.box = box)}>
      ${shown.length > 1 && html`<${Contents} key=${whole ? "whole" : shown.length} box=${() => this.box} sections=${shown} />`}
      ${writing && html`<p class="told work" role="status">${t(again && !sections.length ? "reworking" : "writing")}<i class="dots" aria-hidden="true"></i></p>`}
      ${whole && html`<h2 class="report-title" lang=${s.language}>${heading(whole.title)}</h2>`}
      ${whole?.front.note && html`<p class=${whole.answer?.found !== false ? "note" : "note unanswered"} lang=${s.language}>${whole.front.note}</p>`}
      ${whole && html`<${Checked} summary=${whole.summary} />`}
      <${CopyReport} id=${s.id} report=${report} whole=${Boolean(whole)} />
      ${shown.map((section, place) => html`<${Section} key=${`${place} ${section.heading}`} id=${s.id} lang=${s.language} place=${place} section=${section} />`)}
      ${whole?.back.open_questions.length > 0 && html`<h3>${t("openQuestions")}</h3><ul>${whole.back.open_questions.map((q) => html`<li>${q}</li>`)}</ul>`}
      ${whole?.left_out?.length > 0 && html`<${LeftOut} id=${s.id} items=${whole.left_out} />`}
      ${whole?.back.made.length > 0 && html`<details><summary>${t("made")}</summary><ul>${whole.back.made.map((line) => html`<li>${line}</li>`)}</ul></details>`}
      ${whole && !writing && can("say") && html`<section class="ask-on"><${Suggestions} s=${s} onAsk=${onAsk} /><p><button type="button" onClick=${() => onAsk("")}>${t("askOn")}</button></p></section>`}
      ${whole && (again || !writing) && html`<${Again} s=${s} looked=${looked} watched=${watched} />`}
    </article>`;
  }
}

// What answers rest on and the report does not tell, each with the reason.
function LeftOut({ id, items }) {
  const [open, setOpen] = useState(null);
  return html`<details class="left-out" ...${useOneStop()}><summary>${t("leftOut", { n: items.length })}</summary><ul>${items.map(({ passage, reason }) => html`<li key=${passage}><${Cite} id=${passage} open=${open === passage} onOpen=${setOpen} /> ${reason}</li>`)}</ul>
    ${open && html`<${Passage} session=${id} id=${open} onClose=${() => setOpen(null)} />`}</details>`;
}

function Checked({ summary }) {
  const given = Object.keys(SIGNS).filter((name) => summary[name] > 0);
  return html`<details class="checks"><summary class="checked"><span>${t("checked", { n: summary.sentences })}</span>
    ${given.map((name) => html`<span key=${name} class=${`mark ${name}`}><span aria-hidden="true">${SIGNS[name]}</span> ${summary[name]} ${t(name)}</span>`)}</summary>
    <dl>${given.map((name) => html`<div key=${name}><dt class=${`mark ${name}`}><span aria-hidden="true">${SIGNS[name]}</span> ${t(name)}</dt><dd>${t(`${name}Why`)}</dd></div>`)}</dl></details>`;
}

// A sign that tells what it means when it is pressed; `reason` is the checker's own.
function Mark({ support, open, onOpen }) {
  return html`<button type="button" class=${`mark ${support}`} aria-expanded=${open ? "true" : "false"} aria-label=${t(support)} title=${`${t(support)}: ${t(`${support}Why`)}`} onClick=${() => onOpen(!open)}><span aria-hidden="true">${SIGNS[support]}</span></button>`;
}

function Why({ support, reason, onClose }) {
  return html`<aside class="why"><p><b class=${`mark ${support}`}>${SIGNS[support]} ${t(support)}</b> ${t(`${support}Why`)}${reason && html`<br />${reason}`}</p>
    <button type="button" class="plain" aria-label=${t("close")} onClick=${onClose}>✕</button></aside>`;
}

// What is open under a paragraph: the passage of a citation, or what a sign means.
function Opened({ id, open, sentences, onClose }) {
  if (!open) return null;
  const [place, passage] = open.split(" ");
  const { support, reason } = sentences[place];
  if (passage in SIGNS)
    return html`<${Why} support=${passage} reason=${passage === support && reason} onClose=${onClose} />`;
  return html`<${Passage} session=${id} id=${passage} onClose=${onClose} />`;
}

function Cites({ place, one, open, setOpen }) {
  const at = (what) => ({
    open: open === `${place} ${what}`,
    onOpen: (now) => setOpen(now && `${place} ${what}`),
  });
  return html`<span class="cites">${one.citations.map((c) => html`<${Cite} key=${c} id=${c} ...${at(c)} />`)}${[one.support, one.became, one.rests?.doubted && "doubted"].map((sign) => sign && html`<${Mark} key=${sign} support=${sign} ...${at(sign)} />`)}</span>`;
}

class Section extends Kept {
  render({ id, lang, place: nth, section }) {
    const paragraphs = [];
    for (const sentence of section.sentences) {
      if (!paragraphs.length || sentence.paragraph) paragraphs.push([]);
      paragraphs.at(-1).push(sentence);
    }
    // What is quoted from one place stands together, whatever paragraphs it was written in.
    const groups = [];
    for (const some of paragraphs) {
      const longer = groups.length && [...groups.at(-1), ...some];
      if (longer && isQuotation(longer)) groups[groups.length - 1] = longer;
      else groups.push(some);
    }
    let step = 0;
    const marks = groups.map(([{ form, step: given }]) => {
      step = form === "step" ? given || step + 1 : 0;
      return step ? `${step}. ` : form === "point" ? "• " : "";
    });
    const Heading = `h${Math.min(6, section.level + 2)}`;
    return html`<section class="section" lang=${lang} data-section=${nth}><${Heading} tabindex="-1">${heading(section.heading)}</${Heading}>
      ${section.opening && html`<p>${section.opening}</p>`}
      ${groups.map((sentences, place) => html`<${isQuotation(sentences) ? Quotation : Paragraph} key=${place} id=${id} mark=${marks[place]} sentences=${sentences} />`)}
      ${section.closing && html`<p>${section.closing}</p>`}
      ${section.tables.map((table) => html`<${Table} key=${table.title} id=${id} table=${table} />`)}
      ${section.charts.map((chart) => html`<${Chart} key=${chart.title} id=${id} chart=${chart} />`)}</section>`;
  }
}

// Words of one place of one source alone.
function isQuotation(sentences) {
  return sentences.every(
    (one) =>
      one.support === "quoted" &&
      (one.form === "code" || /^“[^“”]*”$/.test(one.text)) &&
      one.under === sentences[0].under &&
      one.block === sentences[0].block &&
      (one.block > 0 || one.citations.join() === sentences[0].citations.join()),
  );
}

const listed = ({ form }) => form === "step" || form === "point";
const leftOut = ({ text }) => (/[\u3040-\u9fff]/.test(text) ? "……" : "…");

// The items of a list from a place on, as far in as its first one; what stands further in goes below them.
function Items({ items }) {
  const level = Math.min(...items.map((one) => one.level ?? 0));
  const runs = [];
  let number = 0;
  items.forEach((one, n) => {
    if ((one.level ?? 0) > level && runs.length) return runs.at(-1).held.at(-1).below.push(one);
    const before = number;
    number = one.form === "step" ? one.step || number + 1 : 0;
    if (!runs.length || number !== (before && before + 1)) runs.push({ first: number, held: [] });
    const more = one.goes_on && n < items.length - 1 ? ` ${leftOut(one)}` : "";
    const gap = one.gap && level > 0 ? `${leftOut(one)} ` : "";
    return runs.at(-1).held.push({ words: gap + one.text.slice(1, -1) + more, below: [] });
  });
  return runs.map(({ first, held }, place) => {
    const List = first ? "ol" : "ul";
    return html`<${List} key=${place} start=${first > 1 ? first : undefined}>${held.map(({ words, below }) => html`<li>${unbroken(words)}${below.length > 0 && html`<${Items} items=${below} />`}</li>`)}</${List}>`;
  });
}

// The cells of a row of a table, each with the name of its column, as far as that is known.
function cells({ text, heads = [] }) {
  const held = text
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
  const named =
    heads.length > 0 && held.every((cell, n) => n >= heads.length || cell.startsWith(`${heads[n]}:`));
  return held.map((cell, n) => [
    heads[n] ?? "",
    named && n < heads.length ? cell.slice(heads[n].length + 1).trim() : cell,
  ]);
}

// Rows of one table, below the names of its columns; where some are left out, a row says so.
function Rows({ rows }) {
  const split = rows.map(cells);
  const names = [
    ...new Set(
      split
        .flat()
        .map(([name]) => name)
        .filter(Boolean),
    ),
  ];
  const width = names.length || Math.max(...split.map((row) => row.length));
  const lines = split.flatMap((row, n) => {
    const line = names.length
      ? names.map((name) => row.find(([own]) => own === name)?.[1] ?? "")
      : row.map(([, cell]) => cell);
    return n > 0 && rows[n].gap ? [[leftOut(rows[n])], line] : [line];
  });
  const heads =
    names.length > 0 &&
    html`<thead><tr>${names.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>`;
  return html`<div class="sideways" tabindex="0"><table>${heads}<tbody>${lines.map((line, n) => html`<tr key=${n}>${Array.from({ length: width }, (_, c) => html`<td key=${c}>${line[c] ?? ""}</td>`)}</tr>`)}</tbody></table></div>`;
}

// Where a quotation is from: its source, and the heading that it stands under there.
function From({ id, passage, under }) {
  const title = useTitle(id, passage);
  const both = title && under && !title.toLowerCase().includes(under.toLowerCase());
  return html`<span>${both ? t("quotedUnder", { title, heading: under }) : title || under}</span>`;
}

function Quotation({ id, sentences }) {
  const [open, setOpen] = useState(null);
  const stop = useOneStop();
  const parts = [];
  for (const one of sentences) {
    const last = parts.at(-1);
    const cut = one.gap && !(listed(one) && one.level);
    if (cut && one.form !== "prose" && !(one.form === "row" && last?.rows))
      parts.push({ form: "prose", words: leftOut(one) });
    if (listed(one)) {
      const goesOn = last?.items && !cut && !(one.paragraph && one.block);
      if (goesOn) last.items.push(one);
      else parts.push({ form: one.form, items: [one] });
      continue;
    }
    if (one.form === "row") {
      if (last?.rows) last.rows.push(one);
      else parts.push({ form: "row", rows: [one] });
      continue;
    }
    const bare = one.form === "code" ? one.text : one.text.slice(1, -1);
    const words = cut && one.form === "prose" ? `${leftOut(one)} ${bare}` : bare;
    if (one.form === "prose" && last?.form === "prose" && !one.paragraph)
      last.words += /[。！？]$/.test(last.words) ? words : ` ${words}`;
    else parts.push({ form: one.form, words });
  }
  const shown = parts.flatMap((part) =>
    part.items?.at(-1).goes_on ? [part, { form: "prose", words: leftOut(part.items.at(-1)) }] : [part],
  );
  const cited = { ...sentences[0], citations: [...new Set(sentences.flatMap((one) => one.citations))] };
  return html`<figure class="reading quotation" ...${stop}><blockquote>${shown.map(
    ({ form, words, items, rows }, place) => {
      if (rows) return html`<${Rows} key=${place} rows=${rows} />`;
      if (items) return html`<${Items} key=${place} items=${items} />`;
      return form === "code"
        ? html`<pre key=${place}>${words}</pre>`
        : html`<p key=${place}>${unbroken(words)}</p>`;
    },
  )}</blockquote>
    <figcaption><${From} id=${id} passage=${sentences[0].citations[0]} under=${sentences[0].under} />${" "}<${Cites} place=${0} one=${cited} open=${open} setOpen=${setOpen} /></figcaption>
    <${Opened} id=${id} open=${open} sentences=${sentences} onClose=${() => setOpen(null)} /></figure>`;
}

// A sentence's text: what stands between backticks (as many before as behind) is typed as it is.
function told(text) {
  const pieces = text.split(/(?<!`)(`+)(?!`)([^]+?)(?<!`)\1(?!`)/);
  return pieces.map((part, n) =>
    n % 3 === 2
      ? html`<code key=${n}>${/^ (`.*|.*`) $/s.test(part) ? part.slice(1, -1) : part}</code>`
      : n % 3
        ? ""
        : unbroken(part),
  );
}

function Paragraph({ id, mark, sentences }) {
  const [open, setOpen] = useState(null);
  return html`<div class="reading" ...${useOneStop()}><p>${mark}${sentences.map(
    (
      one,
      place,
    ) => html`<span class=${`sentence ${one.support}`} key=${place}>${one.form === "code" ? html`<code class="block">${one.text}</code>` : told(one.text)}${" "}
    <${Cites} place=${place} one=${one} open=${open} setOpen=${setOpen} />${" "}</span>`,
  )}</p>
    <${Opened} id=${id} open=${open} sentences=${sentences} onClose=${() => setOpen(null)} /></div>`;
}

function Table({ id, table }) {
  const [open, setOpen] = useState(null);
  return html`<figure ...${useOneStop()}><div class="sideways" tabindex="0" role="region" aria-label=${table.title}><table><caption>${table.title}</caption><thead><tr>${table.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${table.rows.map((row, r) => html`<tr key=${r}>${row.map((cell, c) => html`<td key=${c}>${cell.text} ${cell.citations.map((p) => html`<${Cite} key=${p} id=${p} open=${open === p} onOpen=${setOpen} />`)}</td>`)}</tr>`)}</tbody></table></div>
    ${open && html`<${Passage} session=${id} id=${open} onClose=${() => setOpen(null)} />`}</figure>`;
}

// A chart's figures.
function Chart({ id, chart }) {
  const rows = (chart.spec?.data?.values ?? []).filter((row) => row && typeof row === "object");
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return html`<${Table} id=${id} table=${{ title: `${t("chart")}: ${chart.title}`, columns, rows: rows.map((row, n) => columns.map((name, c) => ({ text: String(row[name] ?? ""), citations: n === 0 && c === 0 ? chart.citations : [] }))) }} />`;
}
