// What is done with files that a person brings: fetched once there are some.
import { t } from "../words.js";

export const MOST = 2000; // files at once

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

// What of entries that were let fall can be had: [{path, file}], one more than may be brought at once at most;
// `file` is null for what the browser may not open.
export async function walk(tops) {
  const found = [];
  for (const entry of tops) await into(entry, found);
  return found;
}

async function into(entry, found) {
  if (found.length > MOST || entry.name.startsWith(".")) return;
  const path = entry.fullPath.replace(/^\//, "");
  try {
    if (entry.isFile) found.push({ path, file: await entered(entry) });
    else for (const one of await entries(entry)) await into(one, found);
  } catch {
    found.push({ path, file: null });
  }
}

// Sends files one after the other; returns what was said of those that are refused, which keep no other out.
export async function sendEach(files, send) {
  const refused = [];
  for (const [done, one] of files.entries())
    try {
      if (one.file) await send(one, done);
      else refused.push(t("unreadable", { name: one.path }));
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
