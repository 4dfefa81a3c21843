/** What the page and the worker that reads a file say to one another. */

import { ExactNumber } from "../base/json.js";

/** @import { WhatIf } from "../model/files/what-if.js" */
/** @import { Header } from "../wire/header.js" */
/** @import { News } from "../wire/connection-state.js" */
/** @import { FailureCode } from "../wire/requests.js" */
/** @import { FromInspector } from "../wire/from-inspector.js" */
/** @import { Message } from "../wire/to-inspector.js" */

/**
 * To the worker: first the file, then questions.
 *
 * @typedef {{ do: "open", file: Blob, branches?: Branches }
 *   | { do: "ask", id: number, request: FromInspector }
 *   | { do: "cancel", id: number }} ToWorker
 */

/** What a file has besides its timeline. @typedef {WhatIf & { packed: Blob }} Branches */

/** @typedef {{ code: FailureCode, message: string, path?: string, at?: number }} Failure */

/**
 * From the worker. A reply that holds numbers beyond doubles says so.
 *
 * @typedef {{ is: "reading", done: number, of: number }
 *   | { is: "open", tornBytes: number }
 *   | { is: "no-timeline", message: string }
 *   | { is: "reply", id: number, reply: unknown, isPacked: boolean }
 *   | { is: "failure", id: number, failure: Failure }
 *   | { is: "progress", id: number, progress: Message<"progress"> }
 *   | { is: "news", news: News }} FromWorker
 */

/**
 * A value whose numbers beyond doubles are texts in boxes, which JSON never has: of an instance of a
 * class only its members would arrive.
 *
 * @param {unknown} value
 * @returns {{ value: unknown, isPacked: boolean }} `value` itself when there is nothing to pack
 */
export function pack(value) {
  let isPacked = false;
  const packed = mapped(value, (inside) => {
    if (!(inside instanceof ExactNumber)) return undefined;
    isPacked = true;
    return new String(inside.text);
  });
  return { value: packed, isPacked };
}

/**
 * The value that was packed.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
export function unpack(value) {
  return mapped(
    value,
    (inside) => inside instanceof String ? new ExactNumber(inside.toString()) : undefined,
  );
}

/**
 * The value with some parts replaced; parts without any stay the same.
 *
 * @param {unknown} value
 * @param {(value: object) => unknown} replacement nothing to keep it
 * @returns {unknown}
 */
function mapped(value, replacement) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  const replaced = replacement(value);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) {
    const elements = value.map((inside) => mapped(inside, replacement));
    return elements.every((inside, index) => inside === value[index]) ? value : elements;
  }
  if (value instanceof Map) {
    return new Map([...value].map(([key, inside]) => [key, mapped(inside, replacement)]));
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value);
  const inside = members.map(([key, one]) => [key, mapped(one, replacement)]);
  return inside.every(([, one], index) => one === members[index]?.[1])
    ? value
    : Object.fromEntries(inside);
}
