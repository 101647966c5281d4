"use strict";
(() => {
  const tree = document.getElementById("map");
  const items = [...tree.querySelectorAll('[role="treeitem"]')];
  const found = document.getElementById("found");
  const search = document.getElementById("search");
  const SIZES = 5;
  let size = 3;
  let current = items[0];

  const parent = (item) => item.parentElement.closest('[role="treeitem"]');
  const isOpen = (item) => item.getAttribute("aria-expanded") === "true";
  const hasChildren = (item) => item.hasAttribute("aria-expanded");
  const setOpen = (item, open) => { if (hasChildren(item)) item.setAttribute("aria-expanded", String(open)); };
  const held = (item) => [...item.children].find((child) => child.classList.contains("held"));

  function isShown(item) {
    if (item.classList.contains("away")) return false;
    for (let above = parent(item); above; above = parent(above)) if (!isOpen(above)) return false;
    return true;
  }

  function focus(item) {
    current.tabIndex = -1;
    item.tabIndex = 0;
    current = item;
    item.focus();
  }

  function step(from, by) {
    const shown = items.filter(isShown);
    const to = shown[shown.indexOf(from) + by];
    if (to) focus(to);
  }

  function show(item) {
    const body = held(item);
    if (body) body.hidden = !body.hidden;
    else setOpen(item, !isOpen(item));
  }

  let typed = "";
  let typedAt = 0;
  function jump(letter) {
    typed = Date.now() - typedAt > 700 ? letter : typed + letter;
    typedAt = Date.now();
    const shown = items.filter(isShown);
    const start = shown.indexOf(current) + (typed.length === 1 ? 1 : 0);
    const order = [...shown.slice(start), ...shown.slice(0, start)];
    const to = order.find((item) => title(item).startsWith(typed.toLocaleLowerCase()));
    if (to) focus(to);
  }

  const title = (item) => document.getElementById(`${item.id}-title`).textContent.toLocaleLowerCase();

  tree.addEventListener("keydown", (event) => {
    const item = event.target;
    if (item.getAttribute("role") !== "treeitem" || event.ctrlKey || event.altKey || event.metaKey) return;
    const rtl = getComputedStyle(item).direction === "rtl";
    const forward = rtl ? "ArrowLeft" : "ArrowRight";
    const back = rtl ? "ArrowRight" : "ArrowLeft";
    const shown = items.filter(isShown);
    if (event.key === "ArrowDown") step(item, 1);
    else if (event.key === "ArrowUp") step(item, -1);
    else if (event.key === "Home") focus(shown[0]);
    else if (event.key === "End") focus(shown[shown.length - 1]);
    else if (event.key === forward) { if (hasChildren(item) && !isOpen(item)) setOpen(item, true); else if (hasChildren(item)) step(item, 1); }
    else if (event.key === back) { if (hasChildren(item) && isOpen(item)) setOpen(item, false); else if (parent(item)) focus(parent(item)); }
    else if (event.key === "Enter" || event.key === " ") show(item);
    else if (event.key === "*") { for (const sibling of item.parentElement.children) setOpen(sibling, true); }
    else if (event.key.length === 1) jump(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  tree.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    const item = row.parentElement;
    focus(item);
    if (hasChildren(item)) setOpen(item, !isOpen(item));
    else show(item);
  });

  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLocaleLowerCase();
    const hits = new Set();
    for (const item of items) {
      const own = title(item) + " " + (held(item)?.textContent ?? "").toLocaleLowerCase();
      const hit = wanted !== "" && own.includes(wanted);
      item.classList.toggle("hit", hit);
      if (hit) for (let each = item; each; each = parent(each)) hits.add(each);
    }
    for (const item of items) {
      item.classList.toggle("away", wanted !== "" && !hits.has(item));
      if (wanted !== "" && hits.has(item)) setOpen(item, true);
    }
    const count = items.filter((item) => item.classList.contains("hit")).length;
    found.textContent = wanted === "" ? "" : `${count} found`;
    if (!isShown(current)) { current.tabIndex = -1; current = items.find(isShown) ?? items[0]; current.tabIndex = 0; }
  });

  const all = (open) => { for (const item of items) if (item !== items[0]) setOpen(item, open); if (!isShown(current)) { current.tabIndex = -1; current = items[0]; current.tabIndex = 0; } };
  document.getElementById("open").addEventListener("click", () => all(true));
  document.getElementById("close").addEventListener("click", () => all(false));

  function zoom(by) {
    document.body.classList.remove(`size-${size}`);
    size = Math.min(SIZES, Math.max(1, size + by));
    document.body.classList.add(`size-${size}`);
  }
  document.getElementById("larger").addEventListener("click", () => zoom(1));
  document.getElementById("smaller").addEventListener("click", () => zoom(-1));
})();
