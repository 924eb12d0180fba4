// What is shown: the window, the filter and the selection. They stand in the address, so that a reload and a link keep them.

const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** Lengths that the list offers. */
export const LENGTHS = [
  [MINUTE, "1 minute"], [10 * MINUTE, "10 minutes"], [HOUR, "1 hour"], [6 * HOUR, "6 hours"], [DAY, "1 day"],
  [7 * DAY, "1 week"], [30 * DAY, "30 days"], [365 * DAY, "1 year"],
];
const SHORTEST = 100, LONGEST = 732 * DAY;
/** Position of now in a window that follows it: more room for what comes. */
export const LEAD = 0.4;

export class View {
  constructor(address = new URLSearchParams(location.search)) {
    const number = (name) => (address.has(name) && Number.isFinite(Number(address.get(name))) ? Number(address.get(name)) : null);
    /** Begin in milliseconds; `null` while the window follows the daemon's clock. */
    this.from = number("from");
    /** Length in milliseconds; `null` for what suits the jobs. */
    this.length = number("length");
    this.filter = address.get("filter") ?? "";
    this.isGrouped = address.has("grouped");
    this.job = address.get("job");
    this.entry = address.get("entry");
  }

  get isFollowing() { return this.from === null; }

  /** Puts the view into the address. */
  keep() {
    const address = new URLSearchParams();
    for (const name of ["from", "length", "filter", "job", "entry"]) {
      const value = this[name];
      if (value !== null && value !== "") address.set(name, typeof value === "number" ? Math.round(value) : value);
    }
    if (this.isGrouped) address.set("grouped", "");
    const text = address.toString();
    history.replaceState(null, "", text ? `?${text}` : location.pathname);
  }

  /** Zooms by a factor around a part of the window; a window that follows goes on following. */
  zoom(factor, shown, part = LEAD) {
    const length = Math.round(Math.min(LONGEST, Math.max(SHORTEST, shown.length * factor)));
    if (!this.isFollowing || part !== LEAD) this.from = shown.from + (shown.length - length) * part;
    this.length = length;
  }

  /** Moves by a part of the window. */
  pan(part, shown) {
    this.from = shown.from + shown.length * part;
    this.length = shown.length;
  }

  /** Returns to the clock. */
  followNow() { this.from = null; }
}
