// The clock of a rehearsal: it stands, or goes at a speed until the end of what is known.

/** Speeds that the list offers, as the terminal's; `max` passes a window in a second. */
export const SPEEDS = ["1", "10", "60", "600", "3600", "21600", "86400", "max"];

export class Playhead {
  constructor(at, speed) {
    this.anchor = { at, real: performance.now() };
    this.speed = SPEEDS.includes(speed) ? speed : "600";
    this.isPlaying = false;
    /** Instant beyond which nothing is known, and length of the window. */
    this.edge = Infinity;
    this.length = 0;
  }

  get rate() { return this.speed === "max" ? Math.max(86_400, this.length / 1000) : Number(this.speed); }

  /** The instant that it shows. */
  get now() {
    const { at, real } = this.anchor;
    return this.isPlaying ? Math.max(at, Math.min(this.edge, at + (performance.now() - real) * this.rate)) : at;
  }

  /** Goes to an instant, and on from there. */
  move(at) { this.anchor = { at: Math.round(at), real: performance.now() }; }

  play(isPlaying) { this.move(this.now); this.isPlaying = isPlaying; }

  setSpeed(speed) { this.move(this.now); this.speed = speed; }

  /** Takes the next higher or lower speed. */
  shift(step) { this.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(this.speed) + step, 0), SPEEDS.length - 1)]); }
}
