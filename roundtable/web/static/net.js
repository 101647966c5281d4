// Talking to the server: questions, commands, and the stream of a session's events.
import { signal } from "./vendor.js";

export const setup = signal(null);
export const can = (command) => Boolean(setup.value?.commands.includes(command));

export async function ask(path, body) {
  const order =
    body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        };
  const answer = await fetch(path, { credentials: "same-origin", ...order });
  if (answer.status === 401) location.reload();
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok)
    throw Object.assign(new Error(told.error || `${answer.status} ${answer.statusText}`), {
      status: answer.status,
    });
  return told;
}

// A file that the table is to read now.
export async function upload(id, file) {
  const path = `/api/sessions/${id}/uploads/${encodeURIComponent(file.name)}`;
  const answer = await fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });
  if (!answer.ok)
    throw new Error((await answer.json().catch(() => ({}))).error || `${answer.status} ${answer.statusText}`);
}

export const command = (id, name, values = {}) =>
  ask(`/api/sessions/${id}/commands`, { command: name, ...values });

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

  function open() {
    clearTimeout(timer);
    if (over || source) return;
    const mine = (source = new EventSource(`/api/sessions/${id}/events?after=${last}`));
    heard = Date.now();
    mine.addEventListener("open", () => {
      heard = Date.now();
      connected(true);
    });
    mine.addEventListener("beat", () => {
      heard = Date.now();
    });
    mine.addEventListener("events", (frame) => {
      heard = Date.now();
      const fresh = JSON.parse(frame.data).filter((recorded) => recorded.n > last);
      if (!fresh.length || mine !== source) return;
      last = fresh.at(-1).n;
      take(fresh);
    });
    mine.addEventListener("standing", (frame) => mine === source && standing(JSON.parse(frame.data)));
    mine.addEventListener("writing", (frame) => mine === source && writing(JSON.parse(frame.data)));
    mine.addEventListener("error", () => {
      if (mine !== source) return;
      connected(false);
      if (mine.readyState === EventSource.CLOSED) {
        shut();
        timer = setTimeout(open, 2000);
      }
    });
  }
  function shut() {
    source?.close();
    source = null;
  }
  // A machine that slept or a frozen page may hold a stream that is dead and does not know it.
  const awake = () => {
    if (!document.hidden) {
      shut();
      open();
    }
  };
  const shownAgain = (event) => {
    if (event.persisted) awake();
  };
  function seen() {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(shut, ASLEEP);
    else open();
  }
  document.addEventListener("visibilitychange", seen);
  document.addEventListener("resume", awake);
  addEventListener("online", awake);
  addEventListener("pageshow", shownAgain);
  const watch = setInterval(() => {
    if (source && !document.hidden && Date.now() - heard > SILENT) awake();
  }, 5000);
  open();
  return () => {
    over = true;
    clearTimeout(timer);
    clearInterval(watch);
    shut();
    document.removeEventListener("visibilitychange", seen);
    document.removeEventListener("resume", awake);
    removeEventListener("online", awake);
    removeEventListener("pageshow", shownAgain);
  };
}
