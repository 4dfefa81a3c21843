/** Counts over a file's entries, as the daemon's overview gives them. */

import { FLAGS } from "../../wire/timeline-file.js";

/** @import { EntryIndex } from "../../wire/timeline-file.js" */
/** @import { Overview } from "../../wire/overview.js" */

/** Lanes for event names without an assigned lane: the most frequent, and the rest. */
const MAXIMUM_LANES = 10;

/** The lanes of a header that have a column; events of later ones count in the last lane. */
const MAXIMUM_HEADER_LANES = 64;

/** The lane of all events that have no other. */
export const OTHER_LANE = "other";

/** The place of entries without an event, which belong to no lane. */
const NO_LANE = -1;

/**
 * @param {EntryIndex} index
 * @param {Map<string, string> | undefined} lanes the lanes of the header
 * @param {{ timeline: string, from: number, to: number, buckets: number, by: "seq" | "t" }} request
 * @returns {Overview}
 */
export function countOverview(index, lanes, { timeline, from, to, buckets, by }) {
  const { names, laneOfName } = assignLanes(index, lanes);
  const column = () => new Uint32Array(buckets);
  const [entries, errors, lost, keyframes, thinned] = [
    column(),
    column(),
    column(),
    column(),
    column(),
  ];
  const byLane = names.map(column);
  const xs = by === "seq" ? index.seqs : index.times;
  const first = by === "seq" ? index.placeOf(from) : index.placeAt(from);
  const width = to - from + 1;
  for (let place = first; place < index.count; place++) {
    const x = xs[place] ?? 0;
    if (x > to) break;
    const bucket = Math.floor((x - from) * buckets / width);
    const flags = index.flags[place] ?? 0;
    entries[bucket] = (entries[bucket] ?? 0) + 1;
    if (flags & FLAGS.error) errors[bucket] = (errors[bucket] ?? 0) + 1;
    if (flags & FLAGS.gap) lost[bucket] = (lost[bucket] ?? 0) + (index.lost.get(place) ?? 0);
    if (flags & FLAGS.keyframe) keyframes[bucket] = (keyframes[bucket] ?? 0) + 1;
    if (flags & FLAGS.thinned) thinned[bucket] = (thinned[bucket] ?? 0) + 1;
    const lane = byLane[laneOfName[index.nameIds[place] ?? 0] ?? NO_LANE];
    if (lane) lane[bucket] = (lane[bucket] ?? 0) + 1;
  }
  return {
    type: "overview",
    re: 0,
    timeline,
    by,
    from,
    to,
    buckets,
    lanes: names,
    entries,
    errors,
    lost,
    keyframes,
    thinned,
    byLane,
  };
}

/**
 * The lanes and, for each name's id, which lane shows it.
 *
 * @param {EntryIndex} index
 * @param {Map<string, string> | undefined} lanes
 * @returns {{ names: string[], laneOfName: number[] }}
 */
export function assignLanes(index, lanes) {
  if (lanes) {
    const named = new Set(
      [...new Set(lanes.values())].filter((lane) => lane !== OTHER_LANE)
        .slice(0, MAXIMUM_HEADER_LANES),
    );
    const laneOf = (/** @type {string} */ name) => {
      const lane = lanes.get(name) ?? OTHER_LANE;
      return named.has(lane) ? lane : OTHER_LANE;
    };
    const isComplete = index.names.every((name, id) =>
      name === "" || laneOf(name) !== OTHER_LANE || !index.nameCounts[id]
    );
    const names = [...named, ...(isComplete ? [] : [OTHER_LANE])];
    return {
      names,
      laneOfName: index.names.map((name) => name === "" ? NO_LANE : names.indexOf(laneOf(name))),
    };
  }
  const frequent = index.names
    .map((name, id) => ({ name, id, count: index.nameCounts[id] ?? 0 }))
    .filter(({ name, count }) => name !== "" && count > 0)
    .sort((left, right) => right.count - left.count || left.id - right.id)
    .slice(0, MAXIMUM_LANES);
  const lane = new Map(frequent.map(({ id }, place) => [id, place]));
  const isComplete = index.nameCounts.every((count, id) =>
    count === 0 || index.names[id] === "" || lane.has(id)
  );
  return {
    names: [...frequent.map(({ name }) => name), ...(isComplete ? [] : [OTHER_LANE])],
    laneOfName: index.names.map((name, id) =>
      name === "" ? NO_LANE : lane.get(id) ?? frequent.length
    ),
  };
}
