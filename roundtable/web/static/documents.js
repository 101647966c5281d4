// What a new session reads: collections to choose, files and folders that are brought, and paths.
import { html, useEffect, useRef, useState } from "./vendor.js";
import { ask, bring } from "./net.js";
import { bringing, chosenFiles, useDrops } from "./files.js";
import { Line } from "./row.js";
import { later } from "./later.js";
import { t } from "./words.js";

const Kept = ({ list }) =>
  html`<details class="collections"><summary>${t("collections")} (${list.filter((one) => one.files !== null).length})</summary></details>`;
const Collections = later(() => import("./later/collections.js"), "Collections", Kept);

const WORKING = 500,
  RESTING = 10_000; // milliseconds between two looks at the collections

// The collections that there are, looked at more often while one is read.
function useCollections(changed) {
  const [list, setList] = useState(null);
  const [asked, setAsked] = useState(false);
  const timer = useRef(0);
  const look = async () => {
    clearTimeout(timer.current);
    const told = await ask("/api/collections").catch(() => null);
    if (told) setList(told);
    setAsked(true);
    const busy = told?.some((one) => one.work);
    timer.current = setTimeout(() => (document.hidden ? null : look()), busy ? WORKING : RESTING);
  };
  useEffect(() => {
    look();
    return () => clearTimeout(timer.current);
  }, []);
  const names = (list ?? []).map((one) => one.value).join("\n");
  useEffect(() => changed(), [names]);
  return [list, look, asked];
}

// `anywhere`: files that are let fall anywhere on the page are meant for it. `earlier`: there are sessions to search.
export function Documents({ changed, anywhere = false, earlier = true }) {
  const [list, look, asked] = useCollections(changed);
  const [chosen, setChosen] = useState(() => new Set());
  const [sending, setSending] = useState(null);
  const [failure, setFailure] = useState("");
  const [refused, setRefused] = useState([]);
  const box = useRef(null);
  const take = async (given) => {
    if (!given.length) return;
    setFailure("");
    setRefused([]);
    try {
      const { MOST, nameFor, sendEach } = await bringing();
      const files = given.slice(0, MOST);
      if (given.length > MOST) setFailure(`${t("mostAtOnce", { n: MOST })} ${t("folderBelow")}`);
      // What is refused, as an empty file is: a collection is not called by it.
      const whole = files.filter(({ file }) => file?.size);
      const name = nameFor(whole.length ? whole : files, list ?? []);
      const not = await sendEach(files, ({ path, file }, done) => {
        setSending({ name, done, of: files.length });
        return bring(name, path, file);
      });
      setRefused(not);
      if (not.length === files.length) return;
      await ask(`/api/collections/${encodeURIComponent(name)}/refresh`, {});
      setChosen((before) => new Set(before).add(name));
    } catch (trouble) {
      setFailure(trouble.message);
    } finally {
      setSending(null);
      look();
    }
  };
  const readSite = async (address) => {
    try {
      const name = (await bringing()).siteName(address);
      setFailure(name ? "" : t("noAddress"));
      if (!name) return false;
      await ask(`/api/collections/${encodeURIComponent(name)}/site`, { address });
      setChosen((before) => new Set(before).add(name));
    } catch (trouble) {
      setFailure(trouble.message);
      return false;
    } finally {
      look();
    }
  };
  const turn = (name, on) =>
    setChosen((before) => new Set(on ? [...before, name] : [...before].filter((one) => one !== name)));
  const over = useDrops(take, setFailure, anywhere ? null : box);
  return html`<fieldset ref=${box} aria-busy=${!asked} class=${`wide documents ${over ? "over" : ""}`}><legend>${t("docs")}</legend>
    <div class="picks">${(list ?? []).filter((one) => !one.of_file && (earlier || one.name !== "sessions") && (one.files || !one.trouble)).map((one) => html`<${Choice} key=${one.name} one=${one} on=${chosen.has(one.name)} turn=${turn} />`)}</div>
    <${Bring} busy=${Boolean(sending)} take=${take} readSite=${readSite} />
    ${sending && html`<p class="faint" role="status">${t("bringing", { ...sending, done: sending.done + 1 })}</p>`}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${refused.length > 0 && html`<div class="failure" role="alert"><p>${t("notTaken", { n: refused.length })}</p><ul>${refused.map((why, nth) => html`<li key=${nth}>${why}</li>`)}</ul></div>`}
    <label class="inline"><span class="faint">${t("docsHint")}</span><input name="docs" autocomplete="off" spellcheck=${false} /></label>
    <p><label class="pick"><input type="checkbox" name="offline" /><span>${t("offline")}</span></label></p>
    ${list?.length > 1 && html`<${Collections} list=${list} look=${look} />`}
  </fieldset>`;
}

function Choice({ one, on, turn }) {
  const title = [one.description, ...(one.paths ?? [])].join("\n");
  const held = one.work ? t("beingRead") : one.files == null ? "" : t("documents", { n: one.files });
  return html`<label class="pick" title=${title}><input type="checkbox" name="collection" value=${one.value} checked=${on} onChange=${(e) => turn(one.name, e.target.checked)} />
    <span>${one.name === "sessions" ? t("earlierSessions") : one.label}${held && html` <span class="faint">${held}</span>`}</span></label>`;
}

function Bring({ busy, take, readSite }) {
  const [asked, setAsked] = useState(false);
  const files = useRef(null),
    folder = useRef(null);
  useEffect(() => {
    folder.current.webkitdirectory = true; // Preact knows no such property
  }, []);
  const picked = (event) => {
    const given = chosenFiles(event.target.files);
    event.target.value = "";
    take(given);
  };
  const field = (ref, name) =>
    html`<input type="file" multiple ref=${ref} class="visually-hidden" tabindex="-1" aria-hidden="true" data-brings=${name} onChange=${picked} />`;
  return html`<p class="bring">${field(files, "files")}${field(folder, "folder")}
    <button type="button" disabled=${busy} onClick=${() => files.current.click()}>${t("addFiles")}</button>
    <button type="button" disabled=${busy} onClick=${() => folder.current.click()}>${t("addFolder")}</button>
    <span class="faint">${t("dragHere")}</span>
    <button type="button" aria-expanded=${asked} onClick=${() => setAsked(!asked)}>${t("addSite")}</button></p>
    ${asked && html`<${Line} label=${t("siteAddress")} hint="https://example.org/docs/" button="siteRead" most=${2000} onSave=${async (address) => (await readSite(address)) !== false && setAsked(false)} onClose=${() => setAsked(false)} />`}`;
}
