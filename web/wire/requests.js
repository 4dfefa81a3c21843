/** Which message answers which request. */

/** @import { FromInspector, MessageType as RequestType } from "./from-inspector.js" */
/** @import { ErrorCode, Message } from "./to-inspector.js" */
/** @import { Overview } from "./overview.js" */

/** A file that belongs to the one before it, such as the fixture of a test. @typedef {Pick<Message<"export">, "name" | "media" | "data">} ExportedFile */

/**
 * The answers by the type of the request, but for one whose spelling is the protocol's.
 *
 * @typedef {object} MostReplies
 * @property {Message<"timelines">} timelines
 * @property {Message<"done">} watch
 * @property {Message<"entries">} entries
 * @property {Message<"state">} state
 * @property {Message<"raw">} raw
 * @property {Message<"diff">} diff
 * @property {Message<"changes">} changes
 * @property {Message<"find">} find
 * @property {Message<"column">} column
 * @property {Message<"series">} series
 * @property {Overview} overview
 * @property {Message<"done">} compute
 * @property {Message<"fork">} fork
 * @property {Message<"done">} rename
 * @property {Message<"done">} delete
 * @property {Message<"done">} mark
 * @property {Message<"import">} import
 * @property {Message<"import">} part
 * @property {Message<"export"> & { further?: ExportedFile[] }} export
 * @property {Message<"verify">} verify
 * @property {Message<"compare">} compare
 * @property {Message<"done">} cancel
 * @property {Message<"done">} hold
 * @property {Message<"done">} restore
 * @property {Message<"done">} dispatch
 * @property {Message<"done">} step
 * @property {Message<"done">} resume
 * @property {Message<"done">} capture
 * @property {Message<"prune">} prune
 * @property {Message<"check">} check
 * @property {Message<"invite">} invite
 * @property {Message<"growth">} growth
 * @property {Message<"invariants">} invariants
 * @property {Message<"source">} source
 * @property {Message<"filters">} filters
 * @property {Message<"status">} status
 * @property {Message<"sessions">} sessions
 * @property {Message<"done">} revoke
 * @property {Message<"hosts">} hosts
 * @property {Message<"done">} host
 * @property {Message<"explore">} explore
 * @property {Message<"explain">} explain
 * @property {Message<"manifest">} manifest
 * @property {Message<"fetch">} fetch
 * @property {Message<"offer">} offer
 * @property {Message<"done">} deposit
 * @property {Message<"done">} finish
 */

/** The answers by the type of the request. @typedef {MostReplies & { "minimise": Message<"minimise"> }} Replies */

/** The requests that have an answer. @typedef {keyof Replies & RequestType} AskType */

/** Codes of failures that this end finds, and not the daemon. @typedef {ErrorCode | "disconnected"} FailureCode */

/** Why a request has no answer. */
export class RequestError extends Error {
  /**
   * @param {FailureCode} code
   * @param {string} message
   * @param {{ path?: string, at?: number }} [place]
   */
  constructor(code, message, place = {}) {
    super(message);
    this.name = "RequestError";
    /** @readonly */
    this.code = code;
    /** @readonly */
    this.path = place.path;
    /** @readonly */
    this.at = place.at;
  }
}

/**
 * The slot of a request: a newer request with the same one takes its place.
 *
 * @param {FromInspector} message
 * @returns {string | undefined}
 */
export function slotOf(message) {
  return message.type === "state" ? message.slot : undefined;
}
