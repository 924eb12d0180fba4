// The row of one job: its heading, its drawing, and a button that stands on the selected entry.

import { drawn, element, shapes } from "./elements.js";
import { about, brief, distance, mark } from "./words.js";

/** Distance in pixels at which a pointer finds an entry: half of a target that a finger hits. */
const REACH = 12;

export class Row {
  constructor(name, actions) {
    this.name = name;
    this.actions = actions;
    this.marks = [];
    this.index = -1;
    this.title = element("button", { class: "title", tabindex: "-1", click: () => actions.openJob(this) }, name);
    this.chips = element("span", { class: "chips" });
    this.small = element("small");
    this.trend = drawn("svg", { class: "trend", "aria-hidden": "true" });
    this.drawing = drawn("svg", { role: "img", preserveAspectRatio: "none" });
    this.track = element("div", { class: "track" }, this.drawing);
    this.lanes = new Map();
    this.tracks = element("div", { class: "tracks" }, this.track);
    this.heading = element("div", { class: "heading" },
      element("div", { class: "name" }, element("h3", {}, this.title), this.chips),
      element("div", { class: "facts" }, this.small, this.trend));
    this.node = element("div", { class: "row", role: "group", "aria-label": name }, this.heading, this.tracks);
    this.cursor = null;
  }

  /** Shows what the server tells of the job. */
  update(job, data) {
    this.job = job;
    this.data = data;
    const former = this.selected;
    const isFocused = this.cursor !== null && document.activeElement === this.cursor;
    this.marks = job.marks.map(mark);
    this.drawing.setAttribute("viewBox", `0 0 ${data.columns} ${data.rowHeight}`);
    this.drawing.replaceChildren(...["past", "active", "planned"].filter((part) => job[part].length > 0).map((part) =>
      drawn("g", { class: part }, ...shapes(job[part]))));
    this.showLanes(job, data);
    this.showFacts(job, data);
    this.index = former ? this.marks.findIndex((mark) => mark.entry === former.entry) : -1;
    if (this.cursor && this.index < 0) this.index = this.nearest(data.now);
    if (this.cursor) this.placeCursor(isFocused);
  }

  /** Shows a lane for each other node of the cluster that has entries in the window. */
  showLanes(job, data) {
    const former = this.lanes;
    this.lanes = new Map();
    for (const lane of job.lanes) {
      const track = former.get(lane.node) ?? element("div", { class: "track lane", "data-node": lane.node },
        element("span", {}, lane.node), drawn("svg", { role: "img", preserveAspectRatio: "none", "aria-label": `${job.name} on node ${lane.node}` }));
      const drawing = track.querySelector("svg");
      drawing.setAttribute("viewBox", `0 0 ${data.columns} ${data.rowHeight}`);
      drawing.replaceChildren(...["past", "active"].filter((part) => lane[part].length > 0).map((part) =>
        drawn("g", { class: part }, ...shapes(lane[part]))));
      this.lanes.set(lane.node, track);
    }
    // What stays in its place keeps the focus.
    if ([...former.keys()].join() !== [...this.lanes.keys()].join()) this.tracks.replaceChildren(this.track, ...this.lanes.values());
  }

  /** All drawings of the row. */
  get drawings() { return [this.drawing, ...[...this.lanes.values()].map((track) => track.querySelector("svg"))]; }

  showFacts(job, data) {
    const next = job.next === null ? "no next entry" : `next ${brief(job.next, data.now, job.zone)}`;
    const known = job.isCounted ? "entries are counted" : job.summary;
    this.small.textContent = `${known}, ${next}`;
    this.small.title = job.next === null ? job.schedule : `${job.schedule}; next ${distance(job.next, data.now)}`;
    this.drawing.setAttribute("aria-label", `${job.name}: ${known}, ${next}`);
    const chips = [];
    if (job.pausedSince !== null) chips.push(["paused", "paused"]);
    if (job.running.length > 0) chips.push(["running", job.running.length === 1 ? "running" : `${job.running.length} running`]);
    if (job.waitingCount > 0) chips.push(["waiting", `${job.waitingCount} waiting`]);
    if (job.backfill) chips.push(["waiting", job.backfill]);
    if (job.fault) chips.push(["fault", "fault"]);
    if (job.node) chips.push(["group", `on ${job.node}`]);
    for (const group of job.groups) chips.push(["group", group]);
    this.chips.replaceChildren(...chips.map(([style, text]) => element("span", { class: `chip ${style}` }, text)));
    const trend = job.trend;
    this.trend.toggleAttribute("hidden", trend === null);
    if (trend === null) return this.trend.replaceChildren();
    this.trend.setAttribute("viewBox", `0 0 ${trend.width} ${trend.height}`);
    this.trend.replaceChildren(
      drawn("title", {}, `durations: median ${trend.median}, longest ${trend.longest}, last ${trend.last}`),
      drawn("path", { d: trend.path }));
  }

  /** The selected mark. */
  get selected() { return this.marks[this.index] ?? null; }

  /** Index of the mark nearest to an instant; -1 without marks. */
  nearest(instant) {
    let best = -1, gap = Infinity;
    this.marks.forEach((mark, index) => {
      const from = mark.start ?? mark.at;
      const distance = Math.abs(from - instant);
      if (distance < gap) [best, gap] = [index, distance];
    });
    return best;
  }

  /** Index of the mark of a node at a position in pixels of the drawing, or near it; -1 for none. */
  at(x, node) {
    // Marks ascend by their left edges: what is left of the position is searched from there on.
    let low = 0, high = this.marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.marks[middle].left <= x + REACH) low = middle + 1; else high = middle;
    }
    let best = -1, gap = REACH + 0.1;
    for (let index = low - 1; index >= 0 && index >= low - 200; index -= 1) {
      const mark = this.marks[index];
      if (mark.node !== node) continue;
      const distance = x < mark.left ? mark.left - x : x > mark.right ? x - mark.right : 0;
      if (distance < gap) [best, gap] = [index, distance];
    }
    return best;
  }

  /** Selects a mark, and puts the button there; it has the focus if wanted. */
  select(index, isFocused) {
    this.index = Math.min(Math.max(index, -1), this.marks.length - 1);
    this.placeCursor(isFocused);
  }

  /** Takes the button away. */
  deselect() {
    this.cursor?.remove();
    this.cursor = null;
  }

  /** A new button each time: a reader announces what gets the focus, not what changes its name. */
  placeCursor(isFocused) {
    const mark = this.selected;
    const label = mark
      ? `${this.name}, ${about(mark, this.job.zone)}; ${this.index + 1} of ${this.marks.length}`
      : `${this.name}: no entry in this window`;
    if (this.cursor?.getAttribute("aria-label") !== label) {
      const cursor = element("button", { class: "cursor", "aria-label": label, click: () => this.actions.open(this) });
      this.cursor?.remove();
      this.cursor = cursor;
    }
    const track = this.lanes.get(mark?.node) ?? this.track;
    if (this.cursor.parentNode !== track) track.append(this.cursor);
    const middle = mark ? (mark.left + Math.min(mark.right, this.data.columns)) / 2 : this.actions.nowColumn();
    this.cursor.style.setProperty("--at", `${(middle / this.data.columns) * 100}%`);
    const width = mark ? Math.max(24, mark.right - mark.left + 8) : 24;
    this.cursor.style.setProperty("--width", `${Math.min(width, this.data.columns)}px`);
    if (isFocused) this.cursor.focus({ preventScroll: false });
  }
}
