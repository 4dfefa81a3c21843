/** What is seen of a page first, and when all of it is there. */

/** @import { Inspector } from "./inspector.js" */

/**
 * Whether the page has what it shows first, or has to say why not. Asks for the counts of the whole,
 * which tell the lanes: finer ones of a long recording take longer.
 *
 * @param {Inspector} inspector
 */
export function hasFirstSight({ connection, hasList, data, cursor, moment }) {
  if (!data) return hasList || !["connecting", "greeting", "open"].includes(connection.is);
  const counted = data.counted({ start: 0, end: data.summary.duration + 1 }, 0);
  if (data.last < 0) return true;
  return counted !== undefined && !moment.isLoading && data.entries.get(cursor) !== undefined;
}
