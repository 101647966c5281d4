// Files and folders that a person drags in or chooses, with their places in the folder that they came from.

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
export async function dropped(transfer) {
  const tops = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  for (const entry of tops) await walk(entry, found);
  return found;
}

export const chosenFiles = (list) =>
  [...list]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !/(^|\/)\./.test(path))
    .slice(0, MOST);

// What the collection of such files is called: as the folder, or as the first file; never as one that there is.
export function nameFor(files, known) {
  const [top, ...rest] = files[0].path.split("/");
  const name = plainName(rest.length ? top : top.replace(/\.[^.]*$/, "")) || "documents";
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
