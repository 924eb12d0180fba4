// Puts the parts together: what is asked of the server when, and what is shown of it.

import { byId, element, say } from "./elements.js";
import { Chart } from "./chart.js";
import { listenForKeys } from "./keys.js";
import { change, follow, jobsIn, session, signIn, signOut, story } from "./server.js";
import { showStory } from "./story.js";
import { showTable } from "./table.js";
import { LENGTHS, View } from "./view.js";
import { kind } from "./words.js";

/** Pauses before the server is asked again: after an event, while the window moves, and after what failed. */
const AFTER_EVENT = 400, SHARE = 5, WHILE_MOVING = 120, AFTER_FAULT = 3000, AFTER_PART = 300;

const view = new View();
const state = { data: null, askedAt: 0, cost: 0, isOutdated: false, request: null, timer: null, open: null, rights: null, events: null, wakesAt: Infinity, news: 0 };

const actions = {
  now, open, openJob, zoom, pan, followNow, trigger, pauseOrResume, back,
  nowColumn: () => state.data ? Math.min(Math.max((now() - state.data.from) / (state.data.until - state.data.from), 0), 1) * state.data.columns : 0,
  panTo(shown, part) { view.pan(part, shown); moved(); },
  zoomTo(shown, factor, part) { view.zoom(factor, shown, part); moved(); },
};
const chart = new Chart(byId("chart"), actions);

/** The time of the daemon's clock. */
function now() {
  if (!state.data) return 0;
  return state.data.now + (performance.now() - state.askedAt) * (state.data.speed ?? 0);
}

/** Asks for the window after a pause, unless it is asked for sooner. */
function refresh(pause = 0) {
  const at = performance.now() + pause;
  if (state.timer !== null && at >= state.wakesAt) return;
  clearTimeout(state.timer);
  state.wakesAt = at;
  state.timer = setTimeout(load, pause);
}

/**
 * Asks for the window after an event. A busy daemon has many: windows take a fifth of the time at most, and none while nobody looks. An answer
 * that is on its way is waited for, or none would ever come.
 */
function refreshAfterEvent() {
  if (document.hidden) return;
  if (state.request) state.isOutdated = true;
  else refresh(Math.max(AFTER_EVENT, state.cost * SHARE));
}

async function load() {
  state.timer = null;
  state.wakesAt = Infinity;
  state.request?.abort();
  const request = state.request = new AbortController();
  const begin = performance.now();
  try {
    const query = { from: view.from === null ? null : Math.round(view.from), length: view.length, columns: chart.columns, filter: view.filter };
    const data = await jobsIn(query, request.signal);
    if (request !== state.request) return;
    state.request = null;
    state.data = data;
    state.askedAt = performance.now();
    state.events ??= followEvents();
    show(data);
    state.cost = performance.now() - begin;
    if (data.isPartial) refresh(AFTER_PART);
    if (state.isOutdated) refreshAfterEvent();
    state.isOutdated = false;
  } catch (error) {
    if (error.name === "AbortError") return;
    state.request = null;
    if (error.status === 401) return showSignIn();
    say(byId("fault"), error.message);
    refresh(AFTER_FAULT);
  }
}

