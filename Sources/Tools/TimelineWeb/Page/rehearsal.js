// A rehearsal: the server simulates windows of it, and the page moves a clock of its own over them.

import { Board, boardRow, picture } from "./board.js";
import { byId, drawn, element, say, shapes } from "./elements.js";
import { enter } from "./entrance.js";
import { Playhead, SPEEDS } from "./playhead.js";
import { rehearsal } from "./server.js";
import { showTable } from "./table.js";
import { LENGTHS } from "./view.js";
import { ACTIVE, brief, instantIn, mark, PAST, PLANNED, time, zoned } from "./words.js";

/** Part of a window before its clock, part of it at which the next one is asked for, and lines of the list of decisions. */
const LEAD = 0.1, AHEAD = 0.5, LINES = 8;
/** Pauses: between two pictures, between two with reduced motion, after typing, and before a busy server is asked again, some times at most. */
const FRAME = 50, STILL = 1000, TYPING = 200, BUSY = 400, TRIES = 10;
/** The last instant that an address may have: in the year 2255. */
const LATEST = 9e12;
const KEYS = [["space", "play or pause"], ["s", "step to the next entry"], ["+ −", "speed"], ["← →", "move the clock, with Shift further"],
  ["Home End", "begin and end of the window"], ["PgUp PgDn", "move by a window"], ["g", "go to a moment"], ["b", "begin anew"], ["/", "filter"], ["?", "these keys"]];

const address = new URLSearchParams(location.search);
const number = (name) => (address.has(name) && Math.abs(Number(address.get(name))) < LATEST ? Math.round(Number(address.get(name))) : null);
const view = { start: number("start"), length: number("length"), filter: address.get("filter") ?? "" };
const playhead = new Playhead(number("at"), address.get("speed"));
const board = new Board(byId("chart"));
const state = { data: null, next: null, request: null, rows: [], shown: "", timer: null };
const past = drawn("rect", { x: "0", y: "0", height: "1000" }), later = drawn("rect", { y: "0", height: "1000", width: "100000" });
const line = element("div", { class: "now", role: "slider", tabindex: "0", "aria-label": "Clock of the rehearsal" }, element("span"));
const unknown = element("div", { class: "unknown after" });

// -- Windows

/** Asks for the window around an instant; `null` where another has been asked for meanwhile. */
async function windowAt(at) {
  state.request?.abort();
  const request = state.request = new AbortController();
  const from = view.length === null || at === null ? null : Math.round(at - view.length * LEAD);
  try {
    const data = await patiently(() => rehearsal({ start: view.start, at, from, length: view.length, columns: board.columns, filter: view.filter }, request.signal));
    say(byId("fault"), null);
    return request === state.request ? data : null;
  } catch (error) {
    if (error.name === "AbortError") return null;
    play(false);
    if (error.status === 401) return enter().then(() => windowAt(at));
    say(byId("fault"), error.message);
    return null;
  } finally {
    if (request === state.request) state.request = null;
  }
}

/** Asks again for a while where others ask at the same time. */
async function patiently(ask) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== 429 || tries === TRIES) throw error;
      await new Promise((resolve) => { setTimeout(resolve, BUSY); });
    }
  }
}

/** Goes to an instant, with the window around it: one that is before the begin, or too far after it, is another begin. */
async function go(at) {
  byId("chart").setAttribute("aria-busy", "true");
  const isEarly = at !== null && view.start !== null && at < view.start;
  let data = isEarly ? null : await windowAt(at);
  if (isEarly || data && at !== null && (at < data.start || data.knownUntil !== null && at >= data.knownUntil)) {
    view.start = at;
    data = await windowAt(at);
    if (data) note(`The rehearsal begins anew at ${zoned(at, data.zone)}, with no active run.`);
  }
  byId("chart").removeAttribute("aria-busy");
  if (!data) return false;
  playhead.move(at ?? data.start);
  show(data);
  return true;
}

