// The sessions that there are: searched, sorted, renamed and deleted; what holds no discussion or no answer is folded away.
import { html, useState } from "./vendor.js";
import { useRow } from "./row.js";
import { day, t } from "./words.js";

const ORDERS = {
  newest: () => 0, // as they come
  byName: (one, other) => one.topic.localeCompare(other.topic),
  longest: (one, other) => other.turns - one.turns,
};

export function Sessions({ rows, changed }) {
  const [words, setWords] = useState("");
  const [order, setOrder] = useState("newest");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) =>
    wanted.every((word) => `${row.id} ${row.topic}`.toLowerCase().includes(word)),
  );
  const sorted = [...found].sort(ORDERS[order]);
  const empty = (row) =>
    (row.turns === 0 || (row.state === "ended" && row.sentences === 0)) &&
    row.state !== "running" &&
    !row.here;
  const rest = sorted.filter(empty);
  const list = (some) =>
    html`<ul class="rows">${some.map((row) => html`<${Row} key=${row.id} row=${row} changed=${changed} />`)}</ul>`;
  return html`<div class="tools list-tools"><input type="search" aria-label=${t("searchSessions")} placeholder=${t("searchSessions")} value=${words} onInput=${(e) => setWords(e.target.value)} />
      <span class="faint" role="status">${wanted.length > 0 && t("found", { n: found.length })}</span><span class="spring"></span>
      <select aria-label=${t("sortBy")} value=${order} onChange=${(e) => setOrder(e.target.value)}>${Object.keys(ORDERS).map((name) => html`<option key=${name} value=${name}>${t(name)}</option>`)}</select></div>
    ${list(sorted.filter((row) => !empty(row)))}
    ${rest.length > 0 && html`<details class="rest" open=${wanted.length > 0 && rest.length === found.length}><summary>${t("withoutTurns", { n: rest.length })}</summary>${list(rest)}</details>`}`;
}

function Row({ row, changed }) {
  const { act, failure, button, line, sure } = useRow(`/api/sessions/${row.id}`, row.topic, changed);
  return html`<li class="row"><a href=${`#/session/${row.id}`}>
      <span class="row-topic">${row.topic}</span>
      <span class="row-facts"><span class=${`state ${row.state}`}>${t(row.state)}</span>${" "}${t("turns", { n: row.turns })} · ${day(row.started)}</span></a>
    <span class="row-acts">${button("rename")} ${!row.here && button("remove")}</span>
    ${line("rename", t("newName"), row.topic, (name) => act("name", { name }))}
    ${sure(t("deleteAsk"))}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}</li>`;
}
