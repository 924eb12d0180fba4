// What if: a proposed configuration beside the one in force, entry by entry.

import { Board, boardRow, picture } from "./board.js";
import { byId, drawn, element, say, shapes } from "./elements.js";
import { enter } from "./entrance.js";
import { plan } from "./server.js";
import { LINES, showLines, tableLine } from "./table.js";
import { LENGTHS } from "./view.js";
import { zoned } from "./words.js";

/** Signs of changes, around their instant in the middle of a strip of 16 pixels: a plus, a cross, and an arrow for one that moves. */
const SIGNS = { added: (x) => `M${x - 5} 8h10M${x} 3v10`, removed: (x) => `M${x - 4} 4l8 8M${x + 4} 4l-8 8` };
const MEANINGS = [["added", SIGNS.added(14), "only the proposal has it"], ["removed", SIGNS.removed(14), "the proposal has it no more"], ["moved", arrow(3, 25), "moved"]];

const board = new Board(byId("chart"));
const form = byId("proposal"), text = byId("text");

function arrow(from, to) {
  const way = from < to ? -4 : 4;
  return `M${from} 8H${to}M${to + way} 4L${to} 8l${way} 4`;
}

async function compare(event) {
  event?.preventDefault();
  byId("compare").disabled = true;
  try {
    byId("plan").hidden = false;
    const length = Number(byId("length").value);
    history.replaceState(null, "", `?length=${length}`);
    const result = await plan({ configuration: text.value, length, columns: board.columns });
    say(byId("fault"), null);
    showRemarks(result);
    byId("plan").hidden = result.pairs === null;
    if (result.pairs !== null) show(result);
    (result.pairs === null ? byId("remarks") : byId("verdict")).focus();
  } catch (error) {
    byId("plan").hidden = true;
    if (error.status === 401) await enter();
    say(byId("fault"), error.status === 413 ? "The text is too long: 256 kB at most." : error.message);
  } finally {
    byId("compare").disabled = false;
  }
}

function showRemarks({ remarks, omittedRemarks, pairs }) {
  const errors = remarks.filter((remark) => remark.isError).length;
  byId("remarks").hidden = remarks.length === 0;
  byId("remarks").tabIndex = -1;
  byId("remarks").replaceChildren(
    element("h2", { class: pairs === null ? "fault" : "" }, pairs === null ? `The configuration has ${errors === 1 ? "an error" : `${errors} errors`}` : "Warnings"),
    ...remarks.map((remark) => element("div", { class: "remark" }, element("pre", { tabindex: "0", role: "region", "aria-label": remark.isError ? "Error" : "Warning" }, remark.text),
      remark.line === 0 ? null : element("button", { type: "button", click: () => select(remark) }, `Line ${remark.line}`))),
    omittedRemarks > 0 ? element("p", {}, `${omittedRemarks} more`) : "");
}

