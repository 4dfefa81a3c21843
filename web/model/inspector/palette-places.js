/** What the palette finds besides commands: machines, branches, events, values of the state, outputs. */

import { brief, eventName } from "../../base/event-name.js";
import { isObject, member } from "../../base/json.js";
import { pathText, writePointer } from "../../base/pointer.js";
import { readSchema } from "../../wire/header.js";
import { nameOf } from "../sources/source-list.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Inspector } from "./inspector.js" */

/**
 * A place that a reader can go to.
 *
 * @typedef {object} Place
 * @property {"machine" | "branch" | "event" | "value"} is
 * @property {string} title
 * @property {string} detail
 * @property {string} key the timeline, the event's name, or the value's pointer into the moment
 * @property {string} [also] words by which it is found besides its title
 */

/** Values of a large state that are searched. */
const MAXIMUM_VALUES = 5_000;

/** Values that are nested deeper are found by the search in the State tab. */
const DEEPEST = 6;

/**
 * All places, as they are now.
 *
 * @param {Inspector} inspector
 * @returns {Place[]}
 */
export function placesOf(inspector) {
  return [
    ...timelinesOf(inspector),
    ...eventsOf(inspector),
    ...outputsOf(inspector),
    ...valuesOf(inspector),
  ];
}

/**
 * Goes there.
 *
 * @param {Inspector} inspector
 * @param {Place} place
 * @param {(pointer: string) => void} showValue shows a value of the moment
 */
export function visitPlace(inspector, { is, key }, showValue) {
  if (is === "value") return showValue(key);
  if (is !== "event") return inspector.open(key);
  inspector.setFilter(`event == ${JSON.stringify(key)}`);
  void inspector.travel.goToFirstMatch();
}

/** @param {Inspector} inspector @returns {Place[]} */
function timelinesOf({ summaries }) {
  return [...summaries.values()].map((summary) => {
    const { header } = summary;
    const isBranch = header.parent !== undefined;
    return {
      is: isBranch ? "branch" : "machine",
      title: nameOf(summary),
      detail: isBranch ? `branch of ${header.machine.name}` : `machine of ${header.app.name}`,
      key: header.timeline,
      also: `${header.app.name} ${header.machine.name} ${header.machine.type}`,
    };
  });
}

/** @param {Inspector} inspector @returns {Place[]} */
function eventsOf({ data, summary }) {
  if (!data || !summary) return [];
  const names = new Set(readSchema(summary.header.schema)?.cases.map(({ name }) => name));
  for (const { event } of data.entries.loaded()) {
    const name = event === undefined ? undefined : eventName(event);
    if (name !== undefined) names.add(name);
  }
  return [...names].map((name) => ({ is: "event", title: name, detail: "event", key: name }));
}

/** @param {Inspector} inspector @returns {Place[]} */
function outputsOf({ moment: { shown }, summary }) {
  const values = shown?.is === "known" && isObject(shown.outputs) ? shown.outputs : {};
  const names = new Set([...summary?.header.outputs?.keys() ?? [], ...Object.keys(values)]);
  return [...names].map((name) => ({
    is: "value",
    title: pathText(["outputs", name]),
    detail: brief(member(values, name) ?? null, 40),
    key: writePointer(["outputs", name]),
  }));
}

/** @param {Inspector} inspector @returns {Place[]} */
function valuesOf({ moment: { shown } }) {
  if (shown?.is !== "known") return [];
  /** @type {Place[]} */
  const places = [];
  const add = (/** @type {Json} */ value, /** @type {string[]} */ tokens) => {
    if (places.length >= MAXIMUM_VALUES || tokens.length > DEEPEST) return;
    if (tokens.length > 0) {
      places.push({
        is: "value",
        title: pathText(["state", ...tokens]),
        detail: brief(value, 40),
        key: writePointer(["state", ...tokens]),
      });
    }
    const members = Array.isArray(value)
      ? value.entries()
      : isObject(value)
      ? Object.entries(value)
      : [];
    for (const [key, member] of members) add(member, [...tokens, String(key)]);
  };
  add(shown.state, []);
  return places;
}
