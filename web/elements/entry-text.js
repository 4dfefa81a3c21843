/** An entry in a few words. */

import { eventName, payloadText } from "../base/event-name.js";
import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";

/** @import { Entry } from "../wire/entry.js" */

/**
 * What an entry is called, also when it has no event.
 *
 * @param {Entry} entry
 * @returns {string}
 */
export function titleOf(entry) {
  if (entry.restored) return `restored to ${formatCount(entry.restored.seq)}`;
  if (entry.jump) return "another state was given";
  if (entry.event === undefined) return entry.seq === 0 ? "start" : "no event";
  return visible(eventName(entry.event) ?? "event");
}

/**
 * What the event carries, and how it failed.
 *
 * @param {Entry} entry
 * @returns {string}
 */
export function payloadOf(entry) {
  const payload = payloadText(entry.event);
  if (entry.error === undefined) return payload;
  return [payload, visible(entry.error)].filter((text) => text !== "").join(" · ");
}
