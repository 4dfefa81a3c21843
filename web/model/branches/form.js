/** The form of an event: from a schema, or from the event itself. */

import { isObject, kindOf, member, readNumber, setMember } from "../../base/json.js";
import { cutBytes, eventName } from "../../base/event-name.js";
import { lookUp } from "../../base/pointer.js";
import { withoutInternalName } from "./unlabeled.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { EventCase, Field, Schema, TypeDefinition, ValueType } from "../../wire/header.js" */

/**
 * One field of a form.
 *
 * @typedef {object} FormField
 * @property {string[]} tokens the path of the value in the event
 * @property {string} label
 * @property {number} depth
 * @property {"text" | "int" | "number" | "bool" | "choice" | "case" | "group" | "list" | "map" | "json"} input
 *   `case` chooses one of an enum's cases, whose values follow
 * @property {string[]} choices of a choice or a case
 * @property {boolean} isOptional whether it may be absent
 * @property {ValueType} type what the value is
 * @property {"item" | "member"} [inside] whether it is in a list or a map, and can be removed
 */

/** Types that hold themselves end here. */
const MAXIMUM_DEPTH = 8;

/** Items of a list or a map that get fields of their own; longer ones are changed as JSON. */
const MAXIMUM_ITEMS = 40;

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
    const payload = found.payload ?? [];
    return payload.flatMap((field, place) =>
      withoutInternalName(
        fieldsOf(field, schema, event, [name, field.key], labelOf(field), 0),
        payload.length > 1 ? place + 1 : undefined,
      )
    );
  }
  if (!isObject(event) || name === undefined) return [];
  const isTyped = typeof member(event, "type") === "string";
  const root = isTyped ? [] : [name];
  const payload = isTyped ? event : member(event, name);
  if (!isObject(payload)) return [];
  const entries = Object.entries(payload).filter(([key]) => !isTyped || key !== "type");
  return entries.flatMap(([key, value], place) =>
    withoutInternalName(
      guessedFields(value, [...root, key], key, 0),
      entries.length > 1 ? place + 1 : undefined,
    )
  );
}

/** @param {Field} field */
function labelOf({ key, label }) {
  return label ?? key;
}

/**
 * @param {ValueType} type
 * @param {Schema} schema
 * @param {Json} event the whole event, whose lists say how many fields they need
 * @param {string[]} tokens
 * @param {string} label
 * @param {number} depth
 * @returns {FormField[]}
 */
function fieldsOf(type, schema, event, tokens, label, depth) {
  const value = lookUp(event, tokens);
  if (type.kind === "optional") {
    const element = type.element ?? { kind: "any" };
    const inside = fieldsOf(element, schema, event, tokens, label, depth);
    // What is absent has nothing inside.
    const shown = value === undefined || value === null ? inside.slice(0, 1) : inside;
    return shown.map((field, index) => index === 0 ? { ...field, isOptional: true } : field);
  }
  const base = { tokens, label, depth, choices: [], isOptional: false, type };
  if (depth >= MAXIMUM_DEPTH) return [{ ...base, input: "json" }];
  const definition = type.type === undefined ? undefined : schema.types?.get(type.type);
  const below = (/** @type {ValueType} */ inner, /** @type {string} */ key, name = key) =>
    fieldsOf(inner, schema, event, [...tokens, key], name, depth + 1);
  switch (type.kind) {
    case "struct":
      return definition?.fields
        ? [
          { ...base, input: "group" },
          ...definition.fields.flatMap((field) => below(field, field.key, labelOf(field))),
        ]
        : [{ ...base, input: "json" }];
    case "enum":
      return enumFields(base, definition, value, schema, event);
    case "array":
      if (value !== undefined && !Array.isArray(value)) return [{ ...base, input: "json" }];
      if (Array.isArray(value) && value.length > MAXIMUM_ITEMS) return [{ ...base, input: "json" }];
      return [
        { ...base, input: "list" },
        ...(Array.isArray(value) ? value : []).flatMap((_, index) =>
          asInside(below(type.element ?? { kind: "any" }, String(index)), "item")
        ),
      ];
    case "dictionary":
      if (value !== undefined && !isObject(value)) return [{ ...base, input: "json" }];
      if (isObject(value) && Object.keys(value).length > MAXIMUM_ITEMS) {
        return [{ ...base, input: "json" }];
      }
      return [
        { ...base, input: "map" },
        ...Object.keys(isObject(value) ? value : {}).flatMap((key) =>
          asInside(below(type.element ?? { kind: "any" }, key), "member")
        ),
      ];
    default:
      return [{ ...base, input: INPUTS[type.kind] ?? "json" }];
  }
}

/**
 * @param {FormField[]} fields
 * @param {"item" | "member"} inside
 */
function asInside(fields, inside) {
  return fields.map((field, index) => index === 0 ? { ...field, inside } : field);
}

/**
 * An enum: its words, or its cases with what they carry.
 *
 * @param {Omit<FormField, "input">} base
 * @param {TypeDefinition | undefined} definition
 * @param {Json | undefined} value
 * @param {Schema} schema
 * @param {Json} event
 * @returns {FormField[]}
 */
