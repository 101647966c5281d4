// The menu of what can be taken away; what stands in it is fetched apart.
import { html } from "./vendor.js";
import { setup } from "./net.js";
import { later } from "./later.js";
import { Menu } from "./menu.js";
import { t } from "./words.js";

const Exports = later(() => import("./later/exports.js"), "Exports");

// The report's forms are there once it is: without `report` the list would stay as it was first drawn.
export function Downloads({ s, report }) {
  if (!setup.value?.downloads) return null;
  return html`<${Menu} title=${t("downloads")}><${Exports} s=${s} report=${report} /><//>`;
}
