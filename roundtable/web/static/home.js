// The first view: a new session, and the list of those that there are.
import { html, useEffect, useState } from "./vendor.js";
import { Bar } from "./bar.js";
import { ask } from "./net.js";
import { NewSession } from "./new.js";
import { Sessions } from "./sessions.js";
import { t } from "./words.js";

const REFRESH = 5000;

export function Home() {
  const [rows, setRows] = useState(null);
  const look = () => document.hidden || ask("/api/sessions").then(setRows, () => {});
  useEffect(() => {
    document.title = "Roundtable";
    look();
    const timer = setInterval(look, REFRESH);
    return () => clearInterval(timer);
  }, []);
  return html`<div class="home">
    <${Bar} here="sessions" />
    <main id="content" tabindex="-1"><h1 class="visually-hidden">Roundtable</h1>
      <section class="card" aria-labelledby="new"><h2 id="new">${t("newSession")}</h2><${NewSession} earlier=${rows?.length > 0} /></section>
      <section aria-labelledby="list"><h2 id="list">${t("sessions")}</h2>
        ${
          rows === null
            ? html`<p class="faint">${t("loading")}</p>`
            : !rows.length
              ? html`<p class="empty">${t("noSessions")}</p>`
              : html`<${Sessions} rows=${rows} changed=${look} />`
        }
      </section>
    </main></div>`;
}
