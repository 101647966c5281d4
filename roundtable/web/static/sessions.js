// The sessions that there are: searched, sorted, renamed and deleted; what holds no discussion is folded away.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { ask } from "./net.js";
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
  const empty = (row) => row.turns === 0 && row.state !== "running" && !row.here;
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
  const [doing, setDoing] = useState("");
  const [failure, setFailure] = useState("");
  const act = (path, body) =>
    ask(`/api/sessions/${row.id}/${path}`, body).then(
      () => {
        setDoing("");
        setFailure("");
        changed();
      },
      (trouble) => setFailure(trouble.message),
    );
  return html`<li class="row"><a href=${`#/session/${row.id}`}>
      <span class="row-topic">${row.topic}</span>
      <span class="row-facts"><span class=${`state ${row.state}`}>${t(row.state)}</span>${" "}${t("turns", { n: row.turns })} · ${day(row.started)}</span></a>
    <span class="row-acts"><button type="button" class="small" aria-label=${`${t("rename")}: ${row.topic}`} onClick=${() => setDoing(doing === "rename" ? "" : "rename")}>${t("rename")}</button>
      ${!row.here && html`<button type="button" class="small" aria-label=${`${t("remove")}: ${row.topic}`} onClick=${() => setDoing(doing === "delete" ? "" : "delete")}>${t("remove")}</button>`}</span>
    ${doing === "rename" && html`<${Rename} name=${row.topic} onSave=${(name) => act("name", { name })} onClose=${() => setDoing("")} />`}
    ${doing === "delete" && html`<p class="row-ask" role="alertdialog" aria-label=${t("deleteAsk")}><span>${t("deleteAsk")}</span> <button type="button" class="small danger" onClick=${() => act("delete", {})}>${t("remove")}</button> <button type="button" class="small" onClick=${() => setDoing("")}>${t("keep")}</button></p>`}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}</li>`;
}

function Rename({ name, onSave, onClose }) {
  const field = useRef(null);
  useEffect(() => field.current.select(), []);
  const save = (event) => {
    event.preventDefault();
    const given = field.current.value.trim();
    if (given && given !== name) onSave(given);
    else onClose();
  };
  return html`<form class="line" onSubmit=${save} onKeyDown=${(e) => e.key === "Escape" && onClose()}><label>${t("newName")}<input ref=${field} defaultValue=${name} maxlength="400" /></label><button>${t("save")}</button></form>`;
}