function show(data) {
  state.data = data;
  state.next = null;
  view.start = data.start;
  view.length = data.until - data.from;
  playhead.length = view.length;
  playhead.edge = data.knownUntil ?? data.until;
  document.title = `Rehearsal · ${data.machine}`;
  say(byId("machine"), `of ${data.machine}`);
  const load = boardRow("active runs", [element("small", {}, `active runs: ${data.loadMax === 0 ? "none" : `up to ${Math.max(0.1, data.loadMax / 100).toFixed(1)}`}`)],
    [picture(data, data.loadHeight, null, ...(data.loadMax > 0 ? shapes(data.load) : []))], "load");
  state.rows = data.rows.map((job) => makeRow(job, data));
  board.update(data, [load, ...state.rows.map((row) => row.node)]);
  unknown.hidden = data.knownUntil === null;
  unknown.style.setProperty("--width", `${100 - (100 * column(data.knownUntil ?? data.until)) / data.columns}%`);
  line.setAttribute("aria-valuemin", data.from);
  line.setAttribute("aria-valuemax", data.until);
  const known = LENGTHS.find(([value]) => Math.abs(value - view.length) < 1);
  byId("length").value = known ? String(known[0]) : "";
  const facts = [`The rehearsal ${data.source}: ${zoned(data.start, data.zone)}.`];
  if (data.omittedCount > 0) facts.push(`${data.omittedCount} more jobs have no row: filter them.`);
  if (data.knownUntil !== null) facts.push(`Too many entries: nothing after ${zoned(data.knownUntil, data.zone)} is simulated.`);
  byId("source").textContent = facts.join(" ");
  say(byId("empty"), data.rows.length > 0 ? null : view.filter ? `No job has “${view.filter}”.` : "The configuration has no jobs.");
  state.shown = "";
  draw();
}

/** A row is drawn twice, as it was and as it will be: two clips meet at the clock. */
function makeRow(job, data) {
  const chips = element("span", { class: "chips" }), small = element("small");
  const active = drawn("path", { class: "running" });
  const drawing = picture(data, data.rowHeight, `${job.name}: ${job.summary}`,
    drawn("g", { class: "past", "clip-path": "url(#past)" }, ...shapes(job.shapes)),
    drawn("g", { class: "planned", "clip-path": "url(#later)" }, ...shapes(job.shapes)), active);
  const node = boardRow(job.name, [
    element("div", { class: "name" }, element("h3", { title: job.schedule }, job.name), chips), element("div", { class: "facts" }, small)], [drawing]);
  return { name: job.name, job, marks: job.marks.map(mark), node, chips, small, active };
}

// -- The picture at an instant

/** Position of an instant in the drawing. */
function column(at) { return ((at - state.data.from) / (state.data.until - state.data.from)) * state.data.columns; }

function draw() {
  const { data } = state;
  if (!data) return;
  const now = playhead.now, x = column(now);
  past.setAttribute("width", Math.max(0, x));
  later.setAttribute("x", x);
  line.hidden = x < 0 || x > data.columns;
  line.style.setProperty("--at", `${(x / data.columns) * 100}%`);
  const text = zoned(Math.floor(now / 1000) * 1000, data.zone);
  if (byId("time").textContent !== text) {
    byId("time").textContent = text;
    line.firstChild.textContent = time(Math.floor(now / 1000) * 1000, data.zone);
    line.setAttribute("aria-valuenow", Math.round(now));
    line.setAttribute("aria-valuetext", text);
  }
  for (const row of state.rows) drawRow(row, now);
  drawDecisions(now);
}

function drawRow(row, now) {
  let running = 0, waiting = 0, next = null, bars = "";
  for (const mark of row.marks) {
    mark.phase = (mark.end ?? mark.start ?? mark.at) <= now ? PAST : (mark.start ?? mark.at) <= now ? ACTIVE : PLANNED;
    if (mark.at > now) {
      if (mark.start !== null || mark.count > 1) next ??= mark.at;
      continue;
    }
    if (mark.count > 1 || mark.phase === PAST) continue;
    if (mark.phase === PLANNED) waiting += 1;
    else { running += 1; bars += `M${column(mark.start)} 39v3H${Math.max(mark.right, column(mark.start) + 2)}v-3z`; }
  }
  next ??= row.job.later;
  const what = row.job.isCounted ? "entries are counted" : row.job.summary;
  const text = `${what}, ${next === null ? "no next entry" : `next ${brief(next, now, row.job.zone)}`}`;
  const words = [running > 0 ? `${running === 1 ? "" : `${running} `}running` : "", waiting > 0 ? `${waiting} waiting` : ""].filter(Boolean);
  const key = `${text} ${words} ${bars}`;
  if (row.key === key) return;
  row.key = key;
  row.small.textContent = row.small.title = text;
  row.active.setAttribute("d", bars);
  row.chips.replaceChildren(...words.map((word) => element("span", { class: `chip ${word.endsWith("running") ? "running" : "waiting"}` }, word)));
}

