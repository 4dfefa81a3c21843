/** The messages of the daemon to an inspector. */

import { isObject, member, parseJson } from "../base/json.js";
import { entry } from "./entry.js";
import { header } from "./header.js";
import { explain } from "./explanation.js";
import { invariants } from "./invariants.js";
import { series } from "./series.js";
import {
  any,
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
/** @import { Entry } from "./entry.js" */
/** @import { Overview } from "./overview.js" */
/** @import { Shape } from "./shape.js" */

export const CAPABILITIES = /** @type {const} */ (["look", "change", "control", "host", "push"]);
/** @typedef {typeof CAPABILITIES[number]} Capability */

export const ERROR_CODES = /** @type {const} */ ([
  "malformed",
  "unknown-type",
  "missing",
  "wrong-type",
  "wrong-value",
  "version",
  "unauthorised",
  "forbidden",
  "not-found",
  "conflict",
  "limit",
  "thinned",
  "no-host",
  "superseded",
  "cancelled",
  "failed",
]);
/** @typedef {typeof ERROR_CODES[number]} ErrorCode */

const capability = word(...CAPABILITIES);
const moment = object({ timeline: uuid, seq: whole });

const summary = object({
  header,
  name: maybe(text),
  entries: whole,
  first: maybe(whole),
  last: maybe(whole),
  durable: maybe(whole),
  bytes: whole,
  duration: whole,
  live: maybe(flag),
  controllable: maybe(flag),
  computing: maybe(whole),
  ended: maybe(branchEnd),
  branches: maybe(whole),
  marks: maybe(list(timelineMark)),
});

/** What the list shows of a timeline. @typedef {ReturnType<typeof summary>} TimelineSummary */

/** Entries that cannot be read are left out: one odd line must not hide all others. @type {Shape<Entry[]>} */
const entries = (json, path) =>
  list(any)(json, path).flatMap((one, index) => {
    try {
      return [entry(one, `${path}[${index}]`)];
    } catch (error) {
      if (error instanceof WireError) return [];
      throw error;
    }
  });

const foundLeaf = object({ seq: whole, path: pointer });
const change = object({ seq: whole, old: maybe(any), new: maybe(any) });

/** A code that is new to this page is taken for a failure. @type {Shape<ErrorCode>} */
const errorCode = (json) => ERROR_CODES.find((code) => code === json) ?? "failed";

/** The messages by their type. What belongs to a request has `re` beside these keys. */
const shapes = {
  challenge: object({ nonce: text, proof: text }),
  welcome: object({
    version,
    daemon: text,
    session: maybe(text),
    boot: maybe(text),
    capabilities: list(capability),
    maxMessage: whole,
    temporary: maybe(flag),
  }),
  timelines: object({ timelines: list(summary) }),
  timeline: object({ timeline: summary }),
  gone: object({ timeline: uuid }),
  live: object({
    timeline: uuid,
    last: whole,
    t: whole,
    durable: maybe(whole),
    from: maybe(whole),
    entries,
  }),
  control: object({
    timeline: uuid,
    held: maybe(flag),
    yours: maybe(flag),
    holder: maybe(text),
    policy: maybe(word("refuse", "queue")),
    queued: maybe(whole),
    why: maybe(text),
  }),
  entries: object({
    timeline: uuid,
    entries,
    next: maybe(whole),
    unknown: maybe(list(stretch)),
    leaves: maybe(list(foundLeaf)),
  }),
  state: object({
    timeline: uuid,
    seq: whole,
    path: maybe(pointer),
    value: maybe(any),
    computed: maybe(flag),
  }),
  raw: object({ timeline: uuid, entry: any }),
  diff: object({ patch: any }),
  changes: object({ changes: list(change), unknown: maybe(list(stretch)), more: maybe(flag) }),
  find: object({
    seqs: list(whole),
    next: maybe(whole),
    unknown: maybe(list(stretch)),
    unknownCount: whole,
    leaves: maybe(list(foundLeaf)),
  }),
  column: object({ from: whole, columns: list(list(any)), unknown: maybe(list(stretch)) }),
  series,
  fork: object({ timeline: uuid, start: whole, parent: uuid }),
  done: object({ seq: maybe(whole), lease: maybe(text) }),
  progress: object({
    done: whole,
    of: maybe(whole),
    message: maybe(text),
    waits: maybe(flag),
    ends: maybe(flag),
  }),
  import: object({
    upload: text,
    partBytes: whole,
    timelines: maybe(list(uuid)),
    note: maybe(text),
  }),
  export: object({
    name: text,
    media: text,
    offset: whole,
    data: text,
    more: maybe(flag),
    note: maybe(text),
  }),
  verify: object({
    outcome: word("same", "differs", "impure", "inconclusive", "passes", "fails"),
    entries: whole,
    seq: maybe(whole),
    patch: maybe(any),
    message: maybe(text),
    failure: maybe(text),
    why: maybe(branchEnd),
  }),
  compare: object({
    equal: whole,
    differing: whole,
    a: maybe(moment),
    b: maybe(moment),
    patch: maybe(any),
    paths: maybe(list(object({ path: pointer, entries: whole }))),
    alone: maybe(whole),
    message: maybe(text),
  }),
  "minimise": object({ timeline: uuid, events: whole, runs: whole, minimal: maybe(flag) }),
  explore: object({
    findings: list(object({
      cause: word("predicate", "error", "trap", "limit"),
      events: list(any),
      timeline: maybe(uuid),
      message: maybe(text),
      minimal: maybe(flag),
      problem: maybe(text),
      broken: maybe(text),
    })),
    end: word("found", "everything", "depth", "states", "time", "failed"),
    problem: maybe(text),
    states: whole,
    sent: whole,
    depth: whole,
    walks: maybe(whole),
    events: list(object({ name: text, sent: whole, effects: whole, failures: whole })),
    missing: maybe(list(text)),
    dropped: maybe(list(text)),
    undecodable: maybe(whole),
    reached: maybe(list(text)),
    unreached: maybe(list(text)),
    edges: maybe(whole),
    untaken: maybe(list(text)),
  }),
  explain,
  growth: object({
    seqs: list(whole),
    bytes: list(whole),
    paths: list(object({ path: pointer, bytes: list(whole), elements: maybe(list(whole)) })),
    unknown: maybe(whole),
    more: maybe(flag),
  }),
  invariants,
  source: object({
    at: text,
    file: text,
    line: whole,
    first: whole,
    lines: list(text),
    editor: maybe(text),
  }),
  filters: object({ filters: list(object({ name: text, predicate: text })) }),
  status: object({
    daemon: text,
    seconds: whole,
    recorders: whole,
    inspectors: whole,
    timelines: whole,
    entries: whole,
    bytes: whole,
    store: maybe(text),
    machines: maybe(whole),
    dropped: maybe(whole),
    problem: maybe(text),
  }),
  prune: object({ deleted: list(uuid), shortened: list(uuid), sentences: list(text) }),
  check: object({
    timelines: whole,
    entries: whole,
    findings: list(
      object({ text, timeline: maybe(uuid), seqs: maybe(stretch), origin: maybe(text) }),
    ),
  }),
  invite: object({ code: text, seconds: whole, page: maybe(text) }),
  sessions: object({
    sessions: list(object({
      id: text,
      capabilities: list(capability),
      client: maybe(text),
      created: text,
      expires: maybe(text),
      connected: maybe(flag),
      yours: maybe(flag),
      watching: maybe(list(uuid)),
    })),
  }),
  hosts: object({
    hosts: list(object({
      name: text,
      place: word("process", "live"),
      makes: list(text),
      busy: maybe(flag),
      problem: maybe(text),
      app: maybe(text),
      version: maybe(text),
      executable: maybe(text),
      started: maybe(text),
      restarted: maybe(text),
    })),
  }),
  manifest: object({
    header,
    first: maybe(whole),
    last: maybe(whole),
    shares: maybe(flag),
    name: maybe(text),
    marks: maybe(list(timelineMark)),
    closed: maybe(flag),
    gap: maybe(lostEntries),
    ended: maybe(branchEnd),
    digest: maybe(text),
  }),
  fetch: object({ chunks: list(copiedChunk) }),
  offer: object({
    last: maybe(whole),
    compared: maybe(stretch),
    digest: maybe(text),
    marked: maybe(list(whole)),
    named: maybe(flag),
    closed: maybe(flag),
    ended: maybe(branchEnd),
  }),
  notice: object({
    level: word("info", "warning", "error"),
    message: text,
    timeline: maybe(uuid),
  }),
  error: object({
    code: errorCode,
    message: text,
    path: maybe(text),
    at: maybe(whole),
    timeline: maybe(uuid),
  }),
};

/** @typedef {typeof shapes} Shapes */
/** @typedef {keyof Shapes} MessageType */

/**
 * A message of one type.
 *
 * @template {MessageType} Type
 * @typedef {{ type: Type, re?: number | string } & ReturnType<Shapes[Type]>} Message
 */

/** Any message in text. @typedef {{ [Type in MessageType]: Message<Type> }[MessageType]} ToInspector */

/** @param {string} type @returns {type is MessageType} */
function isMessageType(type) {
  return Object.hasOwn(shapes, type);
}

/**
 * Reads a frame.
 *
 * @param {string} frame
 * @returns {ToInspector | undefined} nothing for a type that a newer daemon may send
 * @throws {WireError} when it is not a message; its `re` is then lost
 */
export function readToInspector(frame) {
  let json;
  try {
    json = parseJson(frame);
  } catch {
    throw new WireError("The frame is not JSON.", "");
  }
  return toInspector(json);
}

/**
 * Checks a message.
 *
 * @param {Json} json
 * @returns {ToInspector | undefined}
 */
export function toInspector(json) {
  if (!isObject(json)) throw new WireError("The frame is not an object.", "");
  const type = text(member(json, "type") ?? null, "type");
  if (!isMessageType(type)) return undefined;
  const re = member(json, "re");
  const read = shapes[type](json, "");
  const message = { type, ...(re === undefined ? {} : { re: requestId(re, "re") }), ...read };
  return /** @type {ToInspector} */ (/** @type {unknown} */ (message));
}

/**
 * The request that a frame answers, though nothing else of it may be readable.
 *
 * @param {string} frame
 * @returns {number | string | undefined}
 */
export function replyId(frame) {
  try {
    return requestId(member(parseJson(frame), "re") ?? null, "re");
  } catch {
    return undefined;
  }
}
