// What stands above all that is not a session: where one is, and the ways to the rest.
import { html } from "./vendor.js";
import { ask, setup } from "./net.js";
import { Language, t } from "./words.js";

const WAYS = { sessions: "#/", auditText: "#/audit", compareThings: "#/comparison" };

export const Bar = ({ here }) =>
  html`<header class="bar"><a class="brand" href="#/"><img src="/static/icon.svg" alt="" width="28" height="28" />Roundtable</a>
    <nav>${Object.entries(WAYS).map(([name, href]) => html`<a key=${name} href=${href} aria-current=${name === here ? "page" : undefined}>${t(name)}</a>`)}</nav><${Account} /><${Language} /></header>`;

// Who is signed in: nobody where there are no accounts.
function Account() {
  const name = setup.value?.account;
  if (!name) return null;
  const leave = () => ask("/api/sign-out", {}).then(() => location.reload());
  return html`<span class="faint">${name}</span><button type="button" class="plain" onClick=${leave}>${t("signOut")}</button>`;
}
