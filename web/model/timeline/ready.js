/** What is seen of a timeline, fetched before it is shown: no empty panes between two full ones. */

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { TimelineData } from "./timeline-data.js" */

/** The rows above and below a moment that are seen with it, in a usual window. */
const NEAR = 15;

/**
 * Begins to fetch a moment of a timeline and the rows around it.
 *
 * @param {Inspector} inspector
 * @param {string} timeline
 * @param {number} seq
 * @returns {{ data: TimelineData, fetched: Promise<unknown> } | undefined} nothing when it is not known,
 *   or in view already
 */
export function makeReady(inspector, timeline, seq) {
  const { source, summaries } = inspector;
  const summary = summaries.get(timeline);
  if (!source || !summary || inspector.data?.id === timeline) return undefined;
  const data = inspector.dataOf(source, summary);
  if (data.last < 0) return { data, fetched: Promise.resolve() };
  const place = data.nearest(seq);
  const fetched = Promise.all([
    data.states.fetch(place),
    data.entries.fetch(Math.max(data.first, place - NEAR), Math.min(data.last, place + NEAR)),
  ]);
  return { data, fetched };
}
