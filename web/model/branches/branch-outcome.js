/** What a branch changes in the end: how its last state differs from that of its parent. */

import { formatNumbered } from "../../base/format.js";
import { RequestError } from "../../wire/requests.js";
import { wordsAtEnd } from "../sources/end-words.js";
import { KeyedText } from "./keyed-text.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Source } from "../sources/source.js" */

/** Longer branches are not compared entry by entry until the reader asks for it. */
const MAXIMUM_COMPARED = 20_000;

export class BranchOutcome {
  #loaded;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#loaded = new KeyedText(onChange);
  }

  /** In words; empty until it is known. */
  get text() {
    return this.#loaded.text;
  }

  /**
   * Loads the outcome of a branch that is complete, unless it is here.
   *
   * @param {Source | undefined} source
   * @param {TimelineSummary | undefined} branch
   * @param {TimelineSummary | undefined} parent
   */
  update(source, branch, parent) {
    const isReady = source && parent && branch?.last !== undefined && parent.last !== undefined &&
      branch.computing === undefined;
    if (!isReady) return this.#loaded.clear();
    const key = `${branch.header.timeline} ${branch.last}`;
    this.#loaded.update(key, (signal) => load(source, branch, parent, signal));
  }
}

/**
 * @param {Source} source
 * @param {TimelineSummary} branch
 * @param {TimelineSummary} parent
 * @param {AbortSignal} signal
 */
async function load(source, branch, parent, signal) {
  const { start = 0, through = Infinity } = branch.header.parent ?? {};
  // The branch has not caused what the parent recorded since then.
  const a = { timeline: parent.header.timeline, seq: Math.min(parent.last ?? 0, through) };
  const b = { timeline: branch.header.timeline, seq: branch.last ?? 0 };
  const [words, verdict] = await Promise.all([
    wordsAtEnd(source, a, b, signal),
    b.seq - start > MAXIMUM_COMPARED ? undefined : compared(source, a.timeline, b.timeline, signal),
  ]);
  return outcomeText(words, verdict?.differing);
}

/**
 * @param {Source} source
 * @param {string} timeline
 * @param {string} branch
 * @param {AbortSignal} signal
 */
async function compared(source, timeline, branch, signal) {
  try {
    return await source.ask({ type: "compare", timeline, with: branch }, { signal });
  } catch (error) {
    // A file compares no timelines: then only the ends are.
    if (!(error instanceof RequestError)) throw error;
    return undefined;
  }
}

/**
 * The outcome in words.
 *
 * @param {string} words how the last moments differ; empty if they do not
 * @param {number | undefined} differing how many states differ, where it is known
 * @returns {string}
 */
export function outcomeText(words, differing) {
  const states = differing === undefined || differing === 0
    ? ""
    : ` ${formatNumbered(differing, "state")} ${differing === 1 ? "differs" : "differ"}.`;
  if (words === "") {
    return differing === 0
      ? "Ends in the same state; no state differs."
      : `Ends in the same state.${states}`;
  }
  return `At the end: ${words}.${states}`;
}
