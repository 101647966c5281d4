// Talking to the server: questions, commands, and the stream of a session's events.
import { signal, useState } from "./vendor.js";
import { withdraw } from "./notices.js";
import { said, t } from "./words.js";

export const setup = signal(null);
// Why the session that is open takes no orders from here, as the name of a line for people; "" where it does.
export const lookingOn = signal("");
// Whether the session that is open is somebody else's.
export const guest = signal(false);
export const can = (command) => !lookingOn.value && Boolean(setup.value?.commands.includes(command));

// A browser's own word for a server that is not there is one of its own language, and tells nothing.
const reach = (path, order) =>
  fetch(path, { credentials: "same-origin", ...order }).catch((trouble) => {
    throw Object.assign(new Error(t("unreachable")), { cause: trouble });
  });

export async function ask(path, body) {
  const order =
    body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        };
  const answer = await reach(path, order);
  if (answer.status === 401) location.reload();
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw refusal(answer, told);
  return told;
}

const refusal = ({ status, statusText }, told) =>
  Object.assign(new Error(said(told.error || `${status} ${statusText}`)), { status });

// A file that the table is to read now.
export const upload = (id, file) =>
  send(`/api/sessions/${id}/uploads/${encodeURIComponent(file.name)}`, file);

// A file for a collection, with its place in the folder that it came from.
export const bring = (name, path, file) =>
  send(
    `/api/collections/${encodeURIComponent(name)}/files/${path.split("/").map(encodeURIComponent).join("/")}`,
    file,
    path,
  );

// A browser says of a file that it cannot read what it says of a server that is not there. Raises what is so.
async function readable(file, name) {
  try {
    await (file.size ? file.slice(0, 1) : file).arrayBuffer?.();
  } catch (trouble) {
    const words = trouble.name === "NotFoundError" ? "fileGone" : "fileChanged";
    throw Object.assign(new Error(t(words, { name })), { status: 422 });
  }
}

export async function send(path, file, name = file.name) {
  const answer = await reach(path, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  }).catch(async (trouble) => {
    await readable(file, name);
    throw trouble;
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw refusal(answer, told);
  return told;
}

export const command = async (id, name, values = {}) => {
  const told = await ask(`/api/sessions/${id}/commands`, { command: name, ...values });
  if (name.startsWith("map_")) withdraw();
  return told;
};

// Returns what does a command and tells whether it was done, and what went wrong with the last.
export function useAct(id) {
  const [failure, setFailure] = useState("");
  const act = async (name, values) => {
    const trouble = await command(id, name, values).then(() => "", String);
    setFailure(trouble.replace(/^Error: /, ""));
    return !trouble;
  };
  return [act, failure, setFailure];
}

const ASLEEP = 5000,
  SILENT = 40_000;

// Hands every event to `take` once, in order. A hidden tab lets its stream go, since a browser grants few of them to
// one server, and takes it up again after the last event that it has.
export function follow(id, { take, standing, writing, connected }) {
  let last = 0,
    source = null,
    timer = 0,
    over = false,
    heard = Date.now();
  const alive = () => {
    heard = Date.now();
  };
  const on = {
    open: () => connected(true),
    beat: () => {},
    events: (told) => {
      const fresh = told.filter((recorded) => recorded.n > last);
      if (!fresh.length) return;
      last = fresh.at(-1).n;
      take(fresh);
    },
    standing,
    writing,
    error: () => {
      connected(false);
      if (source.readyState !== EventSource.CLOSED) return;
      shut();
      timer = setTimeout(open, 2000);
    },
  };

  function open() {
    clearTimeout(timer);
    if (over || source) return;
    const mine = (source = new EventSource(`/api/sessions/${id}/events?after=${last}`));
    alive();
    listen(mine, on, () => mine === source, alive);
  }
  function shut() {
    source?.close();
    source = null;
  }
  // A machine that slept or a frozen page may hold a stream that is dead and does not know it.
  const awake = () => {
    if (document.hidden) return;
    shut();
    open();
  };
  const seen = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(shut, ASLEEP);
    else open();
  };
  const unwatch = watchTab(seen, awake, () => source && Date.now() - heard > SILENT);
  open();
  return () => {
    over = true;
    clearTimeout(timer);
    unwatch();
    shut();
  };
}

// Hands on what a stream brings, as long as it is the one that is listened to.
function listen(stream, on, current, alive) {
  for (const [name, hear] of Object.entries(on)) {
    stream.addEventListener(name, (frame) => {
      if (!current()) return;
      if (name !== "error") alive();
      hear(frame.data ? JSON.parse(frame.data) : undefined);
    });
  }
}

// Tells when the tab is shown or hidden, and when a stream may be dead; returns how to stop it.
function watchTab(seen, awake, silent) {
  const shownAgain = (event) => {
    if (event.persisted) awake();
  };
  const watched = [
    [document, "visibilitychange", seen],
    [document, "resume", awake],
    [window, "online", awake],
    [window, "pageshow", shownAgain],
  ];
  for (const [target, name, heard] of watched) target.addEventListener(name, heard);
  const watch = setInterval(() => silent() && awake(), 5000);
  return () => {
    clearInterval(watch);
    for (const [target, name, heard] of watched) target.removeEventListener(name, heard);
  };
}
