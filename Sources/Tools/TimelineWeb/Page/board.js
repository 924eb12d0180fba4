// An axis with rows of drawings below it.

import { drawn, element, shapes } from "./elements.js";

export class Board {
  constructor(node) {
    this.node = node;
    this.backdrop = drawn("svg", { class: "backdrop", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.overlay = element("div", { class: "overlay" }, this.backdrop);
    this.axis = drawn("svg", { class: "axis", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.zone = element("div", { class: "heading zone" });
    this.rows = element("div", { class: "rows" });
    node.append(this.overlay, element("div", { class: "row head" }, this.zone, element("div", { class: "track" }, this.axis)), this.rows);
  }

  /** Width of the rows in pixels. */
  get columns() { return Math.max(1, Math.round(this.overlay.clientWidth)); }

  /** Shows an axis and rows. */
  update(data, rows) {
    this.zone.textContent = data.zone;
    this.axis.setAttribute("viewBox", `0 0 ${data.columns} ${data.axisHeight}`);
    this.axis.setAttribute("height", data.axisHeight);
    this.axis.replaceChildren(...shapes(data.axis));
    this.backdrop.setAttribute("viewBox", `0 0 ${data.columns} ${data.rowHeight}`);
    this.backdrop.replaceChildren(...shapes(data.grid));
    this.rows.replaceChildren(...rows);
  }
}

/** A drawing as wide as the rows; without a label it is for eyes alone. */
export function picture(data, height, label, ...parts) {
  const role = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return drawn("svg", { viewBox: `0 0 ${data.columns} ${height}`, preserveAspectRatio: "none", ...role }, ...parts);
}

/** A row: words on the left, drawings on the right. */
export function boardRow(name, heading, tracks, style = "") {
  return element("div", { class: `row ${style}`, role: "group", "aria-label": name },
    element("div", { class: "heading" }, ...heading), element("div", { class: "track" }, ...tracks));
}
