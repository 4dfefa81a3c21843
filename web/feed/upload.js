/** Sends a file to a daemon, part by part, and without gzip, which daemons do not read. */

import { encodeBase64 } from "../base/bytes.js";
import { ungzipped } from "../base/gzip.js";

/** @import { Source } from "../model/sources/source.js" */

/**
 * @param {Pick<Source, "ask">} source
 * @param {Blob} given
 * @param {string} name to show; the daemon never uses it as a path
 * @param {{ onProgress?: (done: number, of: number) => void, signal?: AbortSignal }} [options]
 *   `signal` ends it before the next part; a file whose last part is on its way is imported
 * @returns {Promise<string[]>} the timelines that were imported
 */
export async function uploadFile(source, given, name, { onProgress, signal } = {}) {
  const file = await ungzipped(given, signal ? { signal } : {});
  const begun = await source.ask({ type: "import", name, bytes: file.size });
  let { timelines = [] } = begun;
  for (let offset = 0; offset < file.size || offset === 0; offset += begun.partBytes) {
    const end = Math.min(file.size, offset + begun.partBytes);
    const bytes = new Uint8Array(await file.slice(offset, end).arrayBuffer());
    signal?.throwIfAborted();
    const last = end >= file.size;
    const reply = await source.ask({
      type: "part",
      upload: begun.upload,
      offset,
      data: encodeBase64(bytes),
      ...(last ? { last } : {}),
    });
    timelines = reply.timelines ?? timelines;
    onProgress?.(end, file.size);
  }
  return timelines;
}
