// The panel beside the chart: the job, and the explanation of an entry.

import { byId, element } from "./elements.js";
import { brief, distance, instant, length, PLANNED, time } from "./words.js";

/** Shows a job, and the explanation of an entry, which may still be loading or have failed. */
export function showStory({ job, mark, now, story, fault, isReadOnly, actions }) {
  const panel = byId("story");
  const hadFocus = panel.contains(document.activeElement);
  panel.replaceChildren(
    element("div", { class: "panel-head" }, element("h2", {}, job.name),
      element("button", { class: "close", "aria-label": "Close", title: "Close (Esc)", click: actions.close }, "×")),
    ...(isReadOnly ? [] : [buttons(job, story, actions)]),
    ...entry(story, fault, job, mark), facts(job, now));
  panel.hidden = false;
  if (hadFocus) panel.focus();
}

function buttons(job, story, actions) {
  const reason = element("input", { type: "text", maxlength: "200", placeholder: "reason, for others", "aria-label": "Reason of the pause" });
  const runs = job.running.map((run) => run.run);
  const run = story?.isRunning && runs.includes(story.run) ? story.run : runs[0];
  return element("div", { class: "changes" },
    element("button", { click: () => actions.change("trigger", { job: job.name }) }, "Run now"),
    ...(job.pausedSince === null
      ? [element("button", { click: () => actions.change("pause", { job: job.name, reason: reason.value }) }, "Pause"), reason]
      : [element("button", { click: () => actions.change("resume", { job: job.name }) }, "Resume")]),
    run === undefined ? null
      : element("button", { class: "danger", click: () => actions.change("cancel", { run }) }, `Cancel run ${run}`));
}

function entry(story, fault, job, mark) {
  if (fault) return [element("p", { class: "fault", role: "alert" }, fault)];
  if (!story) return [];
  const parts = [element("p", { class: "headline" }, story.headline)];
  if (mark?.phase === PLANNED) parts.push(element("p", {}, `Simulated: ${expectation(mark, job.zone)}`));
  if (story.details.length > 0) parts.push(list(story.details.map(({ name, text }) => [name, text])));
  if (story.attempts.length > 1) {
    parts.push(element("h3", {}, "Attempts"), element("ol", { class: "attempts" },
      ...story.attempts.map((attempt) => element("li", {},
        `${instant(attempt.startedAt, job.zone)}: ${attempt.outcome ?? "running"}`
        + (attempt.duration ? `, ${attempt.duration}` : "") + (attempt.message ? `: ${attempt.message}` : "")))));
  }
  if (story.output !== null) {
    parts.push(element("h3", {}, "Output"), element("pre", { tabindex: "0", role: "region", "aria-label": "Output of the run" }, story.output));
  }
  return parts;
}

/** What the engine expects of an entry to come. */
function expectation(mark, zone) {
  if (mark.start === null) return mark.outcome ?? "its run follows from its schedule";
  const late = mark.start > mark.at ? `, ${length(mark.start - mark.at)} late` : "";
  const lasts = mark.end === null ? "" : `, for ${length(mark.end - mark.start)}`;
  return `runs at ${time(mark.start, zone)}${late}${lasts}`;
}

function facts(job, now) {
  const lines = [["schedule", job.schedule], ["zone", job.zone], ["plugin", job.plugin]];
  if (job.groups.length > 0) lines.push(["groups", job.groups.join(", ")]);
  if (job.next !== null) lines.push(["next", `${brief(job.next, now, job.zone)}, ${distance(job.next, now)}`]);
  for (const run of job.running) {
    const progress = run.progressMillionths === null ? "" : `, ${Math.round(run.progressMillionths / 10_000)} %`;
    lines.push(["running", `run ${run.run} for ${length(Math.max(0, now - run.startedAt))}${progress}`
      + (run.progressText ? `: ${run.progressText}` : "")]);
  }
  if (job.last) lines.push(["last", `${job.last.outcome}, ${distance(job.last.endedAt, now)}` + (job.last.reason ? `: ${job.last.reason}` : "")]);
  if (job.pausedSince !== null) {
    lines.push(["paused", `since ${instant(job.pausedSince, job.zone)}`
      + (job.pausedBy ? ` by ${job.pausedBy}` : "") + (job.pauseReason ? `: ${job.pauseReason}` : "")]);
  }
  if (job.fault) lines.push(["fault", job.fault]);
  if (job.trend) {
    const change = job.trend.changePercent;
    lines.push(["durations", `median ${job.trend.median}, longest ${job.trend.longest}, last ${job.trend.last} (${job.trend.count} runs)`
      + (change === null ? "" : `; newer half ${change > 0 ? "+" : ""}${change} %`)]);
  }
  return element("section", {}, element("h3", {}, "Job"), list(lines));
}

function list(lines) {
  return element("dl", {}, ...lines.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}