/** Puts the caret of the text where a remark points. */
function select({ line, column }) {
  const lines = text.value.split("\n");
  const begin = lines.slice(0, line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  text.focus();
  text.setSelectionRange(begin + column - 1, begin + (lines[line - 1]?.length ?? 0));
  text.scrollTop = (line - 3) * (text.scrollHeight / Math.max(1, lines.length));
}

function show(data) {
  document.title = `What if · ${data.machine}`;
  say(byId("machine"), `on ${data.machine}`);
  byId("verdict").textContent = data.verdict;
  const facts = [];
  if (data.isShortened) facts.push("The comparison ends early: there are too many entries.");
  if (data.otherFileCount > 0) facts.push(`The configuration in force has ${data.otherFileCount} more ${data.otherFileCount === 1 ? "file" : "files"}, whose jobs are gone unless they are in the text.`);
  if (data.omittedCount > 0) facts.push(`${data.omittedCount} more jobs change.`);
  say(byId("short"), facts.join(" "));
  byId("chart").hidden = byId("legend").hidden = byId("table").hidden = data.pairs.length === 0;
  board.update(data, data.pairs.map((pair) => row(pair, data)));
  const kept = data.kept.slice(0, 50).join(", ") + (data.kept.length > 50 ? ` and ${data.kept.length - 50} more` : "");
  say(byId("kept"), data.kept.length > 0 ? `Unchanged: ${kept}` : null);
  showTable(data.pairs);
}

function row(pair, data) {
  const words = pair.change === "kept" ? "affected by others" : pair.change;
  const heading = [
    element("div", { class: "name" }, element("h3", {}, pair.name), element("span", { class: `chip ${pair.change}` }, words)),
    element("small", {}, pair.counts || `every entry stays${data.isShortened ? ` until ${zoned(data.until, pair.zone)}` : ""}`), ...pair.differences.map((text) => element("small", {}, text)),
  ];
  const side = (style, name, side) => element("div", { class: `side ${style}` }, element("span", { class: "quiet" }, side ? name : "no such job"),
    picture(data, data.rowHeight, `${pair.name}, ${name}: ${side?.summary ?? "no such job"}`, drawn("g", { class: style }, ...shapes(side?.shapes ?? []))));
  return boardRow(pair.name, heading,
    [side("old", "as it is", pair.before), element("div", { class: "signs" }, picture(data, 16, null, ...signs(pair, data))), side("planned", "as it would be", pair.after)], "pair");
}

function signs({ changes }, data) {
  const x = (at) => Math.round(((at - data.from) / (data.until - data.from)) * data.columns);
  const paths = { removed: "", added: "", moved: "" };
  for (const [before, after, word] of changes) {
    if (word === "moved") paths.moved += arrow(x(before), x(after));
    else if (word === "added") paths.added += SIGNS.added(x(after));
    else if (word === "removed") paths.removed += SIGNS.removed(x(before));
  }
  return Object.entries(paths).filter(([, path]) => path !== "").map(([style, d]) => drawn("path", { class: `sign ${style}`, d }));
}

function showTable(pairs) {
  const lines = pairs.flatMap((pair) => [
    ...pair.changes.map(([before, after, word]) => [pair, word, before, after]),
    ...pair.overlaps.map((at) => [pair, "overlaps a run", null, at])]);
  const omitted = pairs.reduce((sum, pair) => sum + pair.omittedChanges, Math.max(0, lines.length - LINES));
  const cell = (at, zone) => at === null ? "–" : zoned(at, zone);
  showLines(["Job", "Entry", "As it is", "As it would be"],
    lines.slice(0, LINES).map(([{ name, zone }, word, before, after]) => tableLine(name, [word, cell(before, zone), cell(after, zone)])),
    omitted > 0 ? `${omitted.toLocaleString("en")} more entries change` : null);
}

function listen() {
  const wanted = new URLSearchParams(location.search).get("length");
  byId("length").append(...LENGTHS.slice(2, 7).map(([value, text]) => element("option", { value: String(value) }, text)));
  byId("length").value = wanted;
  if (byId("length").value === "") byId("length").value = String(7 * 86_400_000);
  byId("length").addEventListener("change", () => { if (text.value !== "") compare(); });
  byId("file").addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    if (file.size > 256 * 1024) return say(byId("fault"), "The file is too long: 256 kB at most.");
    text.value = await file.text();
    compare();
  });
  text.addEventListener("keydown", (event) => { if (event.ctrlKey && event.key === "Enter") compare(event); });
  form.addEventListener("submit", compare);
  byId("legend").append(...MEANINGS.map(([style, d, words]) => element("li", {},
    drawn("svg", { viewBox: "0 0 28 16", "aria-hidden": "true" }, drawn("path", { class: `sign ${style}`, d })), words)));
}

try {
  await enter();
  byId("main").hidden = false;
  listen();
} catch (error) {
  say(byId("fault"), error.message);
}