function show(data) {
  say(byId("fault"), data.daemon.ledgerFault ? `the ledger cannot be written: ${data.daemon.ledgerFault}` : null);
  const { daemon } = data;
  document.title = `${daemon.machine} · timelined`;
  say(byId("machine"), daemon.machine);
  const facts = [`${daemon.jobCount} ${daemon.jobCount === 1 ? "job" : "jobs"}`, `${daemon.runningCount} running`];
  if (daemon.waitingCount > 0) facts.push(`${daemon.waitingCount} waiting`);
  if (daemon.pausedCount > 0) facts.push(`${daemon.pausedCount} paused`);
  if (daemon.faultCount > 0) facts.push(`${daemon.faultCount} with a fault`);
  if (daemon.mode !== "normal") facts.push(`${daemon.mode} mode`);
  if (daemon.clock !== "system") facts.push(`clock ${daemon.clock}`);
  if (daemon.cluster) facts.push(daemon.cluster);
  if (daemon.lostNodes.length > 0) facts.push(`lost: ${daemon.lostNodes.join(", ")}`);
  if (daemon.isDraining) facts.push("stopping");
  say(byId("status"), facts.join(" · "));
  chart.update(data, view);
  byId("now").setAttribute("aria-pressed", String(view.isFollowing));
  showLength(data.until - data.from);
  const empty = view.filter ? `No job has “${view.filter}”.` : "The daemon has no jobs.";
  say(byId("empty"), data.rows.length === 0 ? empty : null);
  const edges = [];
  if (data.omittedCount > 0) edges.push(`${data.omittedCount} more jobs have no row: filter them.`);
  if (data.knownFrom !== null) edges.push("Entries before the striped stretch's end are not read.");
  if (daemon.storeFault !== null) edges.push(`Other nodes are not shown as they are now: ${daemon.storeFault}.`);
  if (data.knownUntil !== null) edges.push("Entries after the striped stretch's begin are not simulated.");
  byId("source").textContent = [...edges, `timelined ${daemon.version}; ${daemon.futureSource}`].join(" ");
  if (byId("table").open) showTable(chart.order);
  if (view.job && !state.open) reopen();
  if (state.open) showPanel();
}

function showLength(length) {
  const list = byId("length");
  const known = LENGTHS.find(([value]) => Math.abs(value - length) < 1);
  list.querySelector(".own")?.remove();
  if (!known) list.prepend(element("option", { class: "own", value: "" }, "other length"));
  list.value = known ? String(known[0]) : "";
}

/** Shows at once what can be shown, and asks for the rest. */
function moved() {
  view.keep();
  if (state.data) {
    const length = view.length ?? state.data.until - state.data.from;
    chart.shift(view.from ?? now() - length * 0.4, length);
  }
  refresh(WHILE_MOVING);
}

function zoom(factor) { if (chart.shown) { view.zoom(factor, chart.shown); moved(); } }
function pan(part) { if (chart.shown) { view.pan(part, chart.shown); moved(); } }
function followNow() { view.followNow(); moved(); }

// -- The explanation of an entry

function open(row) {
  const mark = row.selected;
  state.open = { name: row.name, entry: mark?.entry ?? null, story: null, fault: null };
  view.job = row.name;
  view.entry = mark?.entry ?? null;
  view.keep();
  showPanel();
  byId("story").focus();
  loadStory();
}

function openJob(row) {
  chart.choose(row, row.index >= 0 ? row.index : row.nearest(now()), false);
  open(row);
}

function reopen() {
  const row = chart.rows.get(view.job);
  if (!row) return;
  const index = row.marks.findIndex((mark) => mark.entry === view.entry);
  chart.choose(row, index >= 0 ? index : row.nearest(view.entry ? Date.parse(view.entry) : now()), false);
  state.open = { name: row.name, entry: view.entry, story: null, fault: null };
  loadStory();
}

async function loadStory() {
  const opened = state.open;
  if (!opened || opened.entry === null) return;
  try {
    opened.story = await story(opened.name, opened.entry);
    opened.fault = null;
  } catch (error) {
    opened.fault = error.message;
  }
  if (state.open === opened) showPanel();
}

function showPanel() {
  const row = chart.rows.get(state.open.name);
  if (!row) return close();
  document.body.classList.add("has-story");
  // A reason that is being typed is not taken away.
  const typed = byId("story").querySelector("input");
  if (typed && document.activeElement === typed) return;
  showStory({ job: row.job, mark: row.marks.find((mark) => mark.entry === state.open.entry), now: now(), story: state.open.story, fault: state.open.fault, isReadOnly: state.rights.isReadOnly,
    actions: { close, change: perform } });
}

function close() {
  byId("story").hidden = true;
  document.body.classList.remove("has-story");
  state.open = null;
  view.job = view.entry = null;
  view.keep();
  chart.current?.cursor?.focus({ preventScroll: true });
}

function back(event) {
  if (state.open) close();
  else if (event.target.id === "filter") { event.target.value ? clearFilter() : chart.current?.cursor?.focus(); }
}

// -- Changes

