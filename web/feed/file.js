/** A file as a source: what is asked of it is answered by a worker that reads it. */

import { Emitter } from "../base/emitter.js";
import { TimelineFileError } from "../wire/timeline-file.js";
import { RequestError } from "../wire/requests.js";
import { unpack } from "./file-messages.js";

/** @import { AskType, Replies } from "../wire/requests.js" */
/** @import { FromInspector, Request } from "../wire/from-inspector.js" */
/** @import { News } from "../wire/connection-state.js" */
/** @import { Capability } from "../wire/to-inspector.js" */
/** @import { AskOptions, Source } from "../model/sources/source.js" */
/** @import { Branches, FromWorker, ToWorker } from "./file-messages.js" */
/** @import { WhatIf } from "../model/files/what-if.js" */

/**
 * What is needed of a `Worker`; tests give one of their own.
 *
 * @typedef {Pick<Worker, "postMessage" | "onmessage" | "onerror" | "terminate">} Reader
 */

/**
 * @typedef {object} Waiting
 * @property {(reply: unknown) => void} resolve
 * @property {(error: RequestError) => void} reject
 * @property {AskOptions["onProgress"]} onProgress
 */

/** @implements {Source} */
export class FileFeed {
  /** @readonly @type {"file"} */
  kind = "file";
  /** What the file is called. */
  fileName = "";
  /** @readonly @type {ReadonlySet<Capability>} */
  capabilities = new Set(/** @type {const} */ (["look"]));
  /** @readonly @type {Emitter<News>} */
  news = new Emitter();
  /** The edits of which the file has branches. @type {WhatIf | undefined} */
  whatIf;
  /** The bytes of a last line that a stopped writer left unfinished. */
  tornBytes = 0;
  #reader;
  #isClosed = false;
  #nextId = 1;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();

  /** @param {Reader} reader */
  constructor(reader) {
    this.#reader = reader;
  }

  /**
   * Opens a file.
   *
   * @param {Blob} file
   * @param {{ onProgress?: (done: number, of: number) => void, signal?: AbortSignal,
   *   branches?: Branches | undefined }} [options] `signal` ends the reading at once
   * @param {() => Reader} [start]
   * @returns {Promise<FileFeed>}
   * @throws {TimelineFileError} when it is not a timeline
   */
  static open(file, { onProgress, signal, branches } = {}, start = startWorker) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const reader = start();
      const feed = new FileFeed(reader);
      if (branches) feed.whatIf = branches;
      const fail = (/** @type {unknown} */ error) => {
        feed.close();
        reject(error);
      };
      signal?.addEventListener("abort", () => fail(signal.reason), { once: true });
      reader.onerror = ({ message }) =>
        fail(new TimelineFileError(message ?? "the browser did not start the worker for it", 0));
      reader.onmessage = (event) => {
        const data = /** @type {FromWorker} */ (event.data);
        if (data.is === "reading") return onProgress?.(data.done, data.of);
        if (data.is === "no-timeline") return fail(new TimelineFileError(data.message, 0));
        if (data.is !== "open") return;
        feed.tornBytes = data.tornBytes;
        reader.onmessage = (event) => feed.#take(event.data);
        reader.onerror = () => feed.close();
        resolve(feed);
      };
      send(reader, { do: "open", file, ...(branches ? { branches } : {}) });
    });
  }

  /** Ends the worker; what is asked then fails. */
  close() {
    this.#isClosed = true;
    this.#reader.terminate();
    for (const { reject } of this.#waiting.values()) {
      reject(new RequestError("cancelled", "The file was closed."));
    }
    this.#waiting.clear();
  }

  /**
   * @template {AskType} Type
   * @param {Request<Type>} request
   * @param {AskOptions} [options]
   * @returns {Promise<Replies[Type]>}
   */
  ask(request, { signal, onProgress } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        return reject(new RequestError("cancelled", "The request was canceled."));
      }
      if (this.#isClosed) return reject(new RequestError("cancelled", "The file was closed."));
      const id = this.#nextId++;
      this.#waiting.set(id, {
        resolve: (reply) => resolve(/** @type {Replies[Type]} */ (reply)),
        reject,
        onProgress,
      });
      signal?.addEventListener(
        "abort",
        () => send(this.#reader, { do: "cancel", id }),
        { once: true },
      );
      send(this.#reader, {
        do: "ask",
        id,
        request: /** @type {FromInspector} */ (/** @type {unknown} */ (request)),
      });
    });
  }

  /** @param {FromWorker} message */
  #take(message) {
    if (message.is === "news") return this.news.emit(message.news);
    if (!("id" in message)) return;
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if (message.is === "progress") return waiting.onProgress?.(message.progress);
    this.#waiting.delete(message.id);
    if (message.is === "failure") {
      const { code, message: why, ...place } = message.failure;
      waiting.reject(new RequestError(code, why, place));
    } else {
      waiting.resolve(message.isPacked ? unpack(message.reply) : message.reply);
    }
  }
}

/**
 * @param {Reader} reader
 * @param {ToWorker} message
 */
function send(reader, message) {
  reader.postMessage(message);
}

/** @returns {Reader} */
function startWorker() {
  return startWorkerAt(new URL("./file-worker.js", import.meta.url).href, "module");
}

/**
 * Starts the worker. The page's policy lets nothing else make a script's address, and this only one.
 *
 * @param {string} url the same in each call
 * @param {WorkerType} type
 * @returns {Reader}
 */
export function startWorkerAt(url, type) {
  /** @typedef {{ createScriptURL(url: string): string }} Policy */
  /** @type {{ createPolicy(name: string, rules: Policy): Policy } | undefined} */
  const types = Reflect.get(globalThis, "trustedTypes");
  policy ??= types?.createPolicy("file-worker", {
    createScriptURL(asked) {
      if (asked !== url) throw new TypeError(`there is no worker at ${asked}`);
      return asked;
    },
  });
  return new Worker(policy ? policy.createScriptURL(url) : url, { type });
}

/** Of a name there may be one policy. @type {{ createScriptURL(url: string): string } | undefined} */
let policy;
