// The collections of documents: what each holds, how far reading it is, described, brought up to date and removed.
import { html, useState } from "../vendor.js";
import { useRow } from "../row.js";
import { Progress } from "../progress.js";
import { said, t } from "../words.js";

export function Collections({ list, look }) {
  const kept = list.filter((one) => one.files !== null);
  const busy = kept.some((one) => one.work || one.trouble || one.skipped?.length);
  const [byHand, setByHand] = useState(null); // else it is open while there is something to see
  const open = byHand ?? busy;
  const turn = (event) => {
    event.preventDefault();
    setByHand(!open);
  };
  return html`<details class="collections" open=${open}><summary onClick=${turn}>${t("collections")} (${kept.length})</summary>
    <ul class="rows">${kept.map((one) => html`<${Collection} key=${one.name} one=${one} look=${look} />`)}</ul></details>`;
}

// What bringing it up to date found.
const told = ({ added, changed, removed }) =>
  added + changed + removed ? t("refreshed", { added, changed, removed }) : t("refreshedSame");

function Collection({ one, look }) {
  const path = `/api/collections/${encodeURIComponent(one.name)}`;
  const { act, failure, button, line, sure } = useRow(path, one.label, look);
  const off = Boolean(one.work),
    held = said(one.description);
  return html`<li class="row collection"><div><b>${one.label}</b> <span class="faint">${one.attached ? t("fedElsewhere") : (one.files || !one.work) && t("documents", { n: one.files })}</span>${one.engine && html` <span class="faint engine" title=${one.engine_place}>${one.engine}</span>`}
      <p class="faint">${held}</p>${one.news && html`<p class="faint" role="status">${told(one.news)}</p>`}</div>
    <span class="row-acts">${button("describe", { off })} ${!one.attached && button("refresh", { off, now: () => act("refresh") })} ${button("remove", { off })}</span>
    ${one.work && html`<${Progress} work=${one.work} name=${one.label} />`}
    ${line("describe", t("description"), held, (description) => act("description", { description }))}
    ${sure(t("removeAsk"))}
    ${(failure || one.trouble) && html`<p class="failure" role="alert">${failure || said(one.trouble)}</p>`}
    ${one.skipped?.length > 0 && html`<details class="skipped"><summary>${t(one.of_site ? "skippedPages" : "skipped", { n: one.skipped.length })}</summary><ul>${one.skipped.map((why) => html`<li key=${why}>${said(why)}</li>`)}</ul></details>`}</li>`;
}
