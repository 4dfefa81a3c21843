/** The sessions of others, as the page shows them. */

import { formatNumbered } from "../../base/format.js";
import { visible } from "../../base/text.js";

/** @import { Message } from "../../wire/to-inspector.js" */

/** @typedef {Message<"sessions">["sessions"][number]} Session */

/** How many names a list has before it only counts. */
const MAX_NAMES = 3;

/** How many other browsers and programs are connected that can look. @param {readonly Session[]} sessions */
export function countOthers(sessions) {
  return sessions.filter(({ connected, yours, capabilities }) =>
    connected && !yours && capabilities.includes("look")
  ).length;
}

/**
 * Which timelines a session looks at, in words.
 *
 * @param {Session} session
 * @param {(timeline: string) => string | undefined} nameOf the name of a timeline, if it is known
 */
export function lookingAt({ watching = [] }, nameOf) {
  const names = watching.map(nameOf).filter((name) => name !== undefined);
  if (names.length === 0) return "";
  const shown = names.slice(0, MAX_NAMES).map((name) => visible(name));
  const rest = names.length - shown.length;
  if (rest > 0) shown.push(formatNumbered(rest, "other"));
  return `looks at ${shown.join(", ")}`;
}
