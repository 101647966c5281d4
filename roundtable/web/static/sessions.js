// The sessions that there are: searched, sorted, renamed and deleted; what holds no discussion or no answer is folded away.
import { html, useState } from "./vendor.js";
import { useRow } from "./row.js";
import { later } from "./later.js";
import { day, named, often, t } from "./words.js";

const Sharing = later(() => import("./later/sharing.js"), "Sharing");
const ORDERS = {
  newest: () => 0, // as they come
  byName: (one, other) => one.topic.localeCompare(other.topic),
  longest: (one, other) => other.turns - one.turns,
};
// Whose sessions are shown; without accounts a row has no role.
const WHOSE = {
  allSessions: () => true,
  mineSessions: (row) => row.role === "owner",
  sharedSessions: (row) => row.role !== "owner",
};

export function Sessions({ rows, changed }) {
  const [words, setWords] = useState("");
  const [order, setOrder] = useState("newest");
  const [whose, setWhose] = useState("allSessions");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(
    (row) =>
      WHOSE[whose](row) &&
      wanted.every((word) => `${row.id} ${row.topic} ${row.asked}`.toLowerCase().includes(word)),
  );
  const sorted = [...found].sort(ORDERS[order]);
  const empty = (row) =>
    ((row.turns === 0 && !row.sentences) || (row.state === "ended" && row.sentences === 0)) &&
    row.state !== "running" &&
    !row.planned &&
    !row.here;
  const rest = sorted.filter(empty);
  const list = (some) =>
    html`<ul class="rows">${some.map((row) => html`<${Row} key=${row.id} row=${row} changed=${changed} />`)}</ul>`;
  return html`<div class="tools list-tools"><input type="search" aria-label=${t("searchSessions")} placeholder=${t("searchSessions")} value=${words} onInput=${(e) => setWords(e.target.value)} />
      <span class="faint" role="status">${wanted.length > 0 && t("found", { n: found.length })}</span><span class="spring"></span>
      ${rows.some((row) => row.role) && html`<select aria-label=${t("whoseSessions")} value=${whose} onChange=${(e) => setWhose(e.target.value)}>${Object.keys(WHOSE).map((name) => html`<option key=${name} value=${name}>${t(name)}</option>`)}</select>`}
      <select aria-label=${t("sortBy")} value=${order} onChange=${(e) => setOrder(e.target.value)}>${Object.keys(ORDERS).map((name) => html`<option key=${name} value=${name}>${t(name)}</option>`)}</select></div>
    ${!found.length && html`<p class="empty">${t("noneFound")}</p>`}
    ${list(sorted.filter((row) => !empty(row)))}
    ${rest.length > 0 && html`<details class="rest" open=${wanted.length > 0 && rest.length === found.length}><summary>${t("withoutTurns", { n: rest.length })}</summary>${list(rest)}</details>`}`;
}

function Row({ row, changed }) {
  const { act, failure, button, line, sure } = useRow(`/api/sessions/${row.id}`, row.topic, changed);
  const mine = !row.role || row.role === "owner";
  const state = row.planned ? "planned" : row.state;
  const [share, setShare] = useState(false);
  return html`<li class="row"><a href=${`#/session/${row.id}`}>
      <span class="row-topic">${named(row.topic)}</span>
      <span class="row-facts"><span class=${`state ${state}`}>${t(state)}</span>${" "}${t("turns", { n: row.turns })} · ${day(row.started)}${row.watched && ` · ${t("watched", { often: often(row.watched) })}`}${!mine && ` · ${t(row.role === "editor" ? "shareEditor" : "shareReader")}`}</span></a>
    <span class="row-acts">${row.role === "owner" && button("share", { now: () => setShare(!share) })} ${row.role !== "reader" && button("rename")} ${mine && !row.here && button("remove")}</span>
    ${share && html`<${Sharing} path=${`/api/sessions/${row.id}/sharing`} />`}
    ${line("rename", t("newName"), row.topic, (name) => act("name", { name }))}
    ${sure(t("deleteAsk"))}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}</li>`;
}
