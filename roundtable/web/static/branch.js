// One node of the map, opened: its notes, its passages, and what can be done with it.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { can, command } from "./net.js";
import { Cite, Passage, Reading } from "./text.js";
import { short } from "./layout.js";
import { t } from "./words.js";

export function Branch({ s, node, onAsk, onGo, onClose }) {
  const [open, setOpen] = useState(null);
  const [failure, setFailure] = useState("");
  const box = useRef(null);
  useEffect(() => { setOpen(null); setFailure(""); box.current?.scrollTo(0, 0); }, [node.id]);
  const path = [];
  for (let up = node.parent; up; up = s.nodes.get(up)?.parent) path.unshift(s.nodes.get(up));
  const edit = (name, values) => command(s.id, name, { node: node.id, ...values }).then(() => setFailure(""), (trouble) => setFailure(trouble.message));
  const pinned = node.marks.includes("pinned");
  const keys = (event) => { if (event.key === "Escape") { event.stopPropagation(); onClose(); } };
  return html`<aside class="branch" ref=${box} aria-label=${t("details")} onKeyDown=${keys}>
    <header><div>${path.length > 0 && html`<p class="faint trail">${path.map((up) => html`<button type="button" class="link" key=${up.id} title=${up.title} onClick=${() => onGo(up.id)}>${short(up.title)}</button>`)}</p>`}<h2>${node.title}</h2></div>
      <button type="button" class="plain" aria-label=${t("close")} onClick=${onClose}>✕</button></header>
    ${node.marks.length > 0 && html`<p>${node.marks.map((mark) => html`<span key=${mark} class=${`state ${mark}`}>${t(mark)}</span> `)}</p>`}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <div class="acts"><button type="button" class="main" onClick=${() => onAsk(t("askText", { title: node.title }))}>${t("askAbout")}</button>
      ${can("map_pin") && html`<button type="button" onClick=${() => edit("map_pin", { on: !pinned })}>${t(pinned ? "unpin" : "pin")}</button>`}
      ${can("map_delete") && node.parent && html`<button type="button" onClick=${() => edit("map_delete", {}).then(onClose)}>${t("remove")}</button>`}</div>
    ${can("map_rename") && html`<${Line} key=${`r${node.id}${node.title}`} label=${t("rename")} value=${node.title} onSave=${(title) => edit("map_rename", { title, was: node.title })} />`}
    ${can("map_add") && html`<${Line} key=${`a${node.id}`} label=${t("addNode")} value="" onSave=${(title) => command(s.id, "map_add", { title, parent: node.id }).then(() => setFailure(""), (trouble) => setFailure(trouble.message))} />`}
    ${can("map_move") && node.parent && html`<${Move} s=${s} node=${node} onMove=${(parent) => edit("map_move", { parent, was: node.parent })} />`}
    ${node.notes.map((note) => html`<section class="note" key=${note.turn}><h3>${note.question}</h3>${note.answer && html`<${Reading} session=${s.id} text=${note.answer} />`}<p class="faint">${note.speaker}</p></section>`)}
    ${node.passages.length > 0 && html`<h3>${t("passages", { n: node.passages.length })}</h3><p class="chips">${node.passages.map((id) => html`<${Cite} key=${id} id=${id} open=${open === id} onOpen=${setOpen} />`)}</p>`}
    ${open && html`<${Passage} session=${s.id} id=${open} onClose=${() => setOpen(null)} />`}
  </aside>`;
}

function Line({ label, value, onSave }) {
  const field = useRef(null);
  const save = (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    if (!text || text === value) return;
    onSave(text);
    if (!value) field.current.value = "";
  };
  return html`<form class="line" onSubmit=${save}><label>${label}<input ref=${field} defaultValue=${value} maxlength="200" /></label><button>${t("save")}</button></form>`;
}

function Move({ s, node, onMove }) {
  const below = new Set();
  const walk = (id) => { below.add(id); s.nodes.get(id)?.children.forEach(walk); };
  walk(node.id);
  const targets = [...s.nodes.values()].filter((one) => !below.has(one.id) && one.id !== node.parent);
  const field = useRef(null);
  return html`<form class="line" onSubmit=${(e) => { e.preventDefault(); if (field.current.value) onMove(field.current.value); }}>
    <label>${t("moveTo")}<select ref=${field}>${targets.map((one) => html`<option key=${one.id} value=${one.id}>${one.title}</option>`)}</select></label><button disabled=${!targets.length}>${t("move")}</button></form>`;
}
