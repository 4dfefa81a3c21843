/** Names of events that an exploration does not send. */

import { shortenMiddle } from "../../base/text.js";

/** @import { Schema } from "../../wire/header.js" */

/** How many of a machine's events are named, and characters of a name. */
const LISTED = 12;
const MAXIMUM_NAME = 80;

/** @param {string} text names with commas between them */
export function readExcluded(text) {
  return text.split(",").map((one) => one.trim()).filter((one) => one !== "");
}

/**
 * Why one of the names is wrong. Where not all events are known, it may be there all the same.
 *
 * @param {readonly string[]} names
 * @param {Schema | undefined} schema
 * @returns {string | undefined}
 */
export function excludedProblem(names, schema) {
  if (!schema?.complete || schema.cases.length === 0) return undefined;
  const known = schema.cases.map(({ name }) => name);
  const wrong = names.find((one) => !known.includes(one));
  if (wrong === undefined) return undefined;
  const listed = known.slice(0, LISTED).map((one) => shortenMiddle(one, MAXIMUM_NAME)).join(", ");
  const more = known.length > LISTED ? `, and ${known.length - LISTED} more` : "";
  return `The machine has no event ${shortenMiddle(wrong, MAXIMUM_NAME)}. It has ${listed}${more}.`;
}
