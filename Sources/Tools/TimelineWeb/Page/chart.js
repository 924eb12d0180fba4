// The chart: one axis, the strip of active runs, and a row for each job, all of one window.

import { drawn, element, say, shapes, byId } from "./elements.js";
import { Row } from "./row.js";
import { about, time } from "./words.js";

/** Signs of the drawing, with their meanings. */
const LEGEND = [
  ["success", "bar", "a run"], ["planned", "bar", "to come"], ["active", "bar", "running"],
  ["failure", "M9 4H19L14 12.5z", "failed, timed-out, lost, unknown"], ["cancellation", "M10 4h8v8h-8z", "cancelled"],
  ["miss", "M14 3l5 5-5 5-5-5z", "missed, overlapped, limited"],
  ["omission", "M14 4a4 4 0 0 1 0 8a4 4 0 0 1 0-8z", "not to run"],
];

export class Chart {
  constructor(node, actions) {
    this.node = node;
    this.actions = actions;
    this.rows = new Map();
    this.order = [];
    this.data = null;
    this.current = null;
    this.backdrop = drawn("svg", { class: "backdrop", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.nowLine = element("div", { class: "now", "aria-hidden": "true" }, element("span"));
    this.unknown = ["before", "after"].map((side) => element("div", { class: `unknown ${side}`, hidden: true }));
    this.overlay = element("div", { class: "overlay" }, this.backdrop, ...this.unknown, this.nowLine);
    this.axis = drawn("svg", { class: "axis", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.loadNote = element("small");
    this.load = drawn("svg", { role: "img", preserveAspectRatio: "none" });
    this.tip = element("div", { class: "tip", role: "tooltip", hidden: true });
    this.body = element("div", { class: "rows" });
    node.append(
      this.overlay,
      element("div", { class: "row head" }, element("div", { class: "heading zone" }), element("div", { class: "track" }, this.axis)),
      element("div", { class: "row load", role: "group", "aria-label": "active runs" },
        element("div", { class: "heading" }, element("div", { class: "name" }, element("span", { class: "quiet" }, "active runs")),
          element("div", { class: "facts" }, this.loadNote)),
        element("div", { class: "track" }, this.load)),
      this.body, this.tip);
    this.zone = node.querySelector(".zone");
    this.listen();
    byId("legend").append(...LEGEND.map(([style, sign, text]) =>
      element("li", {},
        drawn("svg", { viewBox: "0 0 28 16", "aria-hidden": "true", class: style },
          drawn("g", { class: style }, sign === "bar"
            ? drawn("path", { class: "success", d: "M2 3h24v10h-24z" })
            : drawn("path", { class: `mark ${style}`, d: sign }))), text)));
  }

  /** Width of the rows in pixels. */
  get columns() { return Math.max(1, Math.round(this.overlay.clientWidth)); }

  /** Shows a window. */
  update(data, view) {
    this.data = data;
    this.zone.textContent = data.zone;
    const box = (height) => `0 0 ${data.columns} ${height}`;
    this.axis.setAttribute("viewBox", box(data.axisHeight));
    this.axis.setAttribute("height", data.axisHeight);
    this.axis.replaceChildren(...shapes(data.axis));
    this.backdrop.setAttribute("viewBox", box(data.rowHeight));
    this.backdrop.replaceChildren(...shapes(data.grid));
    this.load.setAttribute("viewBox", box(data.loadHeight));
    this.load.replaceChildren(...(data.loadMax > 0 ? shapes(data.load) : []));
    const most = data.loadMax < 10 ? "under 0.1" : `up to ${(data.loadMax / 100).toFixed(data.loadMax % 100 === 0 ? 0 : 1)}`;
    this.loadNote.textContent = data.loadMax > 0 ? most : "none";
    this.load.setAttribute("aria-label", `active runs of the jobs shown: ${data.loadMax > 0 ? most : "none"}`);
    this.updateRows(data, view.isGrouped);
    this.showEdges(data);
    this.shift(data.from, data.until - data.from);
  }

  updateRows(data, isGrouped) {
    const former = this.rows;
    this.rows = new Map();
    for (const job of data.rows) {
      const row = former.get(job.name) ?? new Row(job.name, this.actions);
      this.rows.set(job.name, row);
      row.update(job, data);
    }
    const groups = new Map();
    for (const row of this.rows.values()) {
      const group = isGrouped ? row.job.groups[0] ?? "" : "";
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(row);
    }
    const nodes = [];
    this.order = [];
    for (const [group, rows] of [...groups].sort(([a], [b]) => (a === "") - (b === "") || a.localeCompare(b))) {
      if (isGrouped) nodes.push(element("h2", { class: "group-title" }, group === "" ? "without a group" : group));
      nodes.push(...rows.map((row) => row.node));
      this.order.push(...rows);
    }
    // What stays in its place keeps the focus.
    const shown = [...this.body.children];
    if (shown.length !== nodes.length || nodes.some((node, index) => node !== shown[index])) {
      const focused = document.activeElement;
      this.body.replaceChildren(...nodes);
      if (this.body.contains(focused)) focused.focus({ preventScroll: true });
    }
    if (!this.order.includes(this.current)) this.current = null;
    if (this.current === null && this.order.length > 0) this.choose(this.order[0], this.order[0].nearest(data.now), false);
  }

  /** Marks what is not known: entries before, and after, some instants. */
  showEdges(data) {
    const part = (instant) => ((instant - data.from) / (data.until - data.from)) * 100;
    const [before, after] = this.unknown;
    before.hidden = data.knownFrom === null;
    after.hidden = data.knownUntil === null;
    if (!before.hidden) before.style.setProperty("--width", `${Math.min(100, part(data.knownFrom))}%`);
    if (!after.hidden) after.style.setProperty("--width", `${Math.min(100, 100 - part(data.knownUntil))}%`);
  }

  /** Shows another stretch of what is drawn, until its own drawing has come. */
  shift(from, length) {
    if (!this.data) return;
    const { columns, from: drawnFrom, until } = this.data;
    const scale = columns / (until - drawnFrom);
    const left = (from - drawnFrom) * scale, width = Math.max(1, length * scale);
    for (const svg of [this.axis, this.backdrop, this.load, ...this.order.flatMap((row) => row.drawings)]) {
      const height = svg.getAttribute("viewBox").split(" ")[3];
      svg.setAttribute("viewBox", `${left} 0 ${width} ${height}`);
    }
    this.shown = { from, length };
    this.node.classList.toggle("moved", from !== drawnFrom || length !== until - drawnFrom);
    this.moveNow(this.actions.now());
  }

  /** Puts the now line where the daemon's clock is. */
  moveNow(now) {
    if (!this.shown || !this.data) return;
    const part = (now - this.shown.from) / this.shown.length;
    this.nowLine.hidden = part < 0 || part > 1;
    this.nowLine.style.setProperty("--at", `${part * 100}%`);
    const text = time(Math.floor(now / 1000) * 1000, this.data.zone);
    if (this.nowLine.firstChild.textContent !== text) this.nowLine.firstChild.textContent = text;
  }

  /** Makes a row the current one, with a mark selected: it has the one button that the Tab key reaches. */
  choose(row, index, isFocused) {
    if (this.current && this.current !== row) this.current.deselect();
    this.current = row;
    row.select(index, isFocused);
  }

  /** Moves to the row above or below, to the mark nearest in time. */
  moveRow(step) {
    const place = this.order.indexOf(this.current) + step;
    const row = this.order[Math.min(Math.max(place, 0), this.order.length - 1)];
    if (!row) return;
    const mark = this.current?.selected;
    this.choose(row, row.nearest(mark ? mark.start ?? mark.at : this.actions.now()), true);
  }

  /** Moves to a mark of the current row. */
  moveMark(index) {
    if (this.current) this.choose(this.current, index, true);
  }

  listen() {
    const pointers = new Map();
    let drag = null;
    const rowAt = (event) => this.order.find((row) => row.tracks.contains(event.target)) ?? null;
    const column = (event) => {
      const box = this.overlay.getBoundingClientRect();
      return ((event.clientX - box.left) / box.width) * (this.data?.columns ?? 1);
    };
    const part = (event) => column(event) / (this.data?.columns ?? 1);
    this.node.addEventListener("pointerdown", (event) => {
      if (!event.target.closest(".track") || event.button !== 0) return;
      pointers.set(event.pointerId, event);
      drag = { row: rowAt(event), start: column(event), shown: this.shown, moved: false, gap: gap(pointers) };
    });
    this.node.addEventListener("pointermove", (event) => {
      if (!pointers.has(event.pointerId)) return this.showTip(event, rowAt(event), column(event));
      pointers.set(event.pointerId, event);
      if (!drag || !drag.shown) return;
      if (pointers.size === 2 && drag.gap > 0) {
        drag.moved = true;
        return this.actions.zoomTo(drag.shown, drag.gap / Math.max(1, gap(pointers)), part(event));
      }
      const by = drag.start - column(event);
      if (!drag.moved && Math.abs(by) < 4) return;
      drag.moved = true;
      this.tip.hidden = true;
      if (!this.node.hasPointerCapture(event.pointerId)) this.node.setPointerCapture(event.pointerId);
      this.actions.panTo(drag.shown, by / this.data.columns);
    });
    const end = (event) => {
      const wasDown = pointers.delete(event.pointerId);
      if (!wasDown || !drag) return;
      const { row, moved, start } = drag;
      if (pointers.size === 0) drag = null;
      if (event.type === "pointerup" && !moved && row && !event.target.closest(".cursor")) {
        this.choose(row, row.at(start, nodeAt(event)), true);
        if (row.index >= 0) this.actions.open(row);
      }
    };
    this.node.addEventListener("pointerup", end);
    this.node.addEventListener("pointercancel", end);
    this.node.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.node.addEventListener("wheel", (event) => {
      if (!event.target.closest(".track") || !this.shown) return;
      if (event.ctrlKey || event.altKey) {
        event.preventDefault();
        this.actions.zoomTo(this.shown, Math.exp(event.deltaY / 300), part(event));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        this.actions.panTo(this.shown, (event.deltaX || event.deltaY) / this.data.columns);
      }
    }, { passive: false });
  }

  showTip(event, row, column) {
    const mark = row?.marks[row.at(column, nodeAt(event))];
    say(this.tip, mark && event.pointerType === "mouse" ? about(mark, row.job.zone) : null);
    if (this.tip.hidden) return;
    const box = this.node.getBoundingClientRect();
    this.tip.style.setProperty("--x", `${Math.min(event.clientX - box.left, box.width - 280)}px`);
    this.tip.style.setProperty("--y", `${event.clientY - box.top + 18}px`);
  }
}

/** The node whose lane an event is in; `null` for the daemon's own. */
function nodeAt(event) {
  return event.target.closest(".track")?.dataset.node ?? null;
}

function gap(pointers) {
  const [first, second] = [...pointers.values()];
  return second ? Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY) : 0;
}
