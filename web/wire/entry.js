/** One entry of a timeline, as its line says it. */

import { isObject, member } from "../base/json.js";
import {
  any,
  anyObject,
  flag,
  list,
  map,
  maybe,
  object,
  text,
  uuid,
  whole,
  WireError,
} from "./shape.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Shape } from "./shape.js" */

const parts = object({
  seq: whole,
  t: whole,
  event: maybe(any),
  state: maybe(any),
  outputState: maybe(anyObject),
  patch: maybe(list(any)),
  outputs: maybe(list(any)),
  ns: maybe(whole),
  cause: maybe(any),
  origin: maybe(text),
  at: maybe(text),
  gap: maybe(object({ lost: whole, why: text })),
  restored: maybe(object({ timeline: text, seq: whole })),
  jump: maybe(flag),
  error: maybe(text),
  was: maybe(whole),
  redacted: maybe(map(text)),
  omitted: maybe(whole),
});

/** @typedef {ReturnType<typeof parts>} Entry */

/**
 * An entry of a stored line or of an `entries` answer. What the rules of the whole timeline say is
 * checked by its writer; this checks only what reading depends on.
 *
 * @type {Shape<Entry>}
 */
export const entry = (json, path) => {
  const read = parts(json, path);
  if (
    read.cause !== undefined && typeof read.cause !== "number" && typeof read.cause !== "string"
  ) {
    throw new WireError(`${path}.cause is neither a seq nor a reference`, `${path}.cause`);
  }
  return read;
};

/**
 * Whether the entry carries the full state. Lines of an `entries` answer never do.
 *
 * @param {Entry} entry
 * @returns {boolean}
 */
export function isKeyframe(entry) {
  return entry.state !== undefined;
}

/**
 * Whether nothing was captured of the state.
 *
 * @param {Entry} entry
 * @returns {boolean}
 */
export function isThinned(entry) {
  return entry.state === undefined && entry.outputState === undefined &&
    entry.patch === undefined && entry.outputs === undefined;
}

/**
 * Whether an event is known to have changed neither the state nor an output: it may have been refused.
 *
 * @param {Entry} entry
 * @returns {boolean}
 */
export function changedNothing(entry) {
  return entry.event !== undefined && entry.error === undefined &&
    entry.patch?.length === 0 && (entry.outputs ?? []).length === 0;
}

/**
 * The entry of the same timeline that caused this one.
 *
 * @param {Entry} entry
 * @returns {number | undefined}
 */
export function causeIn(entry) {
  return typeof entry.cause === "number" ? entry.cause : undefined;
}

/**
 * The moment of another timeline that caused this entry.
 *
 * @param {Entry} entry
 * @returns {{ timeline: string, seq: number } | undefined}
 */
export function causeElsewhere(entry) {
  if (typeof entry.cause !== "string") return undefined;
  const [timeline = "", seq = ""] = entry.cause.split(":");
  try {
    return { timeline: uuid(timeline, "cause"), seq: whole(Number(seq), "cause") };
  } catch {
    return undefined;
  }
}

/**
 * The outputs that an entry changed, by name, in the order of its patch.
 *
 * @param {Entry} entry
 * @returns {{ name: string, fires: boolean, value: Json | undefined }[]} `fires` says that one came
 *   that was absent; the value is known if the output was set as a whole
 */
export function changedOutputs(entry) {
  /** @type {Map<string, { fires: boolean, value: Json | undefined }>} */
  const found = new Map();
  for (const operation of entry.outputs ?? []) {
    const path = member(operation, "path");
    if (typeof path !== "string" || !isObject(operation)) continue;
    const [, name] = path.split("/");
    if (name === undefined) continue;
    const plain = name.replace(/~1/g, "/").replace(/~0/g, "~");
    const isWhole = path === `/${name}`;
    const fires = isWhole && operation.op === "add" || (found.get(plain)?.fires ?? false);
    found.set(plain, { fires, value: isWhole ? member(operation, "value") : undefined });
  }
  return [...found].map(([name, change]) => ({ name, ...change }));
}
