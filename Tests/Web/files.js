/** Timelines made up for tests. */

import { openTimelineFile } from "../../web/model/files/file-opening.js";

/** @import { Json, JsonObject } from "../../web/base/json-types.d.ts" */

export const TIMELINE = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";

/** @type {JsonObject} */
export const HEADER = {
  timeline: TIMELINE,
  app: { name: "Commute", pid: 4121 },
  machine: { type: "Commute.Favorites", name: "favorites", kind: "states" },
  started: "2026-05-01T08:00:00Z",
  format: 1,
};

/**
 * Opens lines as if they had been dropped on the page.
 *
 * @param {readonly Json[]} lines without the header
 * @param {JsonObject} [header]
 */
export async function openLines(lines, header = HEADER) {
  const text = [header, ...lines].map((line) => JSON.stringify(line)).join("\n") + "\n";
  const { timeline } = await openTimelineFile(new Blob([text]));
  return timeline;
}

/**
 * A counter's recording: every third event adds 2, the others 1; a keyframe every ten entries, an
 * output that says whether the count is even.
 *
 * @param {number} count
 * @returns {JsonObject[]}
 */
export function counterLines(count) {
  /** @type {JsonObject[]} */
  const lines = [];
  let n = 0;
  for (let seq = 0; seq < count; seq++) {
    const by = seq === 0 ? 0 : seq % 3 === 0 ? 2 : 1;
    const wasEven = n % 2 === 0;
    n += by;
    const isEven = n % 2 === 0;
    lines.push({
      seq,
      t: seq * 1_000,
      ...(seq > 0 ? { event: by === 2 ? { add: { by } } : "step" } : {}),
      ...(seq % 10 === 0 ? { state: { n, log: [] }, outputState: { isEven } } : {}),
      ...(seq > 0 ? { patch: [{ op: "replace", path: "/n", value: n }] } : {}),
      ...(seq > 0 && isEven !== wasEven
        ? { outputs: [{ op: "replace", path: "/isEven", value: isEven }] }
        : {}),
    });
  }
  return lines;
}
