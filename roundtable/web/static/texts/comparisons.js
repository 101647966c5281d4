// Things compared, and named fields of documents: what is asked for, and the table, each cell with the words that
// it rests on.
import { html, useEffect, useRef, useState } from "../vendor.js";
import { send } from "../net.js";
import { Documents } from "../documents.js";
import { Outgoing } from "../new.js";
import { useRow } from "../row.js";
import { day, said, t } from "../words.js";
import { Files, Frame, Quoted, Waiting, asked, useLeaves, useLook } from "./audits.js";

export const Comparisons = ({ id }) =>
  id ? html`<${Table} key=${id} id=${id} />` : html`<${List} />`;

function List() {
  const [rows, failure, look] = useLook("/api/comparisons", (told) => told.every((row) => !row.work));
  return html`<${Frame} here="compareThings" title=${t("compareThings")}>
    <p class="faint">${t("compareHint")}</p>
    <section class="card"><${Order} began=${look} /></section>
    <section><h2>${t("comparisons")}</h2><ul class="rows">${(rows ?? []).map((row) => html`<${Row} key=${row.id} row=${row} changed=${look} />`)}</ul>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      ${rows?.length === 0 && html`<p class="empty">${t("noComparisons")}</p>`}</section><//>`;
}

function Order({ began }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const [offline, setOffline] = useState(false);
  const [fields, setFields] = useState(false); // of documents, instead of things
  const [form, leaves, changed] = useLeaves(fields ? [] : ["web"], fields);
  const heard = () => {
    setOffline(form.current.elements.offline.checked);
    setFields(form.current.elements.rows.value === "fields");
    changed();
  };
  const begin = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const names = fields ? ["fields", "page"] : ["of", "by"];
    const order = asked(
      given,
      names.map((name) => [name, given.get(name)]),
    );
    setBusy(true);
    setFailure("");
    try {
      const { id } = await send(`/api/comparisons?${order}`, "");
      location.hash = `#/comparison/${id}`;
    } catch (trouble) {
      setFailure(trouble.message);
      began();
    }
    setBusy(false);
  };
  return html`<form class="new" ref=${form} onSubmit=${begin} onInput=${heard}>
    <fieldset class="wide rows-of"><legend>${t("compareRows")}</legend><div class="picks">${["of", "fields"].map((name) => html`<label key=${name} class="pick"><input type="radio" name="rows" value=${name} defaultChecked=${name === "of"} /><span>${t(`compareRows_${name}`)}</span></label>`)}</div></fieldset>
    ${fields ? html`<${Wanted} key="fields" name="fields" /><${Wanted} key="page" name="page" optional />` : html`<${Wanted} key="of" name="of" /><${Wanted} key="by" name="by" />`}
    <${Documents} changed=${changed} />
    ${!fields && html`<label class="pick"><input type="checkbox" name="web" disabled=${offline} /><span>${t("compareWeb")}</span></label>`}
    <${Outgoing} leaves=${leaves} told="outgoingText" />
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <div class="new-begin"><button class="main" disabled=${busy}>${t(busy ? "loading" : fields ? "extractBegin" : "compareBegin")}</button></div></form>`;
}

const LABELS = { of: "compareOf", by: "compareBy", fields: "extractFields", page: "extractPages" };

const Wanted = ({ name, optional }) =>
  html`<label class="wide">${t(LABELS[name])}<input name=${name} required=${!optional} maxlength="2000" autocomplete="off" /></label>`;

function Row({ row, changed }) {
  const { failure, button, sure } = useRow(`/api/comparisons/${row.id}`, row.name, changed);
  const state = row.work ? t("running") : row.trouble ? t("auditFailed") : t("compareFound", { n: row.found, cells: row.cells });
  return html`<li class="row"><a href=${`#/comparison/${row.id}`}><span class="row-topic">${row.name}</span>
      <span class="row-facts"><span class="state">${state}</span> ${row.at && day(row.at)}</span></a>
    <span class="row-acts">${button("remove")}</span>${sure(t("compareDelete"))}
    ${(failure || row.trouble) && html`<p class="failure" role="alert">${failure || said(row.trouble)}</p>`}</li>`;
}

function Table({ id }) {
  const [told, failure] = useLook(`/api/comparisons/${id}`, (now) => !now.work);
  const [open, setOpen] = useState(null);
  const words = useRef(null);
  useEffect(() => words.current?.scrollIntoView({ block: "nearest" }), [open]);
  if (!told?.rows)
    return html`<${Frame} here="compareThings" title=${told?.name ?? t("loading")}><${Waiting} told=${told} failure=${failure} /><//>`;
  const cell = (one, key) =>
    one.passage
      ? html`<td key=${key} role="cell" data-asked=${told.questions[key]}><button type="button" class="cell" aria-expanded=${open === one} onClick=${() => setOpen(open === one ? null : one)}>${one.text}</button></td>`
      : html`<td key=${key} role="cell" data-asked=${told.questions[key]} class="faint" title=${t("compareEmpty")}>—</td>`;
  return html`<${Frame} here="compareThings" title=${told.name}>
    <div><p class="faint">${t("compareFound", { n: told.found, cells: told.cells })}</p><${Files} path=${`/api/comparisons/${id}`} names=${told.files} /></div>
    <div class="compared" tabindex="0" role="region" aria-label=${told.name}><table role="table"><thead role="rowgroup"><tr role="row"><td role="cell"></td>${told.questions.map((one) => html`<th key=${one} role="columnheader" scope="col">${one}</th>`)}</tr></thead>
      <tbody role="rowgroup">${told.rows.map((row) => html`<tr key=${row.thing} role="row"><th role="rowheader" scope="row">${row.thing}</th>${row.cells.map(cell)}</tr>`)}</tbody></table></div>
    ${open && html`<div role="status" ref=${words}><ul class="audit-list"><li>${open.text} <em class="faint">${open.judged_by === "words" ? "" : open.judged_by}</em><${Quoted} passage=${{ ...open.passage, text: open.quote }} /></li></ul></div>`}
    ${told.notices.map((line) => html`<p key=${line} class="faint">${said(line)}</p>`)}<//>`;
}
