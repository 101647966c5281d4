// With whom something is shared: there is nothing of it where there are no accounts.
import { html, useEffect, useState } from "../vendor.js";
import { ask } from "../net.js";
import { t } from "../words.js";

const ROLES = ["", "reader", "editor"];

// What the owner sees and changes; each choice is kept at once.
export function Sharing({ path }) {
  const [told, setTold] = useState(null);
  const [failure, setFailure] = useState("");
  const take = (values) =>
    ask(path, values).then(
      (shared) => {
        setTold(shared);
        setFailure("");
      },
      (trouble) => setFailure(trouble.message),
    );
  useEffect(() => {
    take();
  }, []);
  const people = told?.people ?? [];
  return html`<form class="stack share" aria-label=${t("share")} onSubmit=${(e) => e.preventDefault()}>
    ${told === null && !failure && html`<p class="faint">${t("loading")}</p>`}
    ${
      told !== null &&
      html`<${Choice} label=${t("shareTeam")} role=${told.team} names=${{ "": "sharePrivate", reader: "shareReader", editor: "shareEditor" }} onPick=${(team) => take({ team })} />
      ${people.map((one) => html`<${Choice} key=${one.name} label=${one.name} role=${one.role} names=${{ "": "shareNone", reader: "shareReader", editor: "shareEditor" }} onPick=${(role) => take({ person: one.name, role })} />`)}
      ${told.others.length > 0 && html`<label>${t("shareWith")}<select value="" onChange=${(e) => e.target.value && take({ person: e.target.value, role: "reader" })}><option value="">…</option>${told.others.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>`}`
    }
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="faint">${t("shareHint")}</p></form>`;
}

const Choice = ({ label, role, names, onPick }) =>
  html`<label>${label}<select value=${role} onChange=${(e) => onPick(e.target.value)}>${ROLES.map((one) => html`<option key=${one} value=${one}>${t(names[one])}</option>`)}</select></label>`;
