/** Which parts of the state grow, answered from a file. */

import { RequestError } from "../../wire/requests.js";
import { growingParts, sizeTree } from "./size-tree.js";

/** @import { Replies } from "../../wire/requests.js" */
/** @import { Request } from "../../wire/from-inspector.js" */
/** @import { AskOptions } from "../sources/source.js" */
/** @import { Lines, Moments } from "./moments.js" */

/**
 * @param {Lines} lines
 * @param {Moments} moments
 * @param {Request<"growth">} request
 * @param {AskOptions} [options]
 * @returns {Promise<Replies["growth"]>}
 */
export async function localGrowth(lines, moments, request, { signal, onProgress } = {}) {
  const { samples = 24, limit = 20 } = request;
  if (samples < 2 || samples > 64) {
    throw new RequestError("wrong-value", "The number of samples must be 2 to 64.");
  }
  if (limit < 1 || limit > 200) {
    throw new RequestError("wrong-value", "The limit must be 1 to 200.");
  }
  const { index } = lines;
  if (index.count === 0) return { type: "growth", seqs: [], bytes: [], paths: [] };
  const [first = 0, last = 0] = [index.seqs[0], index.seqs[index.count - 1]];
  const [from, to] = [
    Math.max(first, request.from ?? first),
    Math.min(last, request.to ?? last),
  ];
  if (from > to) {
    throw new RequestError("wrong-value", `The timeline has the entries ${first} to ${last}.`);
  }
  const asked = spread(samples, from, to);
  const measured = [];
  for (const [place, seq] of asked.entries()) {
    signal?.throwIfAborted();
    const at = index.placeOf(seq);
    const moment = at < index.count && index.seqs[at] === seq ? await moments.at(at) : "unknown";
    if (moment !== "unknown") measured.push({ seq, size: sizeTree(moment.state) });
    onProgress?.({ type: "progress", done: place + 1, of: asked.length });
  }
  const parts = growingParts(measured.map(({ size }) => size), ["state"]);
  const unknown = asked.length - measured.length;
  return {
    type: "growth",
    seqs: measured.map(({ seq }) => seq),
    bytes: measured.map(({ size }) => size.bytes),
    paths: parts.slice(0, limit),
    ...(unknown > 0 ? { unknown } : {}),
    ...(parts.length > limit ? { more: true } : {}),
  };
}

/**
 * Entries at equal distances, with the first and the last one.
 *
 * @param {number} count
 * @param {number} from
 * @param {number} to
 */
function spread(count, from, to) {
  const steps = Math.min(count - 1, to - from);
  if (steps <= 0) return [from];
  return Array.from(
    { length: steps + 1 },
    (_, step) =>
      from + Math.floor((to - from) / steps) * step +
      Math.floor((to - from) % steps * step / steps),
  );
}
