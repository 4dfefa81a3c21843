/** Whether a message answers a request: otherwise the page would read what is not there, or ask forever. */

import { RequestError } from "./requests.js";
import { WireError } from "./shape.js";

/** @import { FromInspector } from "./from-inspector.js" */
/** @import { Overview } from "./overview.js" */
/** @import { ToInspector } from "./to-inspector.js" */

/** The requests whose answer only says that they were done. @type {ReadonlySet<string>} */
const DONE = new Set([
  "watch",
  "compute",
  "rename",
  "delete",
  "mark",
  "cancel",
  "hold",
  "restore",
  "dispatch",
  "step",
  "resume",
  "capture",
  "revoke",
  "host",
  "deposit",
  "finish",
]);

/**
 * The type of the message that answers a request.
 *
 * @param {string} type
 */
function answerType(type) {
  return DONE.has(type) ? "done" : type === "part" ? "import" : type;
}

/**
 * Why a message does not answer a request.
 *
 * @param {FromInspector} request
 * @param {ToInspector | Overview} answer
 * @returns {string | undefined} nothing if it does
 */
export function answerProblem(request, answer) {
  if (answer.type !== answerType(request.type)) {
    return `'${answer.type}' does not answer '${request.type}'`;
  }
  const asked = "paths" in request ? request.paths?.length : undefined;
  if (answer.type === "column" && answer.columns.length !== asked) {
    return "it does not have one column for each path";
  }
  if (answer.type === "series" && answer.paths.length !== asked) {
    return "it does not have one series for each path";
  }
  if (request.type !== "entries" && request.type !== "find") return undefined;
  const next = answer.type === "entries" || answer.type === "find" ? answer.next : undefined;
  if (next === undefined) return undefined;
  const isOnward = request.direction === "backward" ? next < request.from : next > request.from;
  return isOnward ? undefined : `next is ${next}, which does not continue from ${request.from}`;
}

/**
 * What a request fails with when its answer cannot be read.
 *
 * @param {string} why
 */
export function unreadableAnswer(why) {
  return new RequestError("failed", `The daemon sent what cannot be read: ${why}`);
}

/**
 * Reads a part of an answer that the message leaves open.
 *
 * @template Value
 * @param {() => Value} read
 * @returns {Value}
 * @throws {RequestError} when the part is not what it should be
 */
export function readPart(read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw unreadableAnswer(error.message);
  }
}
