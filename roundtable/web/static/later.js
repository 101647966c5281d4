// What is seldom looked at: its script is fetched when it is.
import { html, useEffect, useState } from "./vendor.js";

// Returns a component that stands for the one of that name in the module which `load` fetches.
export function later(load, name) {
  return function Later(given) {
    const [view, setView] = useState(null);
    const [failure, setFailure] = useState("");
    useEffect(() => {
      load().then(
        (module) => setView(() => module[name]),
        (trouble) => setFailure(trouble.message),
      );
    }, []);
    if (failure) return html`<p class="failure" role="alert">${failure}</p>`;
    return view && html`<${view} ...${given} />`;
  };
}
