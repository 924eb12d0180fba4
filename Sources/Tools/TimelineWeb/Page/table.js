// The window as a table: the same entries as text.

import { byId, element } from "./elements.js";
import { instant, length, PAST, state } from "./words.js";

/** Lines of the table: more than anybody reads, and a browser still lays them out at once. */
export const LINES = 1000;

/** What some entries have: title and text; a column is there if an entry in the window has it. */
const MORE = [
  ["CPU", (mark) => mark.processorTime === null ? null : length(mark.processorTime)],
  ["Memory", (mark) => mark.memory],
  ["Node", (mark, row) => row.job.lanes.length === 0 ? null : mark.node ?? row.data.daemon.node],
];

/** Shows the rows of the chart as a table. */
export function showTable(rows) {
  const lines = [];
  const more = MORE.filter(([, text]) => rows.some((row) => row.marks.some((mark) => text(mark, row) !== null)));
  let count = 0;
  for (const row of rows) {
    for (const mark of row.marks) {
      count += 1;
      if (lines.length < LINES) lines.push(line(row, mark, more));
    }
  }
  const rest = count > LINES ? `${count - LINES} more lines are left out (limit: ${LINES}): filter the jobs, or zoom in` : null;
  showLines(["Job", "Entry", "Outcome", "Start", "Duration", ...more.map(([title]) => title)], lines, rest);
}

/** Shows lines below a head, and what is left out, in words. */
export function showLines(head, lines, more) {
  byId("table-rows").replaceChildren(
    element("table", {},
      element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...lines.slice(0, LINES))), more ? element("p", {}, more) : "");
}

/** A line of cells after the one that names it. */
export function tableLine(name, cells) {
  return element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((text) => element("td", {}, text)));
}

function line(row, mark, more) {
  const zone = row.job.zone;
  const outcome = mark.count > 1 ? `${mark.count} entries, worst: ${mark.outcome ?? state(mark)}` : state(mark);
  const took = mark.phase === PAST && mark.start !== null && mark.end !== null ? length(mark.end - mark.start) : "–";
  const cells = [instant(mark.at, zone), outcome, mark.start === null ? "–" : instant(mark.start, zone), took, ...more.map(([, text]) => text(mark, row) ?? "–")];
  return tableLine(row.name, cells);
}
