// What is seldom looked at: its script is fetched when it is.
import { html, useEffect, useState } from "./vendor.js";

// Returns a component that stands for the one of that name in the module which `load` fetches. `Meanwhile` keeps its
// place where something stands below it: what is being read does not move when it comes.
export function later(load, name, Meanwhile = () => null) {
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
    return html`<${view ?? Meanwhile} ...${given} />`;
  };
}
