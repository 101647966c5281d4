// Texts of anybody, audited: one is brought, what was found of it stands beside its claims and references.
import { html, useEffect, useRef, useState } from "../vendor.js";
import { Bar } from "../bar.js";
import { ask, send, setup } from "../net.js";
import { Documents } from "../documents.js";
import { Outgoing, useOutgoing } from "../new.js";
import { useRow } from "../row.js";
import { count, day, language, said, t } from "../words.js";

const WORKING = 700, // milliseconds between two looks at what is under way
  AGAIN = 3000; // after a look that failed

export const Frame = ({ here, title, children }) => {
  useEffect(() => {
    document.title = `${title} · Roundtable`;
    if (document.querySelector("link[href$='texts.css']")) return;
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/texts/texts.css" });
    document.head.append(sheet);
  }, [title]);
  return html`<div class="home texts"><${Bar} here=${here} /><main id="content" tabindex="-1"><h1>${title}</h1>${children}</main></div>`;
};

// What is looked at again and again until it is done.
export function useLook(path, done) {
  const [told, setTold] = useState(null);
  const [failure, setFailure] = useState("");
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let timer = 0,
      over = false;
    const look = () =>
      ask(path).then(
        (now) => {
          if (over) return;
          setTold(now);
          setFailure("");
          if (!done(now)) timer = setTimeout(look, WORKING);
        },
        (trouble) => {
          if (over) return;
          setFailure(trouble.message);
          timer = setTimeout(look, AGAIN);
        },
      );
    look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [path, turn]);
  return [told, failure, () => setTurn(turn + 1)];
}

export const Audits = ({ id }) => (id ? html`<${AuditView} key=${id} id=${id} />` : html`<${AuditList} />`);

function AuditList() {
  const [rows, failure, look] = useLook("/api/audits", (told) => told.every((row) => !row.work));
  return html`<${Frame} here="auditText" title=${t("auditText")}>
    <p class="faint">${t("auditHint")}</p>
    <section class="card"><${Bring} began=${look} /></section>
    <section><h2>${t("audits")}</h2><ul class="rows">${(rows ?? []).map((row) => html`<${Row} key=${row.id} row=${row} changed=${look} />`)}</ul>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      ${rows?.length === 0 && html`<p class="empty">${t("noAudits")}</p>`}</section><//>`;
}

const docsOf = (given) => [
  ...given.getAll("collection"),
  ...given
    .get("docs")
    .split(/[,，;；\n]/)
    .map((path) => path.trim())
    .filter(Boolean),
];

// What a form asks for, as the server takes it: documents, offline, web, and more.
export const asked = (given, more) =>
  new URLSearchParams([
    ...more,
    ...docsOf(given).map((path) => ["docs", path]),
    ...["offline", "web"].filter((name) => given.get(name) === "on").map((name) => [name, "1"]),
  ]);

// What would leave this machine with a form; without documents it is looked up at `places`. Pages that the form
// names are fetched, and passages of them go where those of any documents do.
export function useLeaves(places, fields = false) {
  const form = useRef(null);
  const [leaves, look] = useOutgoing((box) => {
    const given = new FormData(box),
      named = docsOf(given),
      docs = !named.length && given.get("page") ? ["python"] : named,
      offline = given.get("offline") === "on";
    const search = [...(docs.length ? [] : places), ...(given.get("web") ? ["web"] : [])];
    return { docs, offline, search: offline ? [] : [...new Set(search)] };
  });
  const changed = () => form.current && look(form.current);
  useEffect(changed, [setup.value, fields]);
  return [form, leaves, changed];
}

function Bring({ began }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const [offline, setOffline] = useState(false);
  const [form, leaves, changed] = useLeaves(["crossref", "openalex"]);
  const heard = () => {
    setOffline(form.current.elements.offline.checked);
    changed();
  };
  const begin = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target),
      file = given.get("file");
    setBusy(true);
    setFailure("");
    try {
      const { id } = await send(`/api/audits?${asked(given, [["name", file.name]])}`, file);
      location.hash = `#/audit/${id}`;
    } catch (trouble) {
      setFailure(trouble.message);
      began();
    }
    setBusy(false);
  };
  return html`<form class="new" ref=${form} onSubmit=${begin} onInput=${heard}>
    <label class="wide">${t("auditFile")}<input type="file" name="file" required /></label>
    <${Documents} changed=${changed} />
    <label class="pick"><input type="checkbox" name="web" disabled=${offline} /><span>${t("auditWeb")}</span></label>
    <${Outgoing} leaves=${leaves} told="outgoingText" />
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <div class="new-begin"><button class="main" disabled=${busy}>${t(busy ? "loading" : "auditBegin")}</button></div></form>`;
}