/** Whether some decisions before an instant were too many to be sent. */
function lacksDecisions(at) { return state.data.decisionsUntil !== null && at >= state.data.decisionsUntil; }

function drawDecisions(now) {
  const { data } = state;
  const until = data.decisions.findIndex(([at]) => at > now);
  const last = data.decisions.slice(0, until < 0 ? data.decisions.length : until).slice(-LINES).reverse();
  if (lacksDecisions(now)) last.unshift([now, "", "more are decided than can be shown while the clock goes", ""]);
  const key = last.map(String).join();
  if (state.shown === key) return;
  state.shown = key;
  byId("decisions").replaceChildren(...(last.length === 0 ? [element("li", {}, "none in this window yet")]
    : last.map(([at, job, word, detail]) => element("li", {},
      element("time", {}, zoned(at, data.zone)), " ", element("b", {}, job), ` ${word}${detail ? `, ${detail}` : ""}`))));
}

/** Moves on: one picture, and the next window in time. */
function tick() {
  const { data } = state;
  if (!data || !playhead.isPlaying) return;
  const now = playhead.now;
  if (now > data.from + view.length * AHEAD && !state.next && !state.request) {
    const edge = playhead.edge;
    windowAt(edge).then((next) => { if (next && state.data === data) state.next = { data: next, edge }; });
  }
  if (now >= playhead.edge && state.next) {
    const { data: next, edge } = state.next;
    state.next = null;
    if (next.knownUntil !== null && next.knownUntil <= edge) return void go(edge);
    playhead.move(edge);
    show(next);
    keep();
  } else draw();
}

// -- What a person does

function play(isPlaying = !playhead.isPlaying) {
  playhead.play(isPlaying);
  byId("play").textContent = isPlaying ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", String(isPlaying));
  settle();
}

/** The clock stands, or has been moved: says where, and keeps it in the address. */
async function settle() {
  draw();
  keep();
  if (!playhead.isPlaying && lacksDecisions(playhead.now)) await go(playhead.now);
  if (byId("table").open) showTable(state.rows);
}

function keep() {
  const known = { start: view.start, at: state.data && Math.round(playhead.now), speed: playhead.speed, length: view.length, filter: view.filter || null };
  history.replaceState(null, "", `?${new URLSearchParams(Object.entries(known).filter(([, value]) => value !== null))}`);
}

/** Moves the clock within the window, or to another. */
async function moveTo(at) {
  const { data } = state;
  if (data && at >= Math.max(data.from, data.start) && at <= playhead.edge) { state.next = null; playhead.move(at); }
  else if (!await go(Math.round(at))) return;
  settle();
}

async function step() {
  play(false);
  const after = playhead.now;
  const found = () => state.data.decisions.find(([at, , , , isEntry]) => isEntry && at > after)?.[0];
  let at = found();
  // Where the window is not known to its end, what follows is asked for.
  const gap = state.data.decisionsUntil === null ? state.data.knownUntil : after;
  if (at === undefined && gap !== null) {
    if (!await go(gap)) return;
    at = found();
  }
  if (at === undefined) {
    const later = state.data.rows.map((row) => row.later).filter((later) => later !== null);
    if (later.length === 0) return note("There is no later entry.");
    if (!await go(Math.min(...later))) return;
    at = found() ?? playhead.now;
  }
  await moveTo(at);
  byId("news").textContent = byId("decisions").firstChild.textContent;
}

async function beginAnew() {
  play(false);
  view.start = null;
  if (await go(null)) settle();
}

