/**
 * Reading at the edge: unknown in, typed out, or an error that names the place.
 *
 * A shape is a function that checks one value. Larger shapes are made of smaller ones.
 */

import { isObject, kindOf } from "../base/json.js";
import { readPointer } from "../base/pointer.js";

/** @import { Json, JsonObject } from "../base/json-types.d.ts" */

/** Why something from outside is not what it should be; `path` is where. */
export class WireError extends Error {
  /**
   * @param {string} message
   * @param {string} path
   */
  constructor(message, path) {
    super(message);
    this.name = "WireError";
    /** @readonly */
    this.path = path;
  }
}

/**
 * @template Value
 * @typedef {(json: Json, path: string) => Value} Shape
 */

/**
 * A shape that may be absent from an object.
 *
 * @template Value
 * @typedef {{ optional: Shape<Value> }} Optional
 */

/**
 * @template Parts
 * @typedef {{ [Key in keyof Parts as Parts[Key] extends Optional<any> ? never : Key]:
 *     Parts[Key] extends Shape<infer Value> ? Value : never }
 *   & { [Key in keyof Parts as Parts[Key] extends Optional<any> ? Key : never]?:
 *     Parts[Key] extends Optional<infer Value> ? Value : never }} Members
 */

/**
 * @param {Json} json
 * @param {string} path
 * @param {string} wanted
 */
function wrongType(json, path, wanted) {
  const name = path || "the message";
  return new WireError(`${name} is ${kindOf(json)}, not ${wanted}`, path);
}

/** Any value. @type {Shape<Json>} */
export const any = (json) => json;

/** @type {Shape<string>} */
export const text = (json, path) => {
  if (typeof json !== "string") throw wrongType(json, path, "a string");
  return json;
};

/** @type {Shape<boolean>} */
export const flag = (json, path) => {
  if (typeof json !== "boolean") throw wrongType(json, path, "a boolean");
  return json;
};

/** A whole number from 0 to 2^53 - 1. @type {Shape<number>} */
export const whole = (json, path) => {
  if (typeof json !== "number" || !Number.isSafeInteger(json) || json < 0) {
    throw new WireError(`${path || "the message"} is not a whole number from 0 on`, path);
  }
  return json;
};

/** @type {Shape<JsonObject>} */
export const anyObject = (json, path) => {
  if (!isObject(json)) throw wrongType(json, path, "an object");
  return json;
};

/** A UUID, in lower case. @type {Shape<string>} */
export const uuid = (json, path) => {
  const string = text(json, path);
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(string)) {
    throw new WireError(`${path} is not a UUID`, path);
  }
  return string.toLowerCase();
};

/** An RFC 6901 pointer. @type {Shape<string>} */
export const pointer = (json, path) => {
  const string = text(json, path);
  if (!readPointer(string)) throw new WireError(`${path} is not a pointer`, path);
  return string;
};

/** `"major.minor"`. @type {Shape<string>} */
export const version = (json, path) => {
  const string = text(json, path);
  if (!/^\d{1,5}\.\d{1,5}$/.test(string)) throw new WireError(`${path} is not a version`, path);
  return string;
};

/** The id of a request. @type {Shape<number | string>} */
export const requestId = (json, path) => {
  if (typeof json === "string" && json.length >= 1 && json.length <= 64) return json;
  return whole(json, path);
};

/**
 * One of some words.
 *
 * @template {string} Word
 * @param {...Word} words
 * @returns {Shape<Word>}
 */
export function word(...words) {
  return (json, path) => {
    const found = words.find((one) => one === json);
    if (found === undefined) {
      throw new WireError(`${path} is not one of ${words.join(", ")}`, path);
    }
    return found;
  };
}

/**
 * @template Value
 * @param {Shape<Value>} element
 * @returns {Shape<Value[]>}
 */
export function list(element) {
  return (json, path) => {
    if (!Array.isArray(json)) throw wrongType(json, path, "an array");
    return json.map((one, index) => element(one, `${path}[${index}]`));
  };
}

/**
 * @template Value
 * @param {Shape<Value>} optional
 * @returns {Optional<Value>}
 */
export function maybe(optional) {
  return { optional };
}

/**
 * An object with these members; others are left out.
 *
 * @template {{ [key: string]: Shape<any> | Optional<any> }} Parts
 * @param {Parts} parts
 * @returns {Shape<Members<Parts>>}
 */
export function object(parts) {
  const shapes = Object.entries(parts);
  return (json, path) => {
    if (!isObject(json)) throw wrongType(json, path, "an object");
    /** @type {{ [key: string]: unknown }} */
    const out = {};
    for (const [key, shape] of shapes) {
      const value = Object.hasOwn(json, key) ? json[key] : undefined;
      const isNeeded = typeof shape === "function";
      if (value === undefined && !isNeeded) continue;
      const at = path ? `${path}.${key}` : key;
      if (value === undefined) throw new WireError(`${at} is missing`, at);
      out[key] = isNeeded ? shape(value, at) : shape.optional(value, at);
    }
    return /** @type {Members<Parts>} */ (out);
  };
}

/**
 * An object whose members all have one shape.
 *
 * @template Value
 * @param {Shape<Value>} element
 * @returns {Shape<Map<string, Value>>}
 */
export function map(element) {
  return (json, path) => {
    const entries = Object.entries(anyObject(json, path));
    return new Map(entries.map(([key, value]) => [key, element(value, `${path}.${key}`)]));
  };
}

/** The two ends of a stretch, both included. @type {Shape<[number, number]>} */
export const stretch = (json, path) => {
  const [first, last, more] = list(whole)(json, path);
  if (first === undefined || last === undefined || more !== undefined || last < first) {
    throw new WireError(`${path} is not a stretch`, path);
  }
  return [first, last];
};

/** Why a branch ends before all edits were applied. */
export const branchEnd = word("gap", "trap", "limit", "undecodable", "cancelled", "failed");

/** A mark on an entry. */
export const timelineMark = object({ seq: whole, text });

/** Entries that were lost. */
export const lostEntries = object({ lost: whole, why: text });

/** A stored chunk on its way to another daemon, or a part of it. */
export const copiedChunk = object({
  first: whole,
  last: whole,
  bytes: whole,
  size: maybe(whole),
  offset: maybe(whole),
  data: text,
});
