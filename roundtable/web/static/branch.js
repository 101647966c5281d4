// One node of the map, opened: its notes, its passages, and what can be done with it.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { Line } from "./row.js";
import { can, command, useAct } from "./net.js";
import { Cite, Passage, Reading, usePassage } from "./text.js";
import { pieces } from "./bare.js";
import { later } from "./later.js";
import { holding, short } from "./layout.js";
import { tell } from "./notices.js";
import { t } from "./words.js";

const Sorting = later(() => import("./later/sorting.js"), "Sorting");
const OFFERED = 6,
  SHOWN = 6; // passages, until a person asks for all

export function Branch({ s, node, onAsk, onGo, onClose }) {
  const [open, setOpen] = useState(null);
  const [act, failure, setFailure] = useAct(s.id);
  const box = useRef(null);
  useEffect(() => {
    setOpen(null);
    setFailure("");
    box.current?.scrollTo(0, 0);
  }, [node.id]);
  const path = [];
  for (let up = node.parent; up; up = s.nodes.get(up)?.parent) path.unshift(s.nodes.get(up));
  const edit = (name, values) => act(name, { node: node.id, ...values });
  const keys = (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    }
  };
  // The line is made anew with the new title, the passages go with the last of them: the keyboard goes to the title.
  const named = (done) => {
    if (done) box.current?.querySelector("h2").focus();
    return done;
  };
  const below = useBelow(s, node);
  const held = holding(s.nodes);
  return html`<aside class="branch" ref=${box} aria-label=${t("details")} onKeyDown=${keys}>
    <header><div>${path.length > 0 && html`<p class="faint trail">${path.map((up) => html`<button type="button" class="link" key=${up.id} title=${up.title} onClick=${() => onGo(up.id)}>${up.title}</button>`)}</p>`}<h2 tabindex="-1">${node.title}</h2></div>
      <button type="button" class="plain" aria-label=${t("close")} onClick=${() => onClose()}>✕</button></header>
    ${node.marks.length > 0 && html`<p>${node.marks.map((mark) => html`<span key=${mark} class=${`state ${mark}`}>${t(mark)}</span> `)}</p>`}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${node.notes.map((note) => html`<section class="note" key=${note.turn}><h3>${note.question}</h3>${note.answer && html`<${Reading} session=${s.id} lang=${s.language} text=${note.answer} />`}<p class="faint">${note.speaker}</p></section>`)}
    ${node.passages.length > 0 && html`<${Passages} key=${node.id} s=${s} node=${node} act=${act} open=${open} setOpen=${setOpen} onEmpty=${() => named(true)} />`}
    ${
      node.children.length > 0 &&
      html`<section class="held"><h3>${t("below")}</h3><ul class="below">${node.children
        .map((id) => s.nodes.get(id))
        .filter(Boolean)
        .map(
          (one) =>
            html`<li key=${one.id}><button type="button" class="link" onClick=${() => onGo(one.id)}>${one.title}</button> <span class="faint">${held(one.id) > 0 && t("passages", { n: held(one.id) })}</span></li>`,
        )}</ul></section>`
    }
    <${Acts} s=${s} node=${node} edit=${edit} onAsk=${onAsk} onClose=${onClose} />
    ${
      can("map_rename") &&
      html`<details class="arrange" open=${!node.notes.length && !node.passages.length && !node.children.length}><summary>${t("arrange")}</summary><div class="stack">
      <${Line} key=${`r${node.id}${node.title}`} most="200" label=${t("rename")} value=${node.title} onSave=${(title) => edit("map_rename", { title, was: node.title }).then(named)} />
      ${can("map_add") && html`<${Line} key=${`a${node.id}`} most="200" label=${t("addNode")} button="addIt" onSave=${(title) => act("map_add", { title, parent: node.id })} />`}
      ${can("map_move") && node.parent && html`<${Pick} key=${`m${node.id}`} s=${s} label=${t("moveTo")} button=${t("move")} not=${(id) => below.has(id) || id === node.parent} onPick=${(parent) => edit("map_move", { parent, was: node.parent })} />`}
      ${can("map_merge") && node.parent && html`<${Pick} key=${`g${node.id}`} s=${s} label=${t("mergeInto")} button=${t("merge")} not=${(id) => below.has(id)} onPick=${(into) => edit("map_merge", { into }).then((done) => done && onGo(into))} />`}</div></details>`
    }
  </aside>`;
}

// What an edit of the map did, in words; "" where an earlier version did it.
export const deed = ({ did, title }) => (did ? t(`did_${did}`, { title: short(title) }) : "");

