/** The path that a filter must mean where it names one that is not there. */

import { isObject } from "../../base/json.js";
import { lookUp } from "../../base/pointer.js";
import { missingPathOf } from "./plain-filter.js";
import { printPath } from "./printer.js";
import { nearestWord } from "./spelling.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/**
 * What a filter asks for and is not there, what is there, and the filter with that.
 *
 * @typedef {{ missing: string, near: string, filter: string }} NearPath
 */

/**
 * @param {string} filter that can be read
 * @param {{ state: Json, outputs: Json }} moment
 * @returns {NearPath | undefined} nothing if all paths are there, or nothing near them is
 */
export function nearPath(filter, moment) {
  const path = missingPathOf(filter, moment);
  if (!path) return undefined;
  const root = path.root === "outputs" ? moment.outputs : moment.state;
  // The first step that leads nowhere.
  const at = path.steps.findIndex((_, index) =>
    lookUp(root, path.steps.slice(0, index + 1).map(String)) === undefined
  );
  const step = path.steps[at];
  const container = lookUp(root, path.steps.slice(0, at).map(String));
  if (typeof step !== "string" || !isObject(container)) return undefined;
  const name = nearName(step, Object.keys(container));
  if (name === undefined) return undefined;
  const steps = path.steps.slice(0, at);
  const missing = printPath({ root: path.root, steps: [...steps, step] });
  const near = printPath({ root: path.root, steps: [...steps, name] });
  const better = replaced(filter, missing, near);
  return better === filter ? undefined : { missing, near, filter: better };
}

/**
 * The only name that begins so, or else one that is spelled almost so.
 *
 * @param {string} word
 * @param {string[]} names
 */
function nearName(word, names) {
  const start = word.toLowerCase();
  const [first, ...others] = names.filter((name) => name.toLowerCase().startsWith(start));
  return first !== undefined && others.length === 0 ? first : nearestWord(word, names);
}

/**
 * @param {string} filter
 * @param {string} path
 * @param {string} better
 */
function replaced(filter, path, better) {
  const literal = path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return filter.replace(
    new RegExp(`(?<![\\p{L}\\p{N}_$.])${literal}(?![\\p{L}\\p{N}_$])`, "gu"),
    () => better,
  );
}
