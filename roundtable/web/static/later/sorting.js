// Passages of a node are chosen, and taken to another node or into one of their own.
import { html, useRef, useState } from "../vendor.js";
import { excerpt, Pick } from "../branch.js";
import { Line } from "../row.js";
import { labelOf, usePassage } from "../text.js";
import { t } from "../words.js";

// `onEmpty`: the last passage was taken.
export function Sorting({ s, node, act, onEmpty }) {
  const [chosen, setChosen] = useState(() => new Set());
  const list = useRef(null);
  const picked = node.passages.filter((id) => chosen.has(id));
  const turn = (id) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  // The form goes with what was taken: the keyboard goes to what stood behind that.
  const taken = () => {
    const from = node.passages.indexOf(picked[0]);
    const next = [...node.passages.slice(from), ...node.passages.slice(0, from)].find((id) => !chosen.has(id));
    if (next) list.current.querySelector(`[data-passage="${next}"] input`).focus();
    else onEmpty();
    setChosen(new Set());
  };
  async function put(target) {
    for (const passage of picked) if (!(await act("map_put", { passage, node: target }))) return;
    taken();
  }
  const split = (title) =>
    act("map_split", { node: node.id, parts: [{ title, passages: picked }] }).then((done) => done && taken());
  return html`<ul class="excerpts" ref=${list}>${node.passages.map((id) => html`<${Choice} key=${id} session=${s.id} id=${id} on=${chosen.has(id)} onTurn=${turn} />`)}</ul>
    <p class="faint">${t("sortHint", { n: picked.length })}</p>
    ${
      picked.length > 0 &&
      html`<div class="stack"><${Pick} s=${s} label=${t("putInto")} button=${t("move")} not=${(id) => id === node.id} onPick=${put} />
      <${Line} label=${t("splitOff")} button="move" onSave=${split} /></div>`
    }`;
}

// A passage to be taken elsewhere: what it says stands beside its box.
function Choice({ session, id, on, onTurn }) {
  const told = usePassage(session, id);
  return html`<li data-passage=${id}><label class="choice"><input type="checkbox" checked=${on} onChange=${() => onTurn(id)} /><span><span class="excerpt">${excerpt(told)}</span><span class="faint">${labelOf(id)} ${told?.title}</span></span></label></li>`;
}
