/** Playing a recording: at its own pace, faster, or so many entries a second. */

/** The paces by their names, in the order in which they are offered. */
export const PACES = /** @type {const} */ ([
  { id: "recorded", label: "1×", speed: 1 },
  { id: "fast", label: "4×", speed: 4 },
  { id: "faster", label: "20×", speed: 20 },
  { id: "even", label: "10 entries per second", perSecond: 10 },
  { id: "quick", label: "100 entries per second", perSecond: 100 },
]);

/** @typedef {typeof PACES[number]} Pace */

/** The longest pause between two entries while playing, in milliseconds. */
const LONGEST_PAUSE = 2_000;

/** Frames that are further apart were not drawn, as of a tab out of sight: playing stood still. */
const LONGEST_FRAME = 250;

/**
 * Which entry to show when: a machine without a clock.
 */
export class Player {
  #pace;
  #shown;
  /** When the entry that is shown was due, in milliseconds. */
  #since;
  /** When it was last asked what to show. */
  #asked;

  /**
   * @param {Pace} pace
   * @param {number} seq where it begins
   * @param {number} now
   */
  constructor(pace, seq, now) {
    this.#pace = pace;
    this.#shown = seq;
    this.#since = now;
    this.#asked = now;
  }

  get seq() {
    return this.#shown;
  }

  /**
   * The entry to show now. Goes as far as the known entries lead: when the next one is not there,
   * it waits, and time does not run away meanwhile.
   *
   * @param {number} now
   * @param {(seq: number) => { seq: number, t: number } | undefined} following the entry after
   * @param {(seq: number) => number | undefined} timeOf its `t`
   * @returns {number}
   */
  advance(now, following, timeOf) {
    this.#since += Math.max(0, now - this.#asked - LONGEST_FRAME);
    this.#asked = now;
    for (;;) {
      const next = following(this.#shown);
      const t = timeOf(this.#shown);
      if (!next || t === undefined) {
        this.#since = now;
        return this.#shown;
      }
      const pause = this.#pauseBetween(t, next.t);
      if (this.#since + pause > now) return this.#shown;
      this.#since += pause;
      this.#shown = next.seq;
    }
  }

  /**
   * @param {number} t
   * @param {number} next
   */
  #pauseBetween(t, next) {
    if ("perSecond" in this.#pace) return 1_000 / this.#pace.perSecond;
    // Times never decrease, unless a file is wrong.
    return Math.min(Math.max(0, next - t) / 1_000 / this.#pace.speed, LONGEST_PAUSE);
  }
}

/**
 * What playing needs of a timeline.
 *
 * @typedef {object} Playable
 * @property {{ stepped: (seq: number, steps: number) => number }} rows
 * @property {{ isComplete: boolean, isStopped: boolean } | undefined} filtered
 * @property {{ get: (seq: number) => { seq: number, t: number } | undefined,
 *   want: (seqs: readonly number[]) => void }} entries
 * @property {() => unknown} extendFilter
 */

/**
 * Whether nothing follows that could be played.
 *
 * @param {Playable} timeline
 * @param {number} seq
 */
export function isAtEnd({ rows, filtered }, seq) {
  if (filtered && !filtered.isComplete && !filtered.isStopped) return false;
  return rows.stepped(seq, 1) === seq;
}

/**
 * The entry to play next, when it is at hand; else it is asked for. The list may not be in view, so
 * that no one else does.
 *
 * @param {Playable} timeline
 * @param {number} seq
 */
export function nextToPlay(timeline, seq) {
  const { rows, entries } = timeline;
  const next = rows.stepped(seq, 1);
  if (next === seq) return void timeline.extendFilter();
  const entry = entries.get(next);
  if (!entry) entries.want([seq, next]);
  return entry;
}
