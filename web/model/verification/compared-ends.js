/** How the last moments of two timelines differ. */

import { PatchError } from "../../base/patch.js";
import { RequestError } from "../../wire/requests.js";
import { wordsAtEnd } from "../sources/end-words.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Source } from "../sources/source.js" */

/**
 * The last entry of a timeline that another one was computed from.
 *
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @param {string} timeline
 * @param {string} branch
 */
export function throughOf(summaries, timeline, branch) {
  const parent = summaries.get(branch)?.header.parent;
  return parent?.timeline === timeline ? parent.through ?? Infinity : Infinity;
}

/**
 * Whether one of two timelines is being computed, so that a comparison of them is not complete.
 *
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @param {{ a: string, b: string }} timelines
 */
export function areComputing(summaries, { a, b }) {
  return [a, b].some((id) => summaries.get(id)?.computing !== undefined);
}

/**
 * The sentence; empty if nothing differs, for a state that was not captured, and while one of the two
 * is computed.
 *
 * @param {Source} source
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @param {{ a: string, b: string }} timelines
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 */
export async function comparedEnds(source, summaries, { a, b }, signal) {
  const endOf = (/** @type {string} */ timeline, /** @type {string} */ other) => {
    const { last, computing } = summaries.get(timeline) ?? {};
    if (last === undefined || computing !== undefined) return undefined;
    return { timeline, seq: Math.min(last, throughOf(summaries, timeline, other)) };
  };
  const ends = { a: endOf(a, b), b: endOf(b, a) };
  if (!ends.a || !ends.b) return "";
  try {
    const words = await wordsAtEnd(source, ends.a, ends.b, signal);
    return words && `At the end: ${words}.`;
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof PatchError)) throw error;
    return "";
  }
}
