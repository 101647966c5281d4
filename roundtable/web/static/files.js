// Files and folders that a person drags in or chooses, with their places in the folder that they came from.
import { useEffect, useRef, useState } from "./vendor.js";
import { t } from "./words.js";

const MOST = 2000; // files at once

const entered = (entry) => new Promise((done, failed) => entry.file(done, failed));

// A folder's reader gives its entries a hundred at a time, and none when there are no more.
async function entries(folder) {
  const reader = folder.createReader(),
    found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found;
    found.push(...some);
  }
}

async function walk(entry, found) {
  if (found.length >= MOST || entry.name.startsWith(".")) return;
  if (entry.isFile) found.push({ path: entry.fullPath.replace(/^\//, ""), file: await entered(entry) });
  else for (const one of await entries(entry)) await walk(one, found);
}

// Everything that was let fall: [{path, file}].
async function dropped(transfer) {
  const tops = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!tops.length) return chosenFiles(transfer.files); // not every program hands entries over
  const found = [];
  for (const entry of tops) await walk(entry, found);
  return found;
}

const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");

// A browser opens what is let fall beside what takes it, in the page's place.
for (const kind of ["dragover", "drop"])
  addEventListener(kind, (event) => holdsFiles(event) && event.preventDefault());

// Takes files and folders that are let fall anywhere on the page, or on `box` alone; says whether some are above it.
export function useDrops(take, failed, box = null) {
  const [over, setOver] = useState(false);
  const now = useRef(null);
  now.current = { take, failed };
  useEffect(() => {
    const ground = box?.current ?? globalThis;
    const hear = (event) => {
      if (!holdsFiles(event)) return;
      setOver(event.type === "dragover");
      if (event.type !== "drop") return;
      dropped(event.dataTransfer).then(now.current.take, (trouble) => now.current.failed(trouble.message));
    };
    const kinds = ["dragover", "dragleave", "drop"];
    for (const kind of kinds) ground.addEventListener(kind, hear);
    return () => {
      for (const kind of kinds) ground.removeEventListener(kind, hear);
    };
  }, []);
  return over;
}

export const chosenFiles = (list) =>
  [...list]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !/(^|\/)\./.test(path))
    .slice(0, MOST);

// Sends files one after the other; returns what was said of those that are refused, which keep no other out.
export async function sendEach(files, send) {
  const refused = [];
  for (const [done, one] of files.entries())
    try {
      await send(one, done);
    } catch (trouble) {
      if (![413, 422].includes(trouble.status)) throw trouble;
      refused.push(trouble.message);
    }
  return refused;
}

// What the collection of such files is called: as the folder, or as the first file, with how many come with it;
// never as one that there is.
export function nameFor(files, known) {
  const [top, ...rest] = files[0].path.split("/");
  const first = rest.length ? top : top.replace(/\.[^.]*$/, "");
  const more = new Set(files.map(({ path }) => path.split("/")[0])).size - 1;
  const name =
    plainName(more ? t("fileAndMore", { name: plainName(first).slice(0, 30), n: more }) : first) ||
    "documents";
  const taken = new Set(known.map((one) => one.name));
  if (!taken.has(name)) return name;
  for (let n = 2; ; n += 1) if (!taken.has(`${name}-${n}`)) return `${name}-${n}`;
}

// What a site's collection is called: its host and the folder of its first page; "" for what is no address of one.
export function siteName(address) {
  if (!URL.canParse(address) || !/^https?:\/\//i.test(address)) return "";
  const { host, pathname } = new URL(address);
  return plainName(`${host}${pathname.replace(/[^/]*$/, "")}`);
}

function plainName(words) {
  const plain = words.normalize("NFC").replace(/[^\p{L}\p{N}_.-]+/gu, "-");
  return plain
    .replace(/^[-._]+/, "")
    .slice(0, 50)
    .replace(/[-._]+$/, "");
}