function enumFields(base, definition, value, schema, event) {
  const choices = plainChoices(definition);
  if (choices) return [{ ...base, input: "choice", choices }];
  const cases = definition?.cases;
  if (!cases || (value !== undefined && !isObject(value))) return [{ ...base, input: "json" }];
  const [name] = isObject(value) ? Object.keys(value) : [];
  const one = cases.find((each) => each.name === name);
  return [
    { ...base, input: "case", choices: cases.map((each) => each.name) },
    ...(one?.payload ?? []).flatMap((field) =>
      fieldsOf(
        field,
        schema,
        event,
        [...base.tokens, one?.name ?? "", field.key],
        labelOf(field),
        base.depth + 1,
      )
    ),
  ];
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
export function plainChoices(definition) {
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
  /** @type {Omit<FormField, "input">} */
  const base = { tokens, label, depth, choices: [], isOptional: false, type: { kind: "any" } };
  switch (kindOf(value)) {
    case "string":
      return [{ ...base, input: "text" }];
    case "number":
      return [{ ...base, input: "number" }];
    case "boolean":
      return [{ ...base, input: "bool" }];
    case "object":
      if (!isObject(value) || depth >= MAXIMUM_DEPTH || cutBytes(value) !== undefined) {
        return [{ ...base, input: "json" }];
      }
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

const WHOLE = /^[+-]?\d+$/;

/**
 * The typed text as a value, or why it is invalid.
 *
 * @param {Pick<FormField, "input">} field
 * @param {string} text
 * @returns {{ value: Json } | { error: string }}
 */
export function readInput(field, text) {
  if (field.input === "text" || field.input === "choice") return { value: text };
  if (field.input === "bool") return { value: text === "true" };
  const typed = text.trim();
  const number = readNumber(typed);
  if (number === undefined) {
    // As the canonical form has them.
    if (field.input === "number" && ["nan", "inf", "-inf"].includes(typed)) return { value: typed };
    return { error: typed === "" ? "A number is missing." : "This is not a number." };
  }
  if (field.input === "int" && !WHOLE.test(typed)) {
    return { error: "This is not a whole number." };
  }
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
  if (Array.isArray(event)) {
    return event.map((item, index) =>
      String(index) === token ? withValue(item, rest, value) : item
    );
  }
  /** @type {JsonObject} */
  const copy = isObject(event) ? { ...event } : {};
  setMember(copy, token, withValue(member(event, token) ?? {}, rest, value));
  return copy;
}

/**
 * The event without the value at a place.
 *
 * @param {Json} event
 * @param {readonly string[]} tokens
 * @returns {Json}
 */
export function withoutValue(event, tokens) {
  const [token, ...rest] = tokens;
  if (token === undefined) return event;
  if (Array.isArray(event)) {
    return event.flatMap((item, index) =>
      String(index) !== token ? [item] : rest.length === 0 ? [] : [withoutValue(item, rest)]
    );
  }
  if (!isObject(event)) return event;
  /** @type {JsonObject} */
  const copy = {};
  for (const [key, value] of Object.entries(event)) {
    if (key !== token) setMember(copy, key, value);
    else if (rest.length > 0) setMember(copy, key, withoutValue(value, rest));
  }
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
  return newCase(one, schema, 0);
}

/**
 * @param {EventCase} one
 * @param {Schema} schema
 * @param {number} depth
 * @returns {Json}
 */
function newCase(one, schema, depth) {
  /** @type {JsonObject} */
  const payload = {};
  for (const field of one.payload ?? []) {
    if (field.kind !== "optional") setMember(payload, field.key, leastValue(field, schema, depth));
  }
  /** @type {JsonObject} */
  const made = {};
  setMember(made, one.name, payload);
  return made;
}

/**
 * The least value of a type: where a form begins.
 *
 * @param {ValueType} type
 * @param {Schema | undefined} schema
 * @param {number} [depth]
 * @returns {Json}
 */
export function leastValue(type, schema, depth = 0) {
  switch (type.kind) {
    case "string":
    case "url":
    case "data":
      return "";
    case "uuid":
      return "00000000-0000-0000-0000-000000000000";
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
    case "optional":
      return leastValue(type.element ?? { kind: "any" }, schema, depth);
    case "struct": {
      /** @type {JsonObject} */
      const object = {};
      const fields = depth < MAXIMUM_DEPTH ? schema?.types?.get(type.type ?? "")?.fields ?? [] : [];
      for (const field of fields) {
        if (field.kind !== "optional") {
          setMember(object, field.key, leastValue(field, schema, depth + 1));
        }
      }
      return object;
    }
    case "enum": {
      const definition = schema?.types?.get(type.type ?? "");
      const [one] = definition?.cases ?? [];
      if (one && schema && depth < MAXIMUM_DEPTH) return newCase(one, schema, depth + 1);
      return plainChoices(definition)?.[0] ?? definition?.values?.[0] ?? null;
    }
    default:
      return null;
  }
}

/**
 * The least value of one case of an enum.
 *
 * @param {ValueType} type
 * @param {string} name
 * @param {Schema | undefined} schema
 * @returns {Json}
 */
export function leastCase(type, name, schema) {
  const one = schema?.types?.get(type.type ?? "")?.cases?.find((each) => each.name === name);
  return one && schema ? newCase(one, schema, 0) : null;
}
