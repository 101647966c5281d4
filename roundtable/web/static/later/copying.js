// What is copied out of a report keeps its sources: the whole as Markdown, or the words that were chosen.
import { html, useEffect, useRef, useState } from "../vendor.js";
import { ask } from "../net.js";
import { labelOf } from "../text.js";
import { t } from "../words.js";

// The sources of each session whose report was shown: copying leaves no time to ask for them.
const known = new Map();

export function CopyReport({ id, report, whole }) {
  const [said, setSaid] = useState("");
  const line = useRef(null);
  useEffect(() => {
    const text = line.current.closest(".report"),
      copy = (event) => copied(id, event);
    text.addEventListener("copy", copy);
    return () => text.removeEventListener("copy", copy);
  }, [id]);
  useEffect(() => {
    ask(`/api/sessions/${id}/sources`).then(
      (sources) => known.set(id, sources),
      (trouble) => setSaid(trouble.message),
    );
  }, [id, report]);
  const copy = async () => {
    try {
      if (!navigator.clipboard) throw new Error(t("noClipboard"));
      const answer = await fetch(`/api/sessions/${id}/files/report.md`, { credentials: "same-origin" });
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      await navigator.clipboard.writeText(await answer.text());
      setSaid(t("copied"));
    } catch (trouble) {
      setSaid(trouble.message);
    }
  };
  return html`<p class="copy" ref=${line} hidden=${!whole}><button type="button" class="small" onClick=${copy}>${t("copyReport")}</button> <span class="faint" role="status">${said}</span></p>`;
}

// Puts the chosen words on the clipboard with citations as [9.2], and the sources they name below.
function copied(id, event) {
  const chosen = getSelection();
  if (!chosen.rangeCount || chosen.isCollapsed) return;
  const held = document.createElement("div");
  held.append(chosen.getRangeAt(0).cloneContents());
  const cited = new Set();
  for (const one of held.querySelectorAll(".cite")) {
    const name = labelOf(one.dataset.passage);
    cited.add(parseInt(name, 10));
    one.replaceWith(`[${name}]`);
  }
  if (!cited.size) return;
  for (const one of held.querySelectorAll(".mark, .passage, .why, .visually-hidden")) one.remove();
  for (const one of held.querySelectorAll("p, li, h2, h3, h4, h5, h6, figcaption, tr")) one.append("\n");
  const sources = known.get(id) ?? [];
  const below = sources
    .filter((one) => cited.has(one.number))
    .map((one) => `[${one.number}] ${one.title}. ${one.shown}`);
  const text = held.textContent
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
  event.clipboardData.setData("text/plain", `${text}\n\n${below.join("\n")}\n`);
  event.preventDefault();
}
