// Talking to the server: questions, commands, and the stream of a session's events.
import { signal } from "./vendor.js";

export const setup = signal(null);
export const can = (command) => Boolean(setup.value?.commands.includes(command));

export async function ask(path, body) {
  const order = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const answer = await fetch(path, { credentials: "same-origin", ...order });
  if (answer.status === 401) location.reload();
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(told.error || `${answer.status} ${answer.statusText}`), { status: answer.status });
  return told;
}

export const command = (id, name, values = {}) => ask(`/api/sessions/${id}/commands`, { command: name, ...values });

const ASLEEP = 5000;

// Hands every event to `take` once, in order. A hidden tab lets its stream go, since a browser grants few of them to
// one server, and takes it up again after the last event that it has.
export function follow(id, take, standing, connected) {
  let last = 0, source = null, timer = 0, over = false;

  function open() {
    clearTimeout(timer);
    if (over || source) return;
    const mine = source = new EventSource(`/api/sessions/${id}/events?after=${last}`);
    mine.addEventListener("open", () => connected(true));
    mine.addEventListener("events", (frame) => {
      const fresh = JSON.parse(frame.data).filter((recorded) => recorded.n > last);
      if (!fresh.length || mine !== source) return;
      last = fresh.at(-1).n;
      take(fresh);
    });
    mine.addEventListener("standing", (frame) => mine === source && standing(JSON.parse(frame.data)));
    mine.addEventListener("error", () => {
      if (mine !== source) return;
      connected(false);
      if (mine.readyState === EventSource.CLOSED) { shut(); timer = setTimeout(open, 2000); }
    });
  }
  function shut() { source?.close(); source = null; }
  function seen() {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(shut, ASLEEP);
    else open();
  }
  document.addEventListener("visibilitychange", seen);
  open();
  return () => { over = true; clearTimeout(timer); shut(); document.removeEventListener("visibilitychange", seen); };
}
