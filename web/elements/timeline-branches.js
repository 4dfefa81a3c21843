/** The branches that the timeline draws where they begin, and the room for their names. */

import { visible } from "../base/text.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { TimeTravel } from "../model/inspector/time-travel.js" */

/**
 * The branches of the timeline that is shown.
 *
 * @param {Inspector} inspector
 * @param {(seq: number) => number | undefined} timeOf
 * @returns {{ t: number, name: string }[]}
 */
export function branchSigns({ data, summaries }, timeOf) {
  return [...summaries.values()].flatMap(({ header, name }) =>
    header.parent !== undefined && header.parent.timeline === data?.id
      ? [{
        t: timeOf(header.parent.start) ?? 0,
        name: visible(name || header.parent.name || "branch"),
      }]
      : []
  );
}

/**
 * Whether there is room for names of branches: also before the first one, so that making it moves
 * nothing.
 *
 * @param {Inspector} inspector
 * @param {TimeTravel} timeTravel
 * @param {readonly unknown[]} branches
 */
export function hasRoomForBranches({ summary }, { forking }, branches) {
  return branches.length > 0 || summary?.header.parent !== undefined ||
    forking.canBranch;
}