export async function undo(s) {
  const what = deed(s.edits.at(-1) ?? {});
  await command(s.id, "map_undo");
  if (what) tell(t("undone", { what }));
}

function Acts({ s, node, edit, onAsk, onClose }) {
  const pinned = node.marks.includes("pinned");
  const away = async () => {
    if (!(await edit("map_delete", {}))) return;
    onClose(node.parent); // what had the keyboard is gone
    const run = () => undo(s);
    tell(t("deletedNode", { title: short(node.title) }), { action: { label: t("undo"), run } });
  };
  return html`<div class="acts">${can("say") && html`<button type="button" class="main" onClick=${() => onAsk(t("askText", { title: node.title }))}>${t("askAbout")}</button>`}
    ${can("map_pin") && html`<button type="button" onClick=${() => edit("map_pin", { on: !pinned })}>${t(pinned ? "unpin" : "pin")}</button>`}
    ${can("map_delete") && node.parent && html`<button type="button" onClick=${away}>${t("remove")}</button>`}</div>`;
}

function useBelow(s, node) {
  const below = new Set();
  const walk = (id) => {
    below.add(id);
    s.nodes.get(id)?.children.forEach(walk);
  };
  walk(node.id);
  return below;
}

// The passages that stand in a node; some of them can be taken to another, or into one of their own.
function Passages({ s, node, act, open, setOpen, onEmpty }) {
  const [sorting, setSorting] = useState(false);
  const [all, setAll] = useState(false);
  return html`<section class="held"><header class="held-head"><h3>${t("passages", { n: node.passages.length })}</h3>
      ${can("map_put") && html`<button type="button" class="small" aria-pressed=${sorting ? "true" : "false"} onClick=${() => setSorting(!sorting)}>${t("sort")}</button>`}</header>
    ${sorting && html`<${Sorting} s=${s} node=${node} act=${act} onEmpty=${onEmpty} />`}
    ${!sorting && html`<ul class="excerpts">${node.passages.slice(0, all ? undefined : SHOWN).map((id) => html`<${Excerpt} key=${id} session=${s.id} id=${id} open=${open === id} onOpen=${setOpen} />`)}</ul>`}
    ${!sorting && !all && node.passages.length > SHOWN && html`<p><button type="button" class="link" onClick=${() => setAll(true)}>${t("andMore", { n: node.passages.length - SHOWN })}</button></p>`}</section>`;
}

export const excerpt = (told) =>
  told?.text
    ? pieces(told.text).map(({ head, text }) => (head ? html`<b>${text}</b> ` : `${text} `))
    : (told?.failure ?? t("loading"));

// A passage as a sentence or two of its own, with its source; opened, it stands in its place there.
function Excerpt({ session, id, open, onOpen }) {
  const told = usePassage(session, id);
  return html`<li>${!open && html`<p class="excerpt">${excerpt(told)}</p>`}
    <p class="faint"><${Cite} id=${id} open=${open} onOpen=${onOpen} /> ${told?.title}</p>
    ${open && html`<${Passage} session=${session} id=${id} onClose=${() => onOpen(null)} />`}</li>`;
}

// Chooses a node by its title: a large map has more of them than a list can show.
export function Pick({ s, label, button, not, onPick }) {
  const [words, setWords] = useState("");
  const like = words.trim().toLowerCase();
  const fitting = like
    ? [...s.nodes.values()].filter((one) => !not(one.id) && one.title.toLowerCase().includes(like))
    : [];
  fitting.sort((one, other) => one.title.length - other.title.length);
  const field = useRef(null);
  const pick = (id) => {
    setWords("");
    field.current.focus();
    onPick(id);
  };
  return html`<form class="pick-node" onSubmit=${(e) => {
    e.preventDefault();
    if (fitting.length) pick(fitting[0].id);
  }}>
    <div class="line"><label>${label}<input ref=${field} value=${words} autocomplete="off" placeholder=${t("titleOf")} onInput=${(e) => setWords(e.target.value)} /></label><button disabled=${!fitting.length} title=${label}>${button}</button></div>
    ${
      like &&
      html`<ul class="offers">${fitting.slice(0, OFFERED).map((one) => html`<li key=${one.id}><button type="button" class="link" onClick=${() => pick(one.id)}>${short(one.title, 60)}</button></li>`)}
      ${!fitting.length && html`<li class="faint">${t("found", { n: 0 })}</li>`}</ul>`
    }</form>`;
}
