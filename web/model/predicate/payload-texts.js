/** Where the payloads of events hold texts: what a plain word is looked for in. */

import { isObject } from "../../base/json.js";
import { readSchema } from "../../wire/header.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { Field, Schema, ValueType } from "../../wire/header.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/** Paths beyond this are left out: a predicate has at most 4,096 bytes. */
const MAXIMUM_PATHS = 40;

/** Texts deeper inside a payload are left out. */
const DEEPEST = 6;

/**
 * The paths of texts, as a predicate writes them: those that the schema knows, and those of events
 * that were loaded.
 *
 * @param {{ summary: Pick<TimelineSummary, "header">, entries: { loaded(): Iterable<Entry> } }} data
 * @returns {string[]} the shortest first
 */
export function payloadTexts({ summary, entries }) {
  /** @type {Set<string>} */
  const paths = new Set();
  const known = readSchema(summary.header.schema);
  if (known?.encoding === "keyed") {
    for (const { name, payload } of known.cases) {
      addFields(payload ?? [], ["event", name], known, paths);
    }
  }
  for (const { event } of entries.loaded()) {
    if (isObject(event)) addTexts(event, ["event"], paths);
  }
  return [...paths].sort((left, right) => left.length - right.length).slice(0, MAXIMUM_PATHS);
}

/**
 * @param {readonly Field[]} fields
 * @param {string[]} at
 * @param {Schema} schema
 * @param {Set<string>} paths
 */
function addFields(fields, at, schema, paths) {
  for (const field of fields) addType(field, [...at, field.key], schema, paths);
}

/**
 * @param {ValueType} type
 * @param {string[]} at
 * @param {Schema} schema
 * @param {Set<string>} paths
 */
function addType({ kind, type, element }, at, schema, paths) {
  if (at.length > DEEPEST) return;
  if (kind === "string") paths.add(pathText(at));
  else if (kind === "optional" && element) addType(element, at, schema, paths);
  else if (kind === "struct" && type !== undefined) {
    addFields(schema.types?.get(type)?.fields ?? [], at, schema, paths);
  }
}

/**
 * @param {Json} value
 * @param {string[]} at
 * @param {Set<string>} paths
 */
function addTexts(value, at, paths) {
  if (at.length > DEEPEST) return;
  if (typeof value === "string") paths.add(pathText(at));
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) addTexts(member, [...at, key], paths);
  }
}

/** @param {readonly string[]} tokens */
function pathText([root = "", ...keys]) {
  const steps = keys.map((key) =>
    /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  );
  return root + steps.join("");
}
