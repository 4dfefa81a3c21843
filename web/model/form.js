/** The form of an event: from a schema, or from the event itself. */

import { isNumber, isObject, kindOf, member, setMember } from "../base/json.js";
import { eventName } from "../base/event-name.js";
import { readNumber } from "../base/json.js";

/** @import { Json, JsonObject } from "../base/json-types.d.ts" */
/** @import { EventCase, Field, Schema, TypeDefinition, ValueType } from "../wire/header.js" */

/**
 * One field of a form.
 *
 * @typedef {object} FormField
 * @property {string[]} tokens where the value stands in the event
 * @property {string} label
 * @property {number} depth
 * @property {"text" | "int" | "number" | "bool" | "choice" | "group" | "json"} input
 * @property {string[]} choices of a choice
 * @property {boolean} isOptional whether it may be absent
 */

/** Types that hold themselves end here. */
const MOST_DEPTH = 8;

/**
 * The case of a schema that an event is of.
 *
 * @param {Schema | undefined} schema
 * @param {Json} event
 * @returns {EventCase | undefined}
 */
export function caseOf(schema, event) {
  const name = eventName(event);
  return schema?.cases.find((one) => one.name === name);
}

/**
 * The fields for an event of a case. Without a schema its own values say what they are.
 *
 * @param {Schema | undefined} schema
 * @param {Json} event
 * @returns {FormField[]}
 */
export function formOf(schema, event) {
  const found = caseOf(schema, event);
  const name = eventName(event);
  if (found && schema && schema.encoding !== "custom" && name !== undefined) {
    return (found.payload ?? []).flatMap((field) =>
      fieldsOf(field, schema, [name, field.key], labelOf(field), 0)
    );
  }
  if (!isObject(event) || name === undefined) return [];
  const isTyped = typeof member(event, "type") === "string";
  const root = isTyped ? [] : [name];
  const payload = isTyped ? event : member(event, name);
  return isObject(payload)
    ? Object.entries(payload).filter(([key]) => !isTyped || key !== "type")
      .flatMap(([key, value]) => guessedFields(value, [...root, key], key, 0))
    : [];
}

/** @param {Field} field */
function labelOf({ key, label }) {
  return label ?? key;
}

/**
 * @param {ValueType} type
 * @param {Schema} schema
 * @param {string[]} tokens
 * @param {string} label
 * @param {number} depth
 * @returns {FormField[]}
 */
function fieldsOf(type, schema, tokens, label, depth) {
  if (type.kind === "optional") {
    const inside = fieldsOf(type.element ?? { kind: "any" }, schema, tokens, label, depth);
    return inside.map((field, index) => index === 0 ? { ...field, isOptional: true } : field);
  }
  const base = { tokens, label, depth, choices: [], isOptional: false };
  const definition = type.type === undefined ? undefined : schema.types?.get(type.type);
  if (type.kind === "struct" && definition?.fields && depth < MOST_DEPTH) {
    return [
      { ...base, input: "group" },
      ...definition.fields.flatMap((field) =>
        fieldsOf(field, schema, [...tokens, field.key], labelOf(field), depth + 1)
      ),
    ];
  }
  const choices = type.kind === "enum" ? plainChoices(definition) : undefined;
  if (choices) return [{ ...base, input: "choice", choices }];
  return [{ ...base, input: INPUTS[type.kind] ?? "json" }];
}

/** @type {Partial<Record<ValueType["kind"], FormField["input"]>>} */
const INPUTS = {
  string: "text",
  url: "text",
  uuid: "text",
  data: "text",
  int: "int",
  double: "number",
  date: "number",
  bool: "bool",
};

/**
 * The words of an enum whose cases carry nothing.
 *
 * @param {TypeDefinition | undefined} definition
 */
function plainChoices(definition) {
  const values = definition?.values;
  if (values?.every((value) => typeof value === "string")) return values.map(String);
  return undefined;
}

/**
 * @param {Json} value
 * @param {string[]} tokens
 * @param {string} label
 * @param {number} depth
 * @returns {FormField[]}
 */
function guessedFields(value, tokens, label, depth) {
  const base = { tokens, label, depth, choices: [], isOptional: false };
  switch (kindOf(value)) {
    case "string":
      return [{ ...base, input: "text" }];
    case "number":
      return [{ ...base, input: "number" }];
    case "boolean":
      return [{ ...base, input: "bool" }];
    case "object":
      if (!isObject(value) || depth >= MOST_DEPTH) return [{ ...base, input: "json" }];
      return [
        { ...base, input: "group" },
        ...Object.entries(value).flatMap(([key, inside]) =>
          guessedFields(inside, [...tokens, key], key, depth + 1)
        ),
      ];
    default:
      return [{ ...base, input: "json" }];
  }
}

/**
 * What a person typed as a value, or why it is none.
 *
 * @param {FormField} field
 * @param {string} text
 * @returns {{ value: Json } | { error: string }}
 */
export function readInput(field, text) {
  if (field.input === "text" || field.input === "choice") return { value: text };
  if (field.input === "bool") return { value: text === "true" };
  const number = readNumber(text.trim());
  if (number === undefined) return { error: "This is not a number." };
  const isWhole = isNumber(number) && !/[.eE]/.test(String(number));
  if (field.input === "int" && !isWhole) return { error: "This is not a whole number." };
  return { value: number };
}

/**
 * The event with another value at a place; what is missing on the way is made.
 *
 * @param {Json} event
 * @param {readonly string[]} tokens
 * @param {Json} value
 * @returns {Json}
 */
export function withValue(event, tokens, value) {
  const [token, ...rest] = tokens;
  if (token === undefined) return value;
  /** @type {JsonObject} */
  const copy = isObject(event) ? { ...event } : {};
  setMember(copy, token, withValue(member(event, token) ?? {}, rest, value));
  return copy;
}

/**
 * A first event of a case: its sample, or one with the least values.
 *
 * @param {EventCase} one
 * @param {Schema} schema
 * @returns {Json}
 */
export function newEvent(one, schema) {
  const [sample] = one.samples ?? [];
  if (sample !== undefined) return sample;
  if (schema.encoding === "raw") return one.name;
  /** @type {JsonObject} */
  const payload = {};
  for (const field of one.payload ?? []) {
    if (field.kind !== "optional") setMember(payload, field.key, leastValue(field, schema, 0));
  }
  /** @type {JsonObject} */
  const event = {};
  setMember(event, one.name, payload);
  return event;
}

/**
 * @param {ValueType} type
 * @param {Schema} schema
 * @param {number} depth
 * @returns {Json}
 */
function leastValue(type, schema, depth) {
  switch (type.kind) {
    case "string":
    case "url":
    case "uuid":
    case "data":
      return "";
    case "int":
    case "double":
    case "date":
      return 0;
    case "bool":
      return false;
    case "array":
      return [];
    case "dictionary":
      return {};
    case "struct": {
      /** @type {JsonObject} */
      const object = {};
      const fields = depth < MOST_DEPTH ? schema.types?.get(type.type ?? "")?.fields ?? [] : [];
      for (const field of fields) {
        if (field.kind !== "optional") {
          setMember(object, field.key, leastValue(field, schema, depth + 1));
        }
      }
      return object;
    }
    case "enum":
      return plainChoices(schema.types?.get(type.type ?? ""))?.[0] ?? null;
    default:
      return null;
  }
}
