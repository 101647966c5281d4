// With whom something is shared, and who is signed in: there is nothing of either where there are no accounts.
import { html, useEffect, useState } from "./vendor.js";
import { ask, setup } from "./net.js";
import { t } from "./words.js";

const ROLES = ["", "reader", "editor"];

export function Account() {
  const name = setup.value?.account;
  if (!name) return null;
  const leave = () => ask("/api/sign-out", {}).then(() => location.reload());
  return html`<span class="faint">${name}</span><button type="button" class="plain" onClick=${leave}>${t("signOut")}</button>`;
}

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
