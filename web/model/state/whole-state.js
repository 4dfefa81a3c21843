/** A state that is one value, such as a number: the tree has rows only for what is inside of one. */

import { brief } from "../../base/event-name.js";
import { equalJson, isObject } from "../../base/json.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/**
 * What the state of a machine is called: its type. A reducer recorded with `madeBy:` has the type that
 * makes it, which says nothing of the state.
 *
 * @param {{ type: string, kind?: string | undefined, make?: string | undefined } | undefined} machine
 */
export function stateName(machine) {
  const name = machine?.type.split(".").at(-1);
  const isMaker = machine?.kind === "reducer" && machine.make?.includes(`${name}.`);
  return name === undefined || isMaker ? "State" : name;
}

/**
 * What follows the title of such a state; nothing for an object or array with something inside.
 *
 * @param {Json} state
 * @param {Json | undefined} before
 */
export function wholeText(state, before) {
  if (hasRows(state)) return "";
  const isSame = before === undefined || hasRows(before) || equalJson(before, state);
  return isSame ? `: ${text(state)}` : `: ${text(before)} → ${text(state)}`;
}

/** @param {Json} value */
function hasRows(value) {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** @param {Json} value */
function text(value) {
  return typeof value === "string" && value !== "" ? JSON.stringify(brief(value)) : brief(value);
}