function Row({ row, changed }) {
  const { failure, button, sure } = useRow(`/api/audits/${row.id}`, row.name, changed);
  return html`<li class="row"><a href=${`#/audit/${row.id}`}><span class="row-topic">${row.name}</span>
      <span class="row-facts">${row.work ? html`<span class="state running">${t("running")}</span>` : row.trouble ? html`<span class="state">${t("auditFailed")}</span>` : html`<span class="state">${row.to_read ? t("auditFaults", { n: row.to_read }) : t("auditSound")}</span> ${day(row.at)}`}</span></a>
    <span class="row-acts">${button("remove")}</span>${sure(t("auditDelete"))}
    ${(failure || row.trouble) && html`<p class="failure" role="alert">${failure || said(row.trouble)}</p>`}</li>`;
}

function AuditView({ id }) {
  const [told, failure] = useLook(`/api/audits/${id}?language=${language.value}`, (now) => !now.work);
  if (!told || told.work || told.trouble)
    return html`<${Frame} here="auditText" title=${told?.name ?? t("loading")}><${Waiting} told=${told} failure=${failure} /><//>`;
  const claims = new Map(told.claims.map((claim) => [claim.n, claim]));
  const faulty = [...told.references.filter((one) => one.faulty), ...told.to_read.map((n) => claims.get(n))];
  return html`<${Frame} here="auditText" title=${told.name}>
    <section class="card audit-told">${told.summary.map((line) => html`<p key=${line}>${line}</p>`)}
      <${Files} path=${`/api/audits/${id}`} names=${told.files} /></section>
    <section><h2>${t("auditLook")} (${count(told.counts.to_read)})</h2>${told.counts.to_read ? html`<ul class="audit-list">${told.unlisted && html`<li dir="auto">${told.unlisted}</li>`}${faulty.map((one) => (one.n ? html`<${Claim} key=${one.n} claim=${one} against=${told.against} />` : html`<${Reference} key=${`r${one.key}`} one=${one} />`))}</ul>` : html`<p class="faint">${t("auditSound")}</p>`}</section>
    <section><h2>${t("auditCopy")}</h2><div class="audit-text">${told.blocks.map((block, at) => html`<${Block} key=${at} block=${block} claims=${claims} against=${told.against} />`)}</div></section>
    ${told.references.length > 0 && html`<section><h2>${t("auditReferences")}</h2><ul class="audit-list">${told.references.map((one) => html`<${Reference} key=${one.key} one=${one} />`)}</ul></section>`}
    ${told.notices.length > 0 && html`<section><h2>${t("auditNotices")}</h2><ul>${told.notices.map((line) => html`<li key=${line}>${said(line)}</li>`)}</ul></section>`}<//>`;
}

// What can be taken away: first what people read.
const KINDS = { html: "", md: "Markdown", xlsx: "Excel", csv: "CSV", json: "JSON" };
const kindOf = (name) => name.split(".").at(-1);
const place = (name) => Object.keys(KINDS).indexOf(kindOf(name));

export const Files = ({ path, names }) =>
  html`<p class="chips audit-files"><span class="faint">${t("downloads")}</span>${[...names].sort((a, b) => place(a) - place(b)).map((name) => html`<a key=${name} class="chip" download href=${`${path}/${name}`}>${KINDS[kindOf(name)] || t("webPage")}</a>`)}</p>`;

export function Waiting({ told, failure }) {
  if (failure || told?.trouble) return html`<p class="failure" role="alert">${failure || said(told.trouble)}</p>`;
  if (!told) return html`<p class="faint">${t("loading")}</p>`;
  const { stage, done, of } = told.work;
  return html`<p class="progress" role="status"><progress max=${of || 1} value=${of ? done : undefined} aria-label=${told.name}></progress> <span>${t(`audit_${stage}`)}${of ? ` ${count(done)}/${count(of)}` : ""}</span></p>`;
}

const Block = ({ block, claims, against }) => {
  const [open, setOpen] = useState(0);
  const pieces = block.pieces.map(([text, n], at) => {
    const claim = claims.get(n);
    if (!claim) return text;
    const turn = () => setOpen(open === n ? 0 : n);
    const keys = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      turn();
    };
    // A button's words do not flow with the lines of a text.
    return html`<span key=${at} role="button" tabindex="0" class=${`audit-claim ${claim.verdict} ${claim.faulty ? "faulty" : ""}`} aria-expanded=${open === n} title=${claim.said} onClick=${turn} onKeyDown=${keys}>${text.trim()}</span>${" "}`;
  });
  const shown = open > 0 && html`<ul class="audit-list"><${Claim} claim=${claims.get(open)} against=${against} /></ul>`;
  if (block.form === "heading") return html`<h3 dir="auto">${pieces}</h3>`;
  if (block.form === "code") return html`<pre>${block.pieces.map(([text]) => text).join("")}</pre>`;
  return html`<p class=${block.form} dir="auto">${block.number && `${block.number} `}${pieces}</p>${shown}`;
};

const tone = (one) => (one.faulty ? "bad" : ["found", "supported"].includes(one.verdict) ? "good" : "doubt");

const Claim = ({ claim, against }) => html`<li dir="auto"><b>${claim.n}.</b> ${claim.text} <em class=${tone(claim)}>${claim.said}${claim.judged}</em>
  ${claim.reason && html`<p class="faint">${claim.reason}</p>`}<${Quoted} passage=${claim.passage} lead=${claim.lead} />
  ${claim.against && html`<p class="faint">${against}</p><${Quoted} passage=${claim.against} />`}</li>`;

const Reference = ({ one }) => html`<li dir="auto"><b>[${one.key.startsWith("http") ? "↗" : one.key}]</b> ${one.text} <em class=${tone(one)}>${one.said}</em>
  ${one.reasons.map((reason) => html`<p key=${reason} class="faint">${reason}</p>`)}
  ${one.work && html`<p class="faint">${[one.work.title, one.work.authors.slice(0, 3).join(t("listed")), one.work.years.join("/"), one.work.told_by].filter(Boolean).join(" · ")}</p>`}</li>`;

export const Quoted = ({ passage, lead }) =>
  passage && html`<blockquote>${lead}${passage.quote || passage.text}<footer>${/^https?:/.test(passage.url) ? html`<a href=${passage.url} rel="noreferrer noopener" target="_blank">${passage.title}</a>` : passage.title}${passage.heading && passage.heading !== passage.title && `, ${passage.heading}`}</footer></blockquote>`;
