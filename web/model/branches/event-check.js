/** Whether an event fits a schema: what a host would refuse is said before it is sent. */

import { eventName } from "../../base/event-name.js";
import { isNumber, isObject, member, numberText } from "../../base/json.js";
import { pathText } from "../../base/pointer.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { EventCase, Field, Schema, ValueType } from "../../wire/header.js" */

/** What is wrong, and where. @typedef {{ tokens: string[], text: string }} Problem */

/** Problems that are shown; the first ones are enough. */
const MAXIMUM_PROBLEMS = 8;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/**
 * @param {Schema | undefined} schema
 * @param {Json} event
 * @returns {Problem[]} none where it fits, or where the shape is unknown
 */
export function checkEvent(schema, event) {
  if (!schema || schema.encoding === "custom" || schema.encoding === undefined) return [];
  /** @type {Problem[]} */
  const problems = [];
  const name = eventName(event);
  const one = schema.cases.find((each) => each.name === name);
  if (!one) {
    if (schema.complete) {
      const names = schema.cases.slice(0, 6).map((each) => each.name).join(", ");
      problems.push({ tokens: [], text: `This machine has no such event. It has ${names}.` });
    }
    return problems;
  }
  if (schema.encoding === "keyed") checkCase(one, event, [], schema, problems);
  return problems.slice(0, MAXIMUM_PROBLEMS);
}

/**
 * @param {EventCase} one
 * @param {Json} value
 * @param {string[]} tokens
 * @param {Schema} schema
 * @param {Problem[]} problems
 */
function checkCase(one, value, tokens, schema, problems) {
  const payload = member(value, one.name);
  const at = [...tokens, one.name];
  if (!isObject(payload)) {
    problems.push({ tokens: at, text: "Enter an object with the event's values." });
    return;
  }
  checkFields(one.payload ?? [], payload, at, schema, problems);
}

/**
 * @param {readonly Field[]} fields
 * @param {Json} object
 * @param {string[]} tokens
 * @param {Schema} schema
 * @param {Problem[]} problems
 */
function checkFields(fields, object, tokens, schema, problems) {
  for (const field of fields) {
    const value = member(object, field.key);
    const at = [...tokens, field.key];
    if (value !== undefined) check(field, value, at, schema, problems);
    else if (field.kind !== "optional") problems.push({ tokens: at, text: "A value is missing." });
  }
}

/**
 * @param {ValueType} type
 * @param {Json} value
 * @param {string[]} tokens
 * @param {Schema} schema
 * @param {Problem[]} problems
 */
function check(type, value, tokens, schema, problems) {
  if (problems.length >= MAXIMUM_PROBLEMS) return;
  const wrong = (/** @type {string} */ text) => problems.push({ tokens, text });
  switch (type.kind) {
    case "string":
    case "url":
      if (typeof value !== "string") wrong("Enter a string.");
      break;
    case "uuid":
      if (typeof value !== "string" || !UUID.test(value)) wrong("Enter a UUID.");
      break;
    case "data":
      if (typeof value !== "string" || !BASE64.test(value)) wrong("Enter bytes in base64.");
      break;
    case "int":
      if (!isNumber(value) || !/^-?\d+$/.test(numberText(value))) {
        wrong("Enter a whole number.");
      }
      break;
    case "double":
    case "date":
      if (!isNumber(value) && !["nan", "inf", "-inf"].includes(String(value))) {
        wrong("Enter a number.");
      }
      break;
    case "bool":
      if (typeof value !== "boolean") wrong("Enter true or false.");
      break;
    case "optional":
      if (value !== null) check(type.element ?? { kind: "any" }, value, tokens, schema, problems);
      break;
    case "array":
      if (!Array.isArray(value)) wrong("Enter a list.");
      else {
        value.forEach((item, index) =>
          check(type.element ?? { kind: "any" }, item, [...tokens, String(index)], schema, problems)
        );
      }
      break;
    case "dictionary":
      // A map whose keys are not strings is written as a list.
      if (isObject(value)) {
        for (const [key, item] of Object.entries(value)) {
          check(type.element ?? { kind: "any" }, item, [...tokens, key], schema, problems);
        }
      } else if (!Array.isArray(value)) wrong("Enter an object.");
      break;
    case "struct":
    case "enum":
      checkNamed(type, value, tokens, schema, problems);
      break;
  }
}

/**
 * @param {ValueType} type
 * @param {Json} value
 * @param {string[]} tokens
 * @param {Schema} schema
 * @param {Problem[]} problems
 */
function checkNamed(type, value, tokens, schema, problems) {
  const definition = schema.types?.get(type.type ?? "");
  // What is only guessed says nothing for certain.
  if (!definition || definition.guess) return;
  const { fields, cases, values } = definition;
  if (fields) {
    if (isObject(value)) checkFields(fields, value, tokens, schema, problems);
    else problems.push({ tokens, text: "Enter an object." });
  } else if (cases) {
    const [name] = isObject(value) ? Object.keys(value) : [];
    const one = cases.find((each) => each.name === name);
    if (one) checkCase(one, value, tokens, schema, problems);
    else {
      const names = cases.slice(0, 6).map((each) => each.name).join(", ");
      problems.push({ tokens, text: `One of these is expected: ${names}.` });
    }
  } else if (values && !values.includes(value)) {
    const known = values.slice(0, 6).map(String).join(", ");
    problems.push({ tokens, text: `One of these is expected: ${known}.` });
  }
}

/**
 * A problem as a line of its own.
 *
 * @param {Problem} problem
 */
export function problemText({ tokens, text }) {
  const path = pathText(tokens.slice(1));
  return path === "" ? text : `${path}: ${text}`;
}
