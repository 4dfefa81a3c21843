/** The header of a timeline, and what it says of events. */

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

/** The greatest format of a timeline that this page reads. */
export const MAXIMUM_FORMAT = 1;

const parts = object({
  timeline: uuid,
  app: object({
    name: text,
    version: maybe(text),
    commit: maybe(text),
    process: maybe(text),
    pid: maybe(whole),
    host: maybe(text),
    platform: maybe(text),
    run: maybe(text),
  }),
  machine: object({
    type: text,
    name: text,
    module: maybe(text),
    kind: maybe(text),
    make: maybe(text),
    encoding: maybe(text),
  }),
  started: text,
  parent: maybe(object({
    timeline: uuid,
    through: whole,
    start: whole,
    edits: any,
    name: maybe(text),
    standIns: maybe(any),
    failure: maybe(text),
  })),
  forkedFrom: maybe(object({ timeline: uuid, seq: whole })),
  schema: maybe(anyObject),
  outputs: maybe(map(text)),
  lanes: maybe(map(text)),
  chart: maybe(any),
  recorder: maybe(text),
  format: whole,
});

/** @typedef {ReturnType<typeof parts>} Header */

/**
 * A header. Of a greater format nothing else is looked at.
 *
 * @type {Shape<Header>}
 */
export const header = (json, path) => {
  const format = member(json, "format");
  if (typeof format === "number" && format > MAXIMUM_FORMAT) {
    const at = path ? `${path}.format` : "format";
    throw new WireError(
      `This timeline has format ${format}; this page reads up to ${MAXIMUM_FORMAT}. To open it, use a newer inspector.`,
      at,
    );
  }
  return parts(json, path);
};

const KINDS = /** @type {const} */ ([
  "string",
  "int",
  "double",
  "bool",
  "date",
  "data",
  "url",
  "uuid",
  "any",
  "array",
  "dictionary",
  "optional",
  "struct",
  "enum",
]);

/**
 * What a value can be.
 *
 * @typedef {{ kind: typeof KINDS[number], type?: string, element?: ValueType }} ValueType
 */

/**
 * An unknown kind is `any`, and so is one that lacks its parts.
 *
 * @type {Shape<ValueType>}
 */
export const valueType = (json, path) => {
  const name = member(json, "kind");
  const type = member(json, "type");
  const kind = KINDS.find((one) => one === name) ?? "any";
  const inside = member(json, "element");
  if (kind === "array" || kind === "dictionary" || kind === "optional") {
    return {
      kind,
      element: inside === undefined ? { kind: "any" } : valueType(inside, `${path}.element`),
    };
  }
  if (kind === "struct" || kind === "enum") {
    return typeof type === "string" ? { kind, type } : { kind: "any" };
  }
  return { kind };
};

/**
 * A field of a payload or of a type.
 *
 * @typedef {ValueType & { key: string, label?: string }} Field
 */

/** @type {Shape<Field>} */
const field = (json, path) => ({
  ...object({ key: text, label: maybe(text) })(json, path),
  ...valueType(json, path),
});

const eventCase = object({
  name: text,
  swift: maybe(text),
  payload: maybe(list(field)),
  samples: maybe(list(any)),
});

const typeDefinition = object({
  kind: maybe(text),
  fields: maybe(list(field)),
  cases: maybe(list(eventCase)),
  values: maybe(list(any)),
  guess: maybe(flag),
  encoding: maybe(text),
});

/** What events there can be. */
export const schema = object({
  type: maybe(text),
  encoding: maybe(text),
  complete: maybe(flag),
  cases: list(eventCase),
  types: maybe(map(typeDefinition)),
  fingerprint: maybe(text),
});

/** @typedef {ReturnType<typeof schema>} Schema */
/** @typedef {ReturnType<typeof eventCase>} EventCase */
/** @typedef {ReturnType<typeof typeDefinition>} TypeDefinition */

/**
 * The schema of a header, or nothing when there is none that can be read: it is a help, and a
 * timeline without it is as good.
 *
 * @param {Json | undefined} json
 * @returns {Schema | undefined}
 */
export function readSchema(json) {
  if (!isObject(json)) return undefined;
  try {
    return schema(json, "schema");
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
