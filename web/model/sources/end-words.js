/** How two timelines differ at their ends, in words. */

import { endWords } from "../../base/end-difference.js";

/** @import { Source } from "./source.js" */

/**
 * How two moments differ, in words.
 *
 * @param {Source} source
 * @param {{ timeline: string, seq: number }} a
 * @param {{ timeline: string, seq: number }} b
 * @param {AbortSignal} signal
 * @throws {RequestError} such as for a state that was not captured
 */
export async function wordsAtEnd(source, a, b, signal) {
  const [{ patch }, before] = await Promise.all([
    source.ask({ type: "diff", a, b }, { signal }),
    source.ask({ type: "state", ...a, depth: 8 }, { signal }),
  ]);
  return endWords(patch, before.value ?? null);
}
