/** How far the timelines have got that are live and not in view. */

import { RequestError } from "../wire/requests.js";

/** @import { Inspector } from "./inspector.js" */

/**
 * Asks for the growth of all but the timeline in view, of which alone the daemon tells by itself.
 *
 * @param {Inspector} inspector
 */
export async function refreshList(inspector) {
  const { source, summaries, connection } = inspector;
  const isGrowing = [...summaries.values()].some(({ live, header }) =>
    live && header.timeline !== inspector.data?.id
  );
  if (source?.kind !== "daemon" || connection.is !== "open" || !isGrowing) return;
  try {
    const { timelines } = await source.ask({ type: "timelines", live: true });
    for (const summary of timelines) {
      const id = summary.header.timeline;
      // What was deleted meanwhile does not come back.
      if (id !== inspector.data?.id && summaries.has(id)) summaries.set(id, summary);
    }
    inspector.changed.emit();
  } catch (error) {
    // It is asked again; a connection that is gone is told of by itself.
    if (!(error instanceof RequestError)) throw error;
  }
}
