// What can be taken away: first what people read, then what reference managers and other tools do.
import { html } from "../vendor.js";
import { setup } from "../net.js";
import { language, t } from "../words.js";

const GROUPS = [
  ["report", ["report/pdf", "report/docx", "report/md", "report/html"]],
  ["map", ["map/png", "map/svg", "map/html", "map/markdown"]],
  ["discussion", ["files/transcript.md", "files/notes.zip"]],
  ["forReferences", ["report/ris", "report/bib", "report/csl"]],
];
// What stands in the list under another name already, with the same words.
const TWICE = new Set(["files/report.md", "files/mindmap.md", "report/json", "map/json"]);
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

export function Exports({ s, report }) {
  const { downloads, unavailable } = setup.value;
  const all = Object.entries(downloads).flatMap(([kind, names]) => names.map((name) => `${kind}/${name}`));
  const first = new Set(GROUPS.flatMap(([, paths]) => paths));
  const here = (path) => report || !/^report\/|^files\/report/.test(path);
  const groups = [...GROUPS, ["forTools", all.filter((path) => !first.has(path) && !TWICE.has(path))]];
  const called = (path) => {
    const [kind, name] = path.split("/");
    const own = name === "html" ? t("webPage") : (NAMES[name] ?? name);
    return kind === "files" || first.has(path) ? own : t("kindOf", { own, kind: t(kind) });
  };
  const link = (path) =>
    html`<li key=${path}>
      <a download href=${`/api/sessions/${s.id}/${path}`}>${called(path)}</a>
    </li>`;
  return groups.map(([title, paths]) => {
    const some = paths.filter(here);
    const had = some.filter((path) => !unavailable.includes(path));
    const lacking = some.filter((path) => unavailable.includes(path)).map(called);
    return (
      some.length > 0 &&
      html`<h2 key=${title}>${t(title)}</h2>
        <ul>
          ${had.map(link)}
        </ul>
        ${lacking.length > 0 && html`<p class="faint lacking">${t("needsExport", { names: lacking.join(language.value === "zh" ? "、" : ", ") })}</p>`}`
    );
  });
}
