// What can be taken away: first what people read, then what reference managers and other tools do.
import { html } from "./vendor.js";
import { setup } from "./net.js";
import { Menu } from "./menu.js";
import { t } from "./words.js";

const GROUPS = [
  ["report", ["report/pdf", "report/docx", "report/md", "report/html"]],
  ["map", ["map/png", "map/svg", "map/html", "map/markdown"]],
  ["discussion", ["files/transcript.md", "files/notes.zip"]],
  ["forReferences", ["report/ris", "report/bib", "report/csl"]],
];
const NAMES = {
  pdf: "PDF",
  docx: "Word",
  md: "Markdown",
  markdown: "Markdown",
  png: "PNG",
  svg: "SVG",
  "transcript.md": "Markdown",
  "notes.zip": "Obsidian",
  ris: "RIS",
  bib: "BibTeX",
  csl: "CSL-JSON",
};

export function Downloads({ s }) {
  const { downloads, unavailable } = setup.value ?? {};
  if (!downloads) return null;
  const all = Object.entries(downloads).flatMap(([kind, names]) => names.map((name) => `${kind}/${name}`));
  const first = new Set(GROUPS.flatMap(([, paths]) => paths));
  const here = (path) => s.report || !/^report\/|^files\/report/.test(path);
  const groups = [...GROUPS, ["forTools", all.filter((path) => !first.has(path))]];
  const link = (path) => {
    const name = path.split("/")[1];
    const shown = name === "html" ? t("webPage") : (NAMES[name] ?? name);
    return unavailable.includes(path)
      ? html`<li key=${path}><span class="faint" title=${t("needsExport")}>${shown}</span></li>`
      : html`<li key=${path}><a download href=${`/api/sessions/${s.id}/${path}`}>${shown}</a></li>`;
  };
  return html`<${Menu} title=${t("downloads")}>${groups.map(([title, paths]) => {
    const some = paths.filter(here);
    return some.length > 0 && html`<h2 key=${title}>${t(title)}</h2><ul>${some.map(link)}</ul>`;
  })}<//>`;
}