function note(text) {
  say(byId("note"), text);
  clearTimeout(state.timer);
  state.timer = setTimeout(() => say(byId("note"), null), 8000);
}

function shiftSpeed(by) { playhead.shift(by); showSpeed(); }
function showSpeed() { byId("speed").value = playhead.speed; keep(); }

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open || !state.data) return;
  if (event.target.closest("input, select")) { if (event.key === "Escape") event.target.blur(); return; }
  const length = view.length, now = playhead.now, part = event.shiftKey ? 0.1 : 0.01;
  const isPlain = event.target === document.body || event.target === line;
  const action = {
    s: step, b: beginAnew, "+": () => shiftSpeed(1), "=": () => shiftSpeed(1), "-": () => shiftSpeed(-1), "−": () => shiftSpeed(-1),
    g: () => byId("moment").focus(), "/": () => byId("filter").focus(), "?": () => byId("keys").showModal(),
    ...(isPlain ? {
      " ": () => play(), ArrowLeft: () => moveTo(Math.max(now - length * part, state.data.start)), ArrowRight: () => moveTo(now + length * part),
      Home: () => moveTo(Math.max(state.data.from, state.data.start)), End: () => moveTo(playhead.edge),
      PageUp: () => moveTo(Math.max(now - length, state.data.start)), PageDown: () => moveTo(now + length) } : {}),
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** The clock follows a pointer that is held down on the chart. */
function listenForPointer(node) {
  let isHeld = false;
  const follow = (event) => {
    const box = board.overlay.getBoundingClientRect();
    const part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    playhead.move(Math.min(Math.max(state.data.from + part * view.length, state.data.start), playhead.edge));
    draw();
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.target.closest(".track, .now") || !state.data) return;
    play(false);
    isHeld = true;
    node.setPointerCapture(event.pointerId);
    line.focus({ preventScroll: true });
    follow(event);
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => { if (isHeld) follow(event); });
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => { if (isHeld) { isHeld = false; settle(); } });
}

function listen() {
  board.overlay.append(unknown, line);
  byId("chart").append(drawn("svg", { width: "0", height: "0", class: "clips", "aria-hidden": "true" },
    drawn("clipPath", { id: "past" }, past), drawn("clipPath", { id: "later" }, later)));
  byId("speed").append(...SPEEDS.map((speed) => element("option", { value: speed }, speed === "max" ? "max" : `${Number(speed).toLocaleString("en")}×`)));
  byId("speed").value = playhead.speed;
  byId("length").append(element("option", { value: "", hidden: true }, "other length"), ...LENGTHS.map(([value, text]) => element("option", { value: String(value) }, text)));
  byId("filter").value = view.filter;
  byId("key-list").append(...KEYS.flatMap(([keys, text]) => [element("dt", {}, keys), element("dd", {}, text)]));
  byId("play").addEventListener("click", () => play());
  byId("step").addEventListener("click", step);
  byId("anew").addEventListener("click", beginAnew);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("speed").addEventListener("change", (event) => { playhead.setSpeed(event.target.value); showSpeed(); });
  byId("length").addEventListener("change", async (event) => { view.length = Number(event.target.value); if (await go(playhead.now)) settle(); });
  byId("moment").addEventListener("change", (event) => {
    const at = state.data && instantIn(event.target.value, state.data.zone);
    if (at) moveTo(at);
  });
  let typing = null;
  byId("filter").addEventListener("input", (event) => {
    view.filter = event.target.value.trim();
    clearTimeout(typing);
    typing = setTimeout(async () => { if (await go(playhead.now)) settle(); }, TYPING);
  });
  byId("table").addEventListener("toggle", () => { if (byId("table").open) { draw(); showTable(state.rows); } });
  document.addEventListener("keydown", onKey);
  listenForPointer(byId("chart"));
  new ResizeObserver(() => { if (state.data && !state.request && board.columns !== state.data.columns) go(playhead.now); }).observe(byId("chart"));
  setInterval(tick, matchMedia("(prefers-reduced-motion: reduce)").matches ? STILL : FRAME);
}

try {
  await enter();
  byId("main").hidden = false;
  listen();
  if (await go(playhead.now)) settle();
} catch (error) {
  say(byId("fault"), error.message);
}
