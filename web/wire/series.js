/** How values change over a stretch, as the daemon answers it. */

import { isObject, member } from "../base/json.js";
import { any, flag, list, maybe, object, stretch, whole, WireError } from "./shape.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Shape } from "./shape.js" */

const lists = object({
  at: list(whole),
  last: list(any),
  least: list(any),
  greatest: list(any),
  changes: list(whole),
  redacted: maybe(flag),
});

/** How one value changes. @typedef {ReturnType<typeof lists>} PathSeries */

/** @type {Shape<PathSeries>} */
const pathSeries = (json, path) => {
  const read = lists(json, path);
  const { length } = read.at;
  const isEven = [read.last, read.least, read.greatest, read.changes].every((one) =>
    one.length === length
  );
  if (!isEven) throw new WireError("The lists of a series differ in length.", path);
  return read;
};

export const series = object({
  paths: list(pathSeries),
  unknown: maybe(list(stretch)),
  sampled: maybe(list(stretch)),
  through: maybe(whole),
});

/** @typedef {ReturnType<typeof series>} Series */

/**
 * What a value is that is not answered as itself.
 *
 * @param {Json} last
 * @returns {string | undefined} nothing for a scalar
 */
export function kindInSeries(last) {
  const is = isObject(last) ? member(last, "is") : undefined;
  return typeof is === "string" ? is : undefined;
}
