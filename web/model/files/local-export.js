/** A stretch of a file as a file of its own. */

import { encodeBase64 } from "../../base/bytes.js";
import { writeJson } from "../../base/json.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { Replies } from "../../wire/requests.js" */
/** @import { Lines, Moments } from "./moments.js" */

/** How many lines are read at once. */
const BATCH = 512;

/**
 * The stretch, both ends included. It begins with a keyframe.
 *
 * @param {Lines} lines
 * @param {Moments} moments
 * @param {string} name
 * @param {{ from?: number, to?: number }} stretch
 * @returns {Promise<Replies["export"]>}
 */
export async function exportStretch(lines, moments, name, { from, to }) {
  const { index } = lines;
  const first = from === undefined ? 0 : index.placeOf(from);
  const end = to === undefined ? index.count : index.placeOf(to + 1);
  const [head] = await lines.read(-1, 0);
  const texts = [writeJson(head ?? null)];
  for (let start = first; start < end; start += BATCH) {
    for (const line of await lines.read(start, Math.min(end, start + BATCH))) {
      const isBegun = texts.length === 1 && first > 0;
      texts.push(writeJson(isBegun ? await begun(line, first, lines, moments) : line));
    }
  }
  return {
    type: "export",
    name: `${name.replace(/[^\w-]+/g, "-") || "timeline"}.timeline`,
    media: "application/x-ndjson",
    offset: 0,
    data: encodeBase64(new TextEncoder().encode(texts.join("\n") + "\n")),
  };
}

/**
 * A line as the first of a file: with its state, and the gap that stands for all before it.
 *
 * @param {JsonObject} line
 * @param {number} place
 * @param {Lines} lines
 * @param {Moments} moments
 * @returns {Promise<Json>}
 */
async function begun(line, place, lines, moments) {
  const moment = await moments.at(place);
  if (moment === "unknown") {
    throw new RequestError(
      "thinned",
      "The range begins at an entry whose state was not captured. Begin it at another entry.",
    );
  }
  const { patch: _, outputs: __, cause: ___, ...rest } = line;
  return {
    ...rest,
    state: moment.state,
    outputState: moment.outputs,
    gap: { lost: lines.index.seqs[place] ?? 0, why: "left out of the export" },
  };
}
