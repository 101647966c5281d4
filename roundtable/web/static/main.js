// The page: which view is shown.
import { html, render, signal, useEffect } from "./vendor.js";
import { ask, setup } from "./net.js";
import { later } from "./later.js";
import { Notices } from "./notices.js";
import { t } from "./words.js";
import { Home } from "./home.js";
import { Session } from "./session.js";

const route = signal(location.hash);
addEventListener("hashchange", () => {
  route.value = location.hash;
  // Who reads by ear is taken to what is new.
  setTimeout(() => document.getElementById("content")?.focus({ preventScroll: true }));
});

const TEXTS = {
  audit: later(() => import("./texts/audits.js"), "Audits"),
  comparison: later(() => import("./texts/comparisons.js"), "Comparisons"),
};

function Page() {
  useEffect(() => {
    ask("/api/setup").then((told) => {
      setup.value = told;
    });
  }, []);
  const text = /^#\/(audit|comparison)(?:\/(\w+))?$/.exec(route.value);
  const id = /^#\/session\/([\w-]+)$/.exec(route.value)?.[1];
  return html`
    <a class="skip" href="#content" onClick=${(e) => {
      e.preventDefault();
      document.getElementById("content")?.focus();
    }}>${t("skip")}</a>
    ${
      id &&
      html`<a class="skip" href="#panel" onClick=${(e) => {
        e.preventDefault();
        document.querySelector(".tabs [aria-selected=true]")?.focus();
      }}>${t("skipToViews")}</a>`
    }
    <${Notices} />
    ${text ? html`<${TEXTS[text[1]]} id=${text[2]} />` : id ? html`<${Session} key=${id} id=${id} />` : html`<${Home} />`}`;
}

render(html`<${Page} />`, document.getElementById("page"));
