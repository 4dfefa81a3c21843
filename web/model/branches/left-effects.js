/** What a branch keeps although it skips the cause: effects do not run again. */

import { formatCount } from "../../base/format.js";
import { causeIn } from "../../wire/entry.js";
import { readEdits } from "./edits.js";
import { KeyedText } from "./keyed-text.js";

/** @import { Edit } from "./edits.js" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Source } from "../sources/source.js" */

/** Entries with a cause that are searched for one that stays. */
const WINDOW = 1_000;

export class LeftEffects {
  #loaded;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#loaded = new KeyedText(onChange);
  }

  /** The entries that stay, in words; empty until some are known. */
  get text() {
    return this.#loaded.text;
  }

  /**
   * Looks for what the skipped entries of a branch caused, unless that is done.
   *
   * @param {Source | undefined} source
   * @param {TimelineSummary | undefined} branch
   */
  update(source, branch) {
    const drops = dropsIn(readEdits(branch?.header.parent?.edits));
    if (!source || !branch || drops.length === 0) return this.#loaded.clear();
    this.#loaded.update(branch.header.timeline, (signal) => load(source, branch, drops, signal));
  }
}

/**
 * @param {Source} source
 * @param {TimelineSummary} branch
 * @param {Drop[]} drops
 * @param {AbortSignal} signal
 */
async function load(source, branch, drops, signal) {
  const { timeline = "", through = Infinity } = branch.header.parent ?? {};
  const first = Math.min(...drops.map((drop) => drop.first));
  const { entries } = await source.ask({
    type: "entries",
    timeline,
    from: first + 1,
    count: WINDOW,
    filter: `cause >= ${first}`,
  }, { signal });
  return leftWords(drops, entries.filter(({ seq }) => seq <= through));
}

/** @typedef {Extract<Edit, { is: "drop" }>} Drop */

/**
 * The skipped stretches; none if the branch also leaves out the end, where effects may be.
 *
 * @param {readonly Edit[]} edits
 * @returns {Drop[]}
 */
function dropsIn(edits) {
  if (edits.some(({ is }) => is === "cut")) return [];
  return edits.flatMap((edit) => edit.is === "drop" ? [edit] : []);
}

/**
 * Which entries stay although their cause is skipped.
 *
 * @param {readonly Drop[]} drops
 * @param {Iterable<Entry>} entries those of the parent that have a cause
 * @returns {string} empty if none stay
 */
export function leftWords(drops, entries) {
  const isSkipped = (/** @type {number} */ seq) =>
    drops.some(({ first, last }) => first <= seq && seq <= last);
  const left = [...entries].filter((entry) => {
    const cause = causeIn(entry);
    return cause !== undefined && isSkipped(cause) && !isSkipped(entry.seq);
  });
  const [one] = left;
  const cause = one && causeIn(one);
  if (!one || cause === undefined) return "";
  const stays = `Entry ${formatCount(one.seq)}, which ${formatCount(cause)} caused`;
  return left.length === 1
    ? `${stays}, stays. To skip it, too, choose Undo and press Shift+X.`
    : `${stays}, and ${formatCount(left.length - 1)} more stay. ` +
      "To skip them, too, choose Undo and press Shift+X.";
}
