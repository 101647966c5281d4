// The report, section by section as it is written, with what the checker says of each sentence.
import { Component, html, useState } from "./vendor.js";
import { Cite, Kept, Passage } from "./text.js";
import { language, t } from "./words.js";

const FIRST = language.value;

const SIGNS = { quoted: "“”", supported: "✓", inferred: "∴", partial: "≈", unsupported: "✗", unchecked: "?" };

export class Report extends Component {
  shouldComponentUpdate(next) {
    if ((this.spoken ?? FIRST) !== language.value) {
      this.spoken = language.value;
      return true;
    }
    const now = this.props;
    return next.report !== now.report || next.sections !== now.sections || next.status !== now.status;
  }
  render({ s, report, sections, status, onAsk }) {
    const writing = status === "closed" || (!report && sections.length > 0);
    // While a report is written again, what was there stays readable until the first new section comes.
    const shown = (writing && sections.length) || !report ? sections : report.sections;
    if (!shown.length)
      return html`<div class="empty"><p>${writing ? t("writing") : t("reportEmpty")}</p></div>`;
    const whole = shown === sections ? null : report;
    return html`<article class="scroll report" tabindex="0" aria-label=${t("report")}>
      ${writing && html`<p class="told work" role="status">${t("writing")}<i class="dots" aria-hidden="true"></i></p>`}
      ${whole && html`<h2 class="report-title">${whole.title}</h2>`}
      ${whole?.front.note && html`<p class="note">${whole.front.note}</p>`}
      ${whole && html`<${Checked} summary=${whole.summary} />`}
      ${shown.map((section, place) => html`<${Section} key=${`${place} ${section.heading}`} id=${s.id} section=${section} />`)}
      ${whole?.back.open_questions.length > 0 && html`<h3>${t("openQuestions")}</h3><ul>${whole.back.open_questions.map((q) => html`<li>${q}</li>`)}</ul>`}
      ${whole?.back.made.length > 0 && html`<details><summary>${t("made")}</summary><ul>${whole.back.made.map((line) => html`<li>${line}</li>`)}</ul></details>`}
      ${whole && !writing && html`<p class="ask-on"><button type="button" onClick=${onAsk}>${t("askOn")}</button></p>`}
    </article>`;
  }
}

function Checked({ summary }) {
  return html`<p class="checked"><span>${t("checked", { n: summary.sentences })}:</span>
    ${Object.keys(SIGNS)
      .filter((name) => summary[name] > 0)
      .map(
        (name) =>
          html`<span key=${name} class=${`mark ${name}`}><span aria-hidden="true">${SIGNS[name]}</span> ${summary[name]} ${t(name)}</span>`,
      )}</p>`;
}

class Section extends Kept {
  render({ id, section }) {
    const paragraphs = [];
    for (const sentence of section.sentences) {
      if (!paragraphs.length || sentence.paragraph) paragraphs.push([]);
      paragraphs.at(-1).push(sentence);
    }
    const Heading = `h${Math.min(6, section.level + 2)}`;
    return html`<section class="section"><${Heading}>${section.heading}</${Heading}>
      ${section.opening && html`<p>${section.opening}</p>`}
      ${paragraphs.map((sentences, place) => html`<${isQuotation(sentences) ? Quotation : Paragraph} key=${place} id=${id} sentences=${sentences} />`)}
      ${section.closing && html`<p>${section.closing}</p>`}
      ${section.tables.map((table) => html`<${Table} key=${table.title} id=${id} table=${table} />`)}
      ${section.charts.map((chart) => html`<${Chart} key=${chart.title} id=${id} chart=${chart} />`)}</section>`;
  }
}

// A paragraph that is nothing but the words of one place of one source is shown as it stands there.
function isQuotation(sentences) {
  return sentences.every(
    (one) =>
      one.support === "quoted" &&
      (one.form === "code" || /^“[^“”]*”$/.test(one.text)) &&
      one.under === sentences[0].under &&
      one.citations.join() === sentences[0].citations.join(),
  );
}

const LISTS = { step: "ol", point: "ul" };

function Quotation({ id, sentences }) {
  const [open, setOpen] = useState(null);
  const parts = [];
  for (const one of sentences) {
    const words = one.form === "code" ? one.text : one.text.slice(1, -1);
    if (one.form !== "code" && parts.at(-1)?.form === one.form) parts.at(-1).texts.push(words);
    else parts.push({ form: one.form, texts: [words] });
  }
  const { support, citations, under } = sentences[0];
  return html`<figure class="reading quotation"><blockquote>${parts.map(({ form, texts }, place) => {
    if (form === "code") return html`<pre key=${place}>${texts[0]}</pre>`;
    const List = LISTS[form];
    if (List) return html`<${List} key=${place}>${texts.map((words) => html`<li>${words}</li>`)}</${List}>`;
    return html`<p key=${place}>${texts.join(" ")}</p>`;
  })}</blockquote>
    <figcaption>${under && html`<span>${under}</span>${" "}`}<span class="cites">${citations.map((c) => html`<${Cite} key=${c} id=${c} open=${open === c} onOpen=${(now) => setOpen(now && c)} />`)}<span class=${`mark ${support}`} title=${t(support)}><span aria-hidden="true">${SIGNS[support]}</span><span class="visually-hidden">(${t(support)})</span></span></span></figcaption>
    ${open && html`<${Passage} session=${id} id=${open} onClose=${() => setOpen(null)} />`}</figure>`;
}

function Paragraph({ id, sentences }) {
  const [open, setOpen] = useState(null);
  return html`<div class="reading"><p>${sentences.map(
    (one, place) => html`<span class=${`sentence ${one.support}`} key=${place}>${one.text}${" "}
    <span class="cites">${one.citations.map((c) => html`<${Cite} key=${c} id=${c} open=${open === `${place} ${c}`} onOpen=${(now) => setOpen(now && `${place} ${c}`)} />`)}<span class=${`mark ${one.support}`} title=${one.reason ? `${t(one.support)}: ${one.reason}` : t(one.support)}><span aria-hidden="true">${SIGNS[one.support]}</span><span class="visually-hidden">(${t(one.support)})</span></span></span>${" "}</span>`,
  )}</p>
    ${open && html`<${Passage} session=${id} id=${open.split(" ")[1]} onClose=${() => setOpen(null)} />`}</div>`;
}

function Table({ id, table }) {
  const [open, setOpen] = useState(null);
  return html`<figure><div class="sideways" tabindex="0" role="region" aria-label=${table.title}><table><caption>${table.title}</caption><thead><tr>${table.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${table.rows.map((row, r) => html`<tr key=${r}>${row.map((cell, c) => html`<td key=${c}>${cell.text} ${cell.citations.map((p) => html`<${Cite} key=${p} id=${p} open=${open === p} onOpen=${setOpen} />`)}</td>`)}</tr>`)}</tbody></table></div>
    ${open && html`<${Passage} session=${id} id=${open} onClose=${() => setOpen(null)} />`}</figure>`;
}

// A chart's figures as a table: the drawing is in the downloads.
function Chart({ id, chart }) {
  const rows = (chart.spec?.data?.values ?? []).filter((row) => row && typeof row === "object");
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return html`<${Table} id=${id} table=${{ title: `${t("chart")}: ${chart.title}`, columns, rows: rows.map((row, n) => columns.map((name, c) => ({ text: String(row[name] ?? ""), citations: n === 0 && c === 0 ? chart.citations : [] }))) }} />`;
}
