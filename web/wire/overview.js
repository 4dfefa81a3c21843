/** The binary frame that answers `overview`: counts over a stretch, for drawing. */

import { parseJson } from "../base/json.js";
import { list, object, requestId, text, uuid, whole, WireError, word } from "./shape.js";

/** The columns that every frame has before those of the lanes. */
const FIXED_COLUMNS = 5;

const head = object({
  type: word("overview"),
  re: requestId,
  timeline: uuid,
  by: word("seq", "t"),
  from: whole,
  to: whole,
  buckets: whole,
  lanes: list(text),
});

/**
 * Counts over a stretch, one number a bucket in each column.
 *
 * @typedef {ReturnType<typeof head> & {
 *   entries: Uint32Array, errors: Uint32Array, lost: Uint32Array,
 *   keyframes: Uint32Array, thinned: Uint32Array, byLane: Uint32Array[] }} Overview
 */

/**
 * Reads a frame. The columns are views of its bytes where these are aligned, else copies.
 *
 * @param {ArrayBuffer} frame
 * @returns {Overview}
 * @throws {WireError} when it is not one
 */
export function readOverview(frame) {
  const view = new DataView(frame);
  if (frame.byteLength < 4) throw new WireError("The frame is too short to be an overview.", "");
  const headBytes = view.getUint32(0, true);
  if (headBytes % 4 !== 0 || headBytes > frame.byteLength - 4) {
    throw new WireError("The overview's head is longer than its frame.", "");
  }
  let json;
  try {
    const bytes = new Uint8Array(frame, 4, headBytes);
    json = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new WireError("The overview's head is not JSON.", "");
  }
  const read = head(json, "");
  const count = FIXED_COLUMNS + read.lanes.length;
  if (frame.byteLength - 4 - headBytes !== count * read.buckets * 4) {
    throw new WireError(
      `The overview has ${
        frame.byteLength - 4 - headBytes
      } bytes of columns, not those of ${count} columns with ${read.buckets} buckets.`,
      "buckets",
    );
  }
  const column = (/** @type {number} */ index) =>
    readColumn(view, 4 + headBytes + index * read.buckets * 4, read.buckets);
  return {
    ...read,
    entries: column(0),
    errors: column(1),
    lost: column(2),
    keyframes: column(3),
    thinned: column(4),
    byLane: read.lanes.map((_, lane) => column(FIXED_COLUMNS + lane)),
  };
}

/** Whether this machine's numbers stand in memory as those of the frame do. */
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * @param {DataView} view
 * @param {number} start
 * @param {number} count
 */
function readColumn(view, start, count) {
  if (isLittleEndian && start % 4 === 0) return new Uint32Array(view.buffer, start, count);
  return Uint32Array.from({ length: count }, (_, index) => view.getUint32(start + index * 4, true));
}
