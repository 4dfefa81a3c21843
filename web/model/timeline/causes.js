/** What an entry caused, directly and by way of others. */

import { formatCount } from "../../base/format.js";
import { causeIn } from "../../wire/entry.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Entry } from "../../wire/entry.js" */
/** @import { AskOptions, Source } from "../sources/source.js" */

/** Entries that are fetched at once. */
const WINDOW = 1_000;

/** A closure beyond this is refused: its script would be longer than a message may be. */
const MAXIMUM_CAUSED = 100_000;

/**
 * The entries that would not be without some others, these included. A cause is always earlier than
 * what it caused, so one pass forward finds all.
 *
 * @param {Iterable<number>} roots
 * @param {Iterable<Entry>} entries in order
 * @returns {Set<number>}
 */
export function closure(roots, entries) {
  const found = new Set(roots);
  for (const entry of entries) {
    const cause = causeIn(entry);
    if (cause !== undefined && found.has(cause)) found.add(entry.seq);
  }
  return found;
}

/**
 * The same for a timeline of a daemon: only entries that have a cause are fetched. It
 * fails when they are too many to be left out at once, for a part of them is not what was asked.
 *
 * @param {Source} source
 * @param {string} timeline
 * @param {readonly number[]} roots in order
 * @param {number} through
 * @param {AskOptions} [options]
 * @returns {Promise<Set<number>>}
 */
export async function fetchClosure(source, timeline, roots, through, options = {}) {
  const [first = 0] = roots;
  let found = new Set(roots);
  /** @type {number | undefined} */
  let from = first + 1;
  while (from !== undefined && from <= through) {
    /** @type {import("../../wire/requests.js").Replies["entries"]} */
    const reply = await source.ask({
      type: "entries",
      timeline,
      from,
      count: WINDOW,
      filter: `cause >= ${first}`,
    }, options);
    found = closure(found, reply.entries.filter(({ seq }) => seq <= through));
    if (found.size - roots.length > MAXIMUM_CAUSED) {
      throw new RequestError(
        "limit",
        `More than ${
          formatCount(MAXIMUM_CAUSED)
        } entries were caused by what is to be skipped, and ` +
          "so many cannot be left out at once. To continue, skip only this entry, or drop everything after it.",
      );
    }
    options.onProgress?.({ type: "progress", done: from - first, of: through - first });
    from = reply.next;
  }
  return found;
}
