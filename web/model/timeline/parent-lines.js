/** The lines of the timeline from which a branch starts: what would have been without the edit. */

import { Sparklines } from "./sparklines.js";

/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { TimelineData } from "./timeline-data.js" */

/** @type {WeakMap<TimelineData, { id: string, sparks: Sparklines }>} */
const linesOf = new WeakMap();

/**
 * The lines of a branch's parent, if the page knows the parent. They show the stretch that the
 * branch's timeline shows.
 *
 * @param {Pick<Inspector, "data" | "source" | "summaries">} inspector
 * @returns {Sparklines | undefined}
 */
export function parentLines({ data, source, summaries }) {
  const id = data?.summary.header.parent?.timeline;
  const summary = id === undefined ? undefined : summaries.get(id);
  if (!data || !source || !summary || id === undefined) return undefined;
  let held = linesOf.get(data);
  if (held?.id !== id) {
    const parent = {
      id,
      get summary() {
        return summaries.get(id) ?? summary;
      },
      get last() {
        return this.summary.last ?? -1;
      },
      entries: { get: () => undefined },
    };
    held = { id, sparks: new Sparklines(source, parent) };
    const { changed } = data.sparks;
    held.sparks.changed.listen(() => changed.emit());
    linesOf.set(data, held);
  }
  return held.sparks;
}