async function perform(name, parameters) {
  try {
    note(await change(name, parameters));
  } catch (error) {
    note(error.message);
  }
  refresh(AFTER_EVENT);
  loadStory();
}

function trigger() {
  const row = chart.current;
  if (row && !state.rights.isReadOnly && window.confirm(`Run ${row.name} now?`)) perform("trigger", { job: row.name });
}

function pauseOrResume() {
  const row = chart.current;
  if (!row || state.rights.isReadOnly) return;
  if (row.job.pausedSince !== null) return void perform("resume", { job: row.name });
  const reason = window.prompt(`Pause ${row.name}. Reason, for others:`, "");
  if (reason !== null) perform("pause", { job: row.name, reason });
}

function note(text) {
  say(byId("note"), text);
  clearTimeout(state.news);
  state.news = setTimeout(() => say(byId("note"), null), 8000);
}

// -- Controls, signing in, events

function clearFilter() {
  byId("filter").value = view.filter = "";
  view.keep();
  refresh();
}

function listen() {
  byId("length").append(...LENGTHS.map(([value, text]) => element("option", { value: String(value) }, text)));
  byId("length").addEventListener("change", (event) => {
    const wanted = Number(event.target.value);
    if (wanted && chart.shown) actions.zoomTo(chart.shown, wanted / chart.shown.length, view.isFollowing ? undefined : 0.5);
  });
  byId("filter").value = view.filter;
  byId("filter").addEventListener("input", (event) => {
    view.filter = event.target.value.trim();
    view.keep();
    refresh(WHILE_MOVING);
  });
  byId("grouped").checked = view.isGrouped;
  byId("grouped").addEventListener("change", (event) => {
    view.isGrouped = event.target.checked;
    view.keep();
    if (state.data) chart.update(state.data, view);
  });
  for (const [id, action] of [
    ["earlier", () => pan(-0.5)], ["later", () => pan(0.5)], ["now", followNow], ["in", () => zoom(0.5)], ["out", () => zoom(2)],
    ["help", () => byId("keys").showModal()],
    ["sign-out", async () => { await signOut().catch(() => null); location.reload(); }],
  ]) byId(id).addEventListener("click", action);
  byId("table").addEventListener("toggle", () => { if (byId("table").open) showTable(chart.order); });
  byId("sign-in").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      state.rights = await signIn(byId("token").value.trim());
      byId("token").value = "";
      begin();
    } catch (error) {
      say(byId("sign-in-fault"), error.message);
    }
  });
  new ResizeObserver(() => { if (state.data && chart.columns !== state.data.columns) refresh(WHILE_MOVING); }).observe(byId("chart"));
  listenForKeys(chart, actions);
  // Once a second, and for a window that follows the clock as often as it moves by two pixels.
  setInterval(() => {
    if (!state.data || document.hidden) return;
    if (view.isFollowing) {
      const length = state.data.until - state.data.from;
      const pixels = ((now() - state.data.now) / length) * state.data.columns;
      if (pixels >= 2 && !state.request) refresh();
    }
    chart.moveNow(now());
  }, 1000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && state.data) refresh(); });
}

function showSignIn() {
  byId("main").hidden = byId("controls").hidden = true;
  byId("sign-in").hidden = false;
  byId("token").focus();
}

function begin() {
  byId("sign-in").hidden = true;
  byId("main").hidden = byId("controls").hidden = false;
  byId("sign-out").hidden = !state.rights.needsToken;
  refresh();
}

function followEvents() {
  return follow({
    opened: () => refresh(),
    refused: () => { state.events = null; refresh(AFTER_FAULT); },
    gone: (reason) => say(byId("fault"), `the daemon does not answer: ${reason}`),
    changed(event) {
      if (event.outcome && kind(event.outcome) === "failure") byId("news").textContent = `${event.job}: ${event.outcome}. ${event.reason ?? ""}`;
      refreshAfterEvent();
      if (state.open?.name === event.job) loadStory();
    },
  });
}

listen();
try {
  state.rights = await session();
  if (state.rights.isSignedIn) begin(); else showSignIn();
} catch (error) {
  say(byId("fault"), error.message);
}
