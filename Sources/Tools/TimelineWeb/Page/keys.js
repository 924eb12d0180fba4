// The meaning of keys.

import { byId, element } from "./elements.js";

const HELP = [
  ["← →", "entry before, entry after"], ["↑ ↓", "job above, job below"], ["Home End", "first and last entry of the window"],
  ["Enter", "story of the entry"], ["Esc", "back"], ["+ −", "zoom in and out"], ["Shift ← →", "move the window"],
  ["n", "now, and follow the clock"], ["/", "filter"], ["t", "trigger"], ["p", "pause or resume"], ["?", "these keys"],
];

/** Listens for keys; `actions` has what they do. */
export function listenForKeys(chart, actions) {
  byId("key-list").append(...HELP.flatMap(([keys, text]) => [element("dt", {}, keys), element("dd", {}, text)]));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    const isTyping = event.target.closest("input:not([type=checkbox]), select, textarea");
    if (event.key === "Escape") return actions.back(event);
    if (isTyping) return;
    const action = general(event, actions) ?? (event.target.closest("#story") ? null : inChart(event, chart));
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function general(event, actions) {
  if (event.shiftKey && event.key === "ArrowLeft") return () => actions.pan(-0.5);
  if (event.shiftKey && event.key === "ArrowRight") return () => actions.pan(0.5);
  switch (event.key) {
    case "+": case "=": return () => actions.zoom(0.5);
    case "-": case "−": return () => actions.zoom(2);
    case "n": return () => actions.followNow();
    case "/": return () => byId("filter").focus();
    case "?": return () => byId("keys").showModal();
    case "t": return () => actions.trigger();
    case "p": return () => actions.pauseOrResume();
    default: return null;
  }
}

function inChart(event, chart) {
  const row = chart.current;
  // Elsewhere the keys do what they always do: they scroll, and open what is folded.
  const isOutside = event.target !== document.body && !event.target.closest("#chart");
  if (!row || isOutside) return null;
  switch (event.key) {
    case "ArrowLeft": return () => chart.moveMark(Math.max(0, row.index - 1));
    case "ArrowRight": return () => chart.moveMark(row.index + 1);
    case "ArrowUp": return () => chart.moveRow(-1);
    case "ArrowDown": return () => chart.moveRow(1);
    case "Home": return () => chart.moveMark(0);
    case "End": return () => chart.moveMark(row.marks.length - 1);
    default: return null;
  }
}
