// What was read.
import { html, useEffect, useState } from "./vendor.js";
import { ask, can, command } from "./net.js";
import { Address, Cite, Passage, dated, useOneStop } from "./text.js";
import { t } from "./words.js";

const PAUSE = 600;

export function Sources({ s, passages }) {
  const [list, setList] = useState(null);
  const [words, setWords] = useState("");
  useEffect(() => {
    const timer = setTimeout(
      () => ask(`/api/sessions/${s.id}/sources`).then(setList),
      list === null ? 0 : PAUSE,
    );
    return () => clearTimeout(timer);
  }, [s.id, passages, s.report]);
  if (list === null) return html`<p class="faint pad">${t("loading")}</p>`;
  if (!list.length) return html`<p class="empty">${t("sourcesEmpty")}</p>`;
  const like = words.trim().toLowerCase();
  const found = list.filter((one) =>
    `${one.title} ${one.url} ${one.author ?? ""}`.toLowerCase().includes(like),
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t("sources")}>
    <div class="tools"><input type="search" aria-label=${t("filter")} placeholder=${t("filter")} value=${words} onInput=${(e) => setWords(e.target.value)} />
      <span class="faint" role="status">${like && t("found", { n: found.length })}</span></div>
    <ol class="sources">${found.map((one) => html`<${Source} key=${one.sha256} s=${s} one=${one} gone=${isDropped(s, one.url)} />`)}</ol></div>`;
}

function hostOf(url) {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    return null;
  }
}

const isDropped = (s, url) =>
  [...s.dropped].some((name) => name === url || hostOf(url) === name || hostOf(url)?.endsWith(`.${name}`));

function Source({ s, one, gone }) {
  const [open, setOpen] = useState(null);
  const [failure, setFailure] = useState("");
  const host = hostOf(one.url);
  const drop = (name, values) =>
    command(s.id, name, values).then(
      () => setFailure(""),
      (trouble) => setFailure(trouble.message),
    );
  return html`<li class=${gone ? "gone" : ""}><b><span class="source-number">${s.sources.get(one.sha256)?.number ?? ""}</span> ${one.title || one.url}</b>
    <p class="faint origin">${[one.became && t(one.became), one.trust && t(`trust_${one.trust}`), one.author, dated(one) ?? t("undated")].filter(Boolean).join(" · ")} · <${Address} url=${one.url} shown=${one.shown} /></p>
    <p class="chips" ...${useOneStop()}>${one.passages.map((id) => html`<${Cite} key=${id} id=${id} open=${open === id} onOpen=${setOpen} />`)}
      ${
        can("drop_source") &&
        !gone &&
        html`<button type="button" class="small end" aria-label=${`${t("drop")}: ${one.title || one.url}`} onClick=${() => drop("drop_source", { source: one.url })}>${t("drop")}</button>
        ${host && html`<button type="button" class="small" onClick=${() => drop("drop_host", { host })}>${t("dropHost", { host })}</button>`}`
      }
      ${gone && html`<span class="state stopped end">${t("dropped")}</span>`}</p>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${open && html`<${Passage} session=${s.id} id=${open} onClose=${() => setOpen(null)} />`}</li>`;
}
