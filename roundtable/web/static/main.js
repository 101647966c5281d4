// The page: which view is shown, and what goes wrong.
import { html, render, signal, useEffect } from "./vendor.js";
import { ask, setup } from "./net.js";
import { t } from "./words.js";
import { Home } from "./home.js";
import { Session } from "./session.js";

const route = signal(location.hash);
addEventListener("hashchange", () => {
  route.value = location.hash;
});

const trouble = signal("");
addEventListener("unhandledrejection", (event) => {
  trouble.value = event.reason?.message ?? String(event.reason);
});

function Page() {
  useEffect(() => {
    ask("/api/setup").then((told) => {
      setup.value = told;
    });
  }, []);
  const id = /^#\/session\/([\w-]+)$/.exec(route.value)?.[1];
  return html`
    <a class="skip" href="#content" onClick=${(e) => {
      e.preventDefault();
      document.getElementById("content")?.focus();
    }}>${t("skip")}</a>
    ${id ? html`<${Session} key=${id} id=${id} />` : html`<${Home} />`}
    ${
      trouble.value &&
      html`<div class="trouble" role="alert"><span>${trouble.value}</span>
      <button type="button" class="plain" aria-label=${t("close")} onClick=${() => {
        trouble.value = "";
      }}>✕</button></div>`
    }`;
}

render(html`<${Page} />`, document.getElementById("page"));
