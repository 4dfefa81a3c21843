/** Patches (RFC 6902) of `add`, `remove` and `replace`. */

import { isObject, member, setMember } from "./json.js";
import { indexOfToken, readPointer } from "./pointer.js";

/** @import { Json, JsonObject } from "./json-types.d.ts" */

/**
 * One operation; `tokens` are those of its path.
 *
 * @typedef {{ op: "add" | "replace", path: string, tokens: string[], value: Json }
 *   | { op: "remove", path: string, tokens: string[] }} Operation
 */

/** Why a patch is invalid, or does not apply; `index` names the operation. */
export class PatchError extends Error {
  /**
   * @param {string} message
   * @param {number} index
   */
  constructor(message, index) {
    super(message);
    this.name = "PatchError";
    /** @readonly */
    this.index = index;
  }
}

/**
 * Reads a patch from JSON.
 *
 * @param {Json} json
 * @returns {Operation[]}
 * @throws {PatchError} when it is invalid
 */
export function readPatch(json) {
  if (!Array.isArray(json)) throw new PatchError("a patch is an array of operations", 0);
  return json.map((operation, index) => {
    const op = member(operation, "op");
    const path = member(operation, "path");
    const tokens = typeof path === "string" ? readPointer(path) : undefined;
    if (typeof path !== "string" || !tokens) {
      throw new PatchError(`operation ${index} has no path`, index);
    }
    if (op === "remove") return { op, path, tokens };
    const value = member(operation, "value");
    if ((op !== "add" && op !== "replace") || value === undefined) {
      throw new PatchError(`operation ${index} is not add, remove, or replace`, index);
    }
    return { op, path, tokens, value };
  });
}

/**
 * The value after a patch. What the patch does not touch is shared with the value before, which
 * stays as it was.
 *
 * @param {Json} value
 * @param {readonly Operation[]} patch
 * @returns {Json}
 * @throws {PatchError} when an operation does not apply
 */
export function applyPatch(value, patch) {
  const changing = new Changing();
  let root = value;
  patch.forEach((operation, index) => {
    try {
      root = changing.apply(root, operation, 0);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw new PatchError(`${operation.op} ${operation.path}: ${error.message}`, index);
    }
  });
  return root;
}

/** Copies each array or object on a patch's way once. */
class Changing {
  /** The copies, which no one else refers to yet. @type {Set<Json>} */
  #own = new Set();

  /**
   * @param {Json} value
   * @param {Operation} operation
   * @param {number} depth
   * @returns {Json}
   */
  apply(value, operation, depth) {
    const token = operation.tokens[depth];
    if (token === undefined) {
      if (operation.op === "remove") throw new PatchError("the whole value cannot be removed", 0);
      return operation.value;
    }
    const isLast = depth === operation.tokens.length - 1;
    if (Array.isArray(value)) {
      const array = this.#owned(value, (array) => array.slice());
      if (isLast) this.#changeElement(array, token, operation);
      else {array[this.#place(array, token)] = this.#below(
          array[this.#place(array, token)],
          operation,
          depth,
        );}
      return array;
    }
    if (!isObject(value)) throw new PatchError("its parent is not an array or object", 0);
    const object = this.#owned(value, (object) => ({ ...object }));
    if (isLast) this.#changeMember(object, token, operation);
    else setMember(object, token, this.#below(member(object, token), operation, depth));
    return object;
  }

  /**
   * @param {Json | undefined} value
   * @param {Operation} operation
   * @param {number} depth
   */
  #below(value, operation, depth) {
    if (value === undefined) throw new PatchError("there is nothing on the way", 0);
    return this.apply(value, operation, depth + 1);
  }

  /**
   * @template {Json} Value
   * @param {Value} value
   * @param {(value: Value) => Value} copy
   * @returns {Value}
   */
  #owned(value, copy) {
    if (this.#own.has(value)) return value;
    const copied = copy(value);
    this.#own.add(copied);
    return copied;
  }

  /**
   * @param {Json[]} array
   * @param {string} token
   */
  #place(array, token) {
    const index = indexOfToken(token);
    if (index === undefined || index >= array.length) {
      throw new PatchError(`there is no element ${token}`, 0);
    }
    return index;
  }

  /**
   * @param {Json[]} array
   * @param {string} token
   * @param {Operation} operation
   */
  #changeElement(array, token, operation) {
    if (operation.op === "add") {
      const index = token === "-" ? array.length : indexOfToken(token);
      if (index === undefined || index > array.length) {
        throw new PatchError(`there is no place ${token}`, 0);
      }
      array.splice(index, 0, operation.value);
    } else if (operation.op === "remove") {
      array.splice(this.#place(array, token), 1);
    } else {
      array[this.#place(array, token)] = operation.value;
    }
  }

  /**
   * @param {JsonObject} object
   * @param {string} token
   * @param {Operation} operation
   */
  #changeMember(object, token, operation) {
    if (operation.op !== "add" && !Object.hasOwn(object, token)) {
      throw new PatchError(`there is no member ${JSON.stringify(token)}`, 0);
    }
    if (operation.op === "remove") delete object[token];
    else setMember(object, token, operation.value);
  }
}
