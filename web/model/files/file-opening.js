/** Opens a `.timeline` file that a person gave to the page. */

import { GzipError, ungzipped } from "../../base/gzip.js";
import { isObject, parseJson } from "../../base/json.js";
import { isZstd, unpackZstd, ZstdError } from "../../base/zstd.js";
import { TimelineFileError, TimelineFileReader } from "../../wire/timeline-file.js";
import { LocalTimeline } from "./local-timeline.js";

/** @import { JsonObject } from "../../base/json-types.d.ts" */

/**
 * What is needed of a `Blob`.
 *
 * @typedef {{ size: number, stream(): ReadableStream<Uint8Array>,
 *   arrayBuffer(): Promise<ArrayBuffer>,
 *   slice(start: number, end: number): { text(): Promise<string>, arrayBuffer(): Promise<ArrayBuffer> } }} Bytes
 */

/**
 * Reads a file through once, and then answers from it.
 *
 * A compressed file is unpacked first.
 *
 * @param {Bytes} given
 * @param {{ onProgress?: (done: number, of: number) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<{ timeline: LocalTimeline, tornBytes: number }>}
 * @throws {TimelineFileError} when it is not a timeline
 */
export async function openTimelineFile(given, { onProgress, signal } = {}) {
  const file = await unpacked(given);
  const reader = new TimelineFileReader();
  const stream = file.stream().getReader();
  let done = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const chunk = await stream.read();
      if (chunk.done) break;
      reader.push(chunk.value);
      done += chunk.value.length;
      onProgress?.(done, file.size);
    }
  } finally {
    await stream.cancel();
  }
  const { header, index, tornBytes } = reader.finish();
  const end = reader.bytes;
  const lines = {
    index,
    /**
     * @param {number} first the header is -1
     * @param {number} last
     * @returns {Promise<JsonObject[]>}
     */
    async read(first, last) {
      const start = first < 0 ? 0 : index.offsets[first] ?? end;
      const until = last < index.count ? index.offsets[last] ?? end : end;
      if (start >= until) return [];
      const text = await file.slice(start, until).text();
      return text.split("\n").filter((line) => line !== "").map((line) => {
        const json = parseJson(line);
        return isObject(json) ? json : {};
      });
    },
  };
  return { timeline: new LocalTimeline(header, lines, end), tornBytes };
}

/**
 * The file without its compression, if it has one: its first bytes decide, not its name.
 *
 * @param {Bytes} file
 * @returns {Promise<Bytes>}
 */
async function unpacked(file) {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  try {
    if (!isZstd(start)) return await ungzipped(file);
    return new Blob([unpackZstd(new Uint8Array(await file.arrayBuffer()))]);
  } catch (error) {
    if (!(error instanceof ZstdError || error instanceof GzipError)) throw error;
    const advice = error instanceof GzipError && error.isDamaged
      ? " To check it, run: gunzip -t FILE.timeline.gz"
      : "";
    throw new TimelineFileError(`It cannot be unpacked. ${error.message}${advice}`, 0);
  }
}

export { TimelineFileError };
