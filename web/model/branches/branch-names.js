/** What branches are called that the reader gives no name. */

import { nameOf } from "../sources/source-list.js";
import { freshName } from "./branches.js";
import { defaultName } from "./edits.js";

/** @import { Entry } from "../../wire/entry.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { TimelineData } from "../timeline/timeline-data.js" */
/** @import { Edit } from "./edits.js" */

/**
 * The name of a new branch.
 *
 * @param {readonly Edit[]} edits
 * @param {{ parent: string, data: TimelineData, cursor: number }} from
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 */
export function usualName(edits, { parent, data, cursor }, summaries) {
  const entryAt = (/** @type {number} */ seq) =>
    parent === data.id ? data.entries.get(seq) : undefined;
  const hidesValues = [cursor, ...touched(edits)].some((seq) => hasRedactedEvent(entryAt(seq)));
  const name = defaultName(edits, (seq) => entryAt(seq)?.event, hidesValues);
  return freshName(name, parent, summaries);
}

/** @param {Entry | undefined} entry */
function hasRedactedEvent(entry) {
  return [...entry?.redacted?.keys() ?? []].some((path) => path.startsWith("/event"));
}

/**
 * The name of a branch that is computed again. The one that a minimization made contains its
 * condition, which may no longer be true.
 *
 * @param {TimelineSummary} summary
 */
export function nameAgain(summary) {
  const whole = nameOf(summary);
  const [count] = /^\d+ events?(?=: )/.exec(whole) ?? [];
  const name = summary.header.parent?.failure === undefined ? whole : count ?? whole;
  return `${name.replace(/, again( \(\d+\))?$/, "")}, again`;
}

/**
 * The parent's entries that a script names: they take part, durable or not.
 *
 * @param {readonly Edit[]} edits
 * @returns {number[]}
 */
export function touched(edits) {
  return edits.flatMap((edit) => {
    switch (edit.is) {
      case "drop":
        return [edit.last];
      case "replace":
      case "cut":
      case "start":
        return [edit.seq];
      case "move":
        return [edit.seq, edit.before - 1];
      case "insert":
        return [edit.before - 1];
      default:
        return [0];
    }
  });
}
