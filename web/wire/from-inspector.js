/** The messages of an inspector to the daemon. */

import { isObject, member, writeJson } from "../base/json.js";
import {
  any,
  anyObject,
  branchEnd,
  copiedChunk,
  flag,
  list,
  lostEntries,
  maybe,
  object,
  pointer,
  requestId,
  stretch,
  text,
  timelineMark,
  uuid,
  version,
  whole,
  WireError,
  word,
} from "./shape.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Members, Optional, Shape } from "./shape.js" */

const moment = object({ timeline: uuid, seq: whole });
const direction = word("forward", "backward");
const policy = word("refuse", "queue");

/** The messages by their type, without `id`. */
const shapes = {
  hello: object({
    version,
    key: maybe(text),
    boot: maybe(text),
    nonce: maybe(text),
    proof: maybe(text),
    client: maybe(text),
  }),
  timelines: object({
    app: maybe(text),
    live: maybe(flag),
    named: maybe(text),
    limit: maybe(whole),
  }),
  watch: object({ timeline: maybe(uuid), stop: maybe(flag), filter: maybe(text) }),
  entries: object({
    timeline: uuid,
    from: whole,
    count: whole,
    direction: maybe(direction),
    filter: maybe(text),
  }),
  state: object({
    timeline: uuid,
    seq: whole,
    path: maybe(pointer),
    depth: maybe(whole),
    bytes: maybe(whole),
    slot: maybe(text),
    compute: maybe(flag),
  }),
  raw: object({ timeline: uuid, seq: whole }),
  diff: object({ a: moment, b: moment, path: maybe(pointer) }),
  changes: object({
    timeline: uuid,
    path: pointer,
    before: maybe(whole),
    after: maybe(whole),
    limit: whole,
    follow: maybe(text),
  }),
  find: object({
    timeline: uuid,
    predicate: text,
    from: whole,
    direction: maybe(direction),
    limit: maybe(whole),
  }),
  column: object({ timeline: uuid, paths: list(pointer), from: whole, count: whole }),
  series: object({
    timeline: uuid,
    paths: list(pointer),
    from: whole,
    to: whole,
    buckets: whole,
    by: word("seq", "t"),
  }),
  overview: object({
    timeline: uuid,
    from: whole,
    to: whole,
    buckets: whole,
    by: word("seq", "t"),
  }),
  compute: object({ timeline: uuid, from: whole, to: whole }),
  fork: object({
    timeline: uuid,
    through: maybe(whole),
    edits: any,
    name: maybe(text),
    failure: maybe(text),
  }),
  rename: object({ timeline: uuid, name: text }),
  delete: object({ timeline: uuid, cascade: maybe(flag) }),
  mark: object({ timeline: uuid, seq: whole, text: maybe(text) }),
  import: object({ name: text, bytes: whole }),
  part: object({ upload: text, offset: whole, data: text, last: maybe(flag) }),
  export: object({
    timeline: uuid,
    format: word(
      "timeline",
      "json-lines",
      "csv",
      "redux",
      "swift-testing",
      "xctest",
      "quick",
      "json",
      "html",
    ),
    from: maybe(whole),
    to: maybe(whole),
    assertion: maybe(word("changed-outputs", "paths", "state", "final")),
    paths: maybe(list(pointer)),
    expect: maybe(list(text)),
    never: maybe(list(text)),
    name: maybe(text),
    make: maybe(text),
    whatIf: maybe(whole),
  }),
  verify: object({
    timeline: uuid,
    from: maybe(whole),
    to: maybe(whole),
    processes: maybe(whole),
    failure: maybe(flag),
  }),
  compare: object({ timeline: uuid, with: maybe(uuid), host: maybe(text) }),
  "minimise": object({
    timeline: uuid,
    predicate: text,
    through: maybe(whole),
    seconds: maybe(whole),
    laterStart: maybe(flag),
    keepPayloads: maybe(flag),
  }),
  explore: object({
    timeline: uuid,
    from: maybe(whole),
    until: maybe(text),
    always: maybe(text),
    exclude: maybe(list(text)),
    seconds: maybe(whole),
    depth: maybe(whole),
    states: maybe(whole),
    findings: maybe(whole),
    processes: maybe(whole),
    seed: maybe(whole),
    ignoreErrors: maybe(flag),
  }),
  explain: object({
    timeline: uuid,
    seq: whole,
    predicate: maybe(text),
    healthy: maybe(uuid),
    fewest: maybe(flag),
    seconds: maybe(whole),
  }),
  cancel: object({ request: requestId }),
  hold: object({
    timeline: uuid,
    policy,
    lease: maybe(text),
    take: maybe(flag),
    join: maybe(flag),
  }),
  restore: object({ timeline: uuid, lease: text, from: moment }),
  dispatch: object({ timeline: uuid, lease: text, event: any }),
  step: object({ timeline: uuid, lease: text }),
  resume: object({ timeline: uuid, lease: text }),
  capture: object({ timeline: uuid, allow: maybe(list(text)), deny: maybe(list(text)) }),
  prune: object({ bytes: maybe(whole), seconds: maybe(whole), perApp: maybe(whole) }),
  check: object({ thorough: maybe(flag) }),
  invite: object({
    capabilities: maybe(list(text)),
    key: maybe(flag),
    seconds: maybe(whole),
    client: maybe(text),
  }),
  growth: object({
    timeline: uuid,
    from: maybe(whole),
    to: maybe(whole),
    samples: maybe(whole),
    limit: maybe(whole),
  }),
  invariants: object({
    timelines: list(uuid),
    others: maybe(flag),
    meant: maybe(flag),
    limit: maybe(whole),
  }),
  source: object({ timeline: uuid, seq: whole, around: maybe(whole) }),
  filters: object({
    machine: text,
    name: maybe(text),
    predicate: maybe(text),
    always: maybe(flag),
  }),
  status: object({}),
  sessions: object({}),
  revoke: object({ session: text }),
  hosts: object({}),
  host: object({
    executable: text,
    arguments: maybe(list(text)),
    app: maybe(text),
    version: maybe(text),
  }),
  manifest: object({ timeline: uuid, compared: maybe(stretch) }),
  fetch: object({ timeline: uuid, after: maybe(whole), offset: maybe(whole) }),
  offer: object({
    header: anyObject,
    first: maybe(whole),
    last: maybe(whole),
    shares: maybe(flag),
  }),
  deposit: object({ timeline: uuid, chunks: list(copiedChunk) }),
  finish: object({
    timeline: uuid,
    name: maybe(text),
    marks: maybe(list(timelineMark)),
    closed: maybe(flag),
    gap: maybe(lostEntries),
    ended: maybe(branchEnd),
  }),
  error: object({ code: text, message: text, path: maybe(text), at: maybe(whole) }),
};

