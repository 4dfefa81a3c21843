/** An entry in a few words. */

import { eventName, payloadText } from "../base/event-name.js";
import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { causeIn } from "../wire/entry.js";

/** @import { Entry } from "../wire/entry.js" */

/** Deeper chains of causes look alike anyway. */
const MAXIMUM_INDENT = 5;

/** How far back the cause of an indented entry may be. */
const NEAR_CAUSE = 60;

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
 * Payload, and how it failed.
 *
 * @param {Entry} entry
 * @returns {string}
 */
export function payloadOf(entry) {
  const payload = payloadText(entry.event);
  if (entry.error === undefined) return payload;
  return [payload, visible(entry.error)].filter((text) => text !== "").join(" · ");
}

/**
 * How many causes of an entry stand near above it.
 *
 * @param {Entry} entry
 * @param {(seq: number) => Entry | undefined} find
 * @returns {number}
 */
export function indentOf(entry, find) {
  let depth = 0;
  /** @type {Entry | undefined} */
  let here = entry;
  while (here && depth < MAXIMUM_INDENT) {
    const cause = causeIn(here);
    if (cause === undefined || here.seq - cause > NEAR_CAUSE) break;
    here = find(cause);
    if (here) depth++;
  }
  return depth;
}
