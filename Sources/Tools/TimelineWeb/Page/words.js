// Instants, lengths and entries in words.

const formats = new Map();

function format(zone, key, options) {
  const name = `${zone} ${key}`;
  if (!formats.has(name)) {
    let made;
    try {
      made = new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options });
    } catch {
      // A zone that this browser does not know.
      made = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
    }
    formats.set(name, made);
  }
  return formats.get(name);
}

/** `Thu 26 Nov, 02:30:00`, with another year than `now`. */
export function instant(at, zone, now = Date.now()) {
  const date = day(at, zone);
  return `${date.slice(-4) === day(now, zone).slice(-4) ? date.slice(0, -5) : date}, ${time(at, zone)}`;
}

const day = (at, zone) =>
  format(zone, "day", { weekday: "short", day: "numeric", month: "short", year: "numeric" }).format(at).replace(",", "");

/** `02:30:00` on the day of `now`, else as `instant`. */
export function brief(at, now, zone) {
  return day(at, zone) === day(now, zone) ? time(at, zone) : instant(at, zone, now);
}

/** `02:30:00`, with milliseconds where they are not zero; `02:30:00 CEST` within half a day of a clock change. */
export function time(milliseconds, zone) {
  const text = format(zone, "time", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(milliseconds);
  const rest = ((milliseconds % 1000) + 1000) % 1000;
  const fraction = rest === 0 ? "" : `.${String(Math.floor(rest)).padStart(3, "0")}`;
  return text + fraction + (isNearClockChange(milliseconds, zone) ? ` ${zoneName(milliseconds, zone, "short")}` : "");
}

const zoneName = (milliseconds, zone, style) =>
  format(zone, style, { timeZoneName: style }).formatToParts(milliseconds).find(({ type }) => type === "timeZoneName").value;

const HOUR = 3_600_000;
/** Whether a zone changes its offset near an hour; emptied when there are many. */
const clockChanges = new Map();

function isNearClockChange(milliseconds, zone) {
  const hour = Math.floor(milliseconds / HOUR);
  const key = `${zone} ${hour}`;
  if (!clockChanges.has(key)) {
    if (clockChanges.size > 10_000) clockChanges.clear();
    const [before, after] = [hour - 12, hour + 12].map((other) => zoneName(other * HOUR, zone, "longOffset"));
    clockChanges.set(key, before !== after);
  }
  return clockChanges.get(key);
}

/** `1h 30m`, `12s`, `250ms`: two units at most. */
export function length(milliseconds) {
  if (milliseconds > 0 && milliseconds < 9.95) return `${Number(milliseconds.toPrecision(2))}ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)}ms`;
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)}s`;
  let rest = Math.round(milliseconds / 1000);
  const parts = [];
  for (const [unit, seconds] of [["d", 86_400], ["h", 3_600], ["m", 60], ["s", 1]]) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count}${unit}`);
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

export function distance(milliseconds, now) {
  const gap = milliseconds - now;
  return gap >= 0 ? `in ${length(gap)}` : `${length(-gap)} ago`;
}

export const PAST = 0, ACTIVE = 1, PLANNED = 2;

const KINDS = {
  succeeded: "success", failed: "failure", "timed-out": "failure", lost: "failure", unknown: "failure",
  cancelled: "cancellation", missed: "miss", overlapped: "miss", limited: "miss",
};
export const kind = (outcome) => KINDS[outcome] ?? "omission";

export function mark([left, right, entry, count, phase, outcome, start, end, run, processorTime, memory, node]) {
  return { left, right, entry, at: Date.parse(entry), count, phase, outcome, start, end, run, processorTime, memory, node };
}

/** State of a mark: `succeeded`, `running`, `planned; expected: overlapped`. */
export function state(mark) {
  if (mark.node !== null && mark.outcome === null) return "claimed";
  if (mark.phase === ACTIVE) return mark.start === null ? "due, waits for its start" : "running";
  if (mark.phase === PLANNED) {
    return mark.outcome === null || mark.outcome === "succeeded" ? "planned" : `planned; expected: ${mark.outcome}`;
  }
  return mark.outcome ?? "open";
}

export function about(mark, zone) {
  const where = mark.node === null ? "" : ` on node ${mark.node}`;
  if (mark.count > 1) {
    return `${mark.count} entries${where} until ${instant(mark.at, zone)}, worst: ${mark.outcome ?? state(mark)}`;
  }
  const took = mark.phase === PAST && mark.start !== null && mark.end !== null ? `, took ${length(mark.end - mark.start)}` : "";
  return `${instant(mark.at, zone)}: ${state(mark)}${where}${took}`;
}

/** `Sun, 25 Oct 2026, 02:30:00 CEST`. */
export function zoned(milliseconds, zone) {
  return format(zone, "zoned", { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" })
    .format(milliseconds);
}

/** The instant of a local time such as `2026-10-25T02:30` in a zone, of two the first; `null` for none. */
export function instantIn(text, zone) {
  const civil = Date.parse(`${text}Z`);
  if (!Number.isFinite(civil)) return null;
  const local = format(zone, "local", { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" });
  const civilAt = (at) => {
    const part = Object.fromEntries(local.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  };
  const found = [civil - 86_400_000, civil + 86_400_000].map((at) => civil - (civilAt(at) - at));
  const right = found.filter((at) => civilAt(at) === civil);
  return Math.min(...(right.length > 0 ? right : found));
}