/** @typedef {typeof shapes} Shapes */
/** @typedef {keyof Shapes} MessageType */

/**
 * A request of one type, without its id.
 *
 * @template {MessageType} Type
 * @typedef {{ type: Type } & ReturnType<Shapes[Type]>} Request
 */

/** Any of them. @typedef {{ [Type in MessageType]: Request<Type> }[MessageType]} FromInspector */

/**
 * The frame of a message.
 *
 * @param {FromInspector} message
 * @param {number | string} [id] of a request
 * @returns {string}
 */
export function writeFromInspector(message, id) {
  const { type, ...rest } = message;
  // What is undefined is absent.
  const members = Object.entries(rest).filter(([, value]) => value !== undefined);
  const json = { type, ...(id === undefined ? {} : { id }), ...Object.fromEntries(members) };
  return writeJson(/** @type {Json} */ (json));
}

/**
 * Checks a message, as the daemon does: for tests, and for what answers without a daemon.
 *
 * @param {Json} json
 * @returns {{ message: FromInspector, id?: number | string }}
 */
export function fromInspector(json) {
  if (!isObject(json)) throw new WireError("The frame is not an object.", "");
  const type = text(member(json, "type") ?? null, "type");
  if (!Object.hasOwn(shapes, type)) throw new WireError(`There is no message '${type}'.`, "type");
  const read = shapes[/** @type {MessageType} */ (type)](json, "");
  const id = member(json, "id");
  return {
    message: /** @type {FromInspector} */ (/** @type {unknown} */ ({ type, ...read })),
    ...(id === undefined ? {} : { id: requestId(id, "id") }),
  };
}
