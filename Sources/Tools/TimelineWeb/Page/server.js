// The server's side: windows, explanations, changes, and the stream of events.

/** A reply that is no success. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options) {
  let reply;
  try {
    reply = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "timelined-web does not answer: it is stopped, or the network is away");
  }
  const content = await reply.json().catch(() => ({ error: `reply ${reply.status} was not understood` }));
  if (!reply.ok) throw new Refusal(reply.status, content.error ?? `reply ${reply.status}`);
  return content;
}

function send(path, method, body) {
  return ask(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** Whether the browser is signed in, and what it may do. */
export const session = () => ask("/api/session");
export const signIn = (token) => send("/api/session", "POST", { token });
export const signOut = () => send("/api/session", "DELETE", {});

/** The jobs in a window; `from` and `length` may be left out. */
export const jobsIn = (query, signal) => ask(`/api/window?${words(query)}`, { signal });

/** A rehearsal of the jobs in a window; all may be left out. */
export const rehearsal = (query, signal) => ask(`/api/rehearsal?${words(query)}`, { signal });

/** The effects of a proposed configuration, or what is wrong with it. It changes nothing. */
export const plan = (proposal) => send("/api/plan", "POST", proposal);

function words(query) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/** The explanation of an entry, or of a moment without one. */
export function story(job, at) {
  return ask("/api/story?" + new URLSearchParams({ job, at }));
}

/** Makes a change and returns what has happened, in words. */
export async function change(kind, parameters) {
  return (await send(`/api/${kind}`, "POST", parameters)).message;
}

/** Follows the events. The browser connects again by itself, but for a server that refuses: `refused` is called then. */
export function follow({ changed, gone, opened, refused }) {
  const source = new EventSource("/api/events");
  source.addEventListener("change", (event) => changed(JSON.parse(event.data)));
  source.addEventListener("gone", (event) => gone(JSON.parse(event.data).reason));
  source.addEventListener("open", () => opened());
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) refused(); });
  return source;
}
