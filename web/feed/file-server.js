/** The worker's side of a file: reads it through once, and then answers from it. */

import { openTimelineFile, TimelineFileError } from "../model/files/file-opening.js";
import { LocalTimelines } from "../model/files/local-timelines.js";
import { RequestError } from "../wire/requests.js";
import { pack } from "./file-messages.js";

/** @import { Bytes } from "../model/files/file-opening.js" */
/** @import { LocalTimeline } from "../model/files/local-timeline.js" */
/** @import { FromInspector } from "../wire/from-inspector.js" */
/** @import { Branches, FromWorker, ToWorker } from "./file-messages.js" */

/** How often progress is reported, in milliseconds: a few times a second show that it moves. */
const REPORT_EVERY = 80;

/** What the page shows first: rows, and the state at the cursor. */
const FIRST_SIGHT = /** @type {const} */ (["entries", "state"]);

export class FileServer {
  #post;
  /** @type {LocalTimeline | LocalTimelines | undefined} */
  #timeline;
  /** The questions under way. @type {Map<number, AbortController>} */
  #asked = new Map();
  /** What the page has not received of it. @type {Set<string>} */
  #unseen = new Set(FIRST_SIGHT);
  #isFewestOpen = false;

  /** @param {(message: FromWorker) => void} post */
  constructor(post) {
    this.#post = post;
  }

  /** @param {ToWorker} message */
  async take(message) {
    switch (message.do) {
      case "open":
        await this.#open(message.file, message.branches);
        break;
      case "ask":
        await this.#answer(message.id, message.request);
        break;
      case "cancel":
        this.#asked.get(message.id)?.abort();
        break;
    }
  }

  /**
   * @param {Bytes} file
   * @param {Branches} [branches]
   */
  async #open(file, branches) {
    let reportedAt = 0;
    const onProgress = (/** @type {number} */ done, /** @type {number} */ of) => {
      const now = performance.now();
      if (now - reportedAt < REPORT_EVERY) return;
      reportedAt = now;
      this.#post({ is: "reading", done, of });
    };
    try {
      const { timeline, tornBytes } = await openTimelineFile(file, { onProgress });
      this.#timeline = branches
        ? new LocalTimelines(timeline, branches.packed, branches)
        : timeline;
      timeline.news.listen((news) => this.#post({ is: "news", news }));
      this.#post({ is: "open", tornBytes });
    } catch (error) {
      this.#post({ is: "no-timeline", message: whyUnreadable(error) });
    }
  }

  /**
   * Opens the branch with the fewest events once the page has what it shows first, and nothing is
   * asked: until then, the page alone uses the worker.
   *
   * @param {string} answered
   */
  #openFewest(answered) {
    this.#unseen.delete(answered);
    if (this.#unseen.size > 0 || this.#asked.size > 0 || this.#isFewestOpen) return;
    this.#isFewestOpen = true;
    const timelines = this.#timeline;
    if (!(timelines instanceof LocalTimelines) || !timelines.whatIf.hasFewest) return;
    // Damaged branches are reported when an edit asks for one.
    timelines.openFewest().catch(() => {});
  }

  /**
   * @param {number} id
   * @param {FromInspector} request
   */
  async #answer(id, request) {
    const controller = new AbortController();
    this.#asked.set(id, controller);
    try {
      if (!this.#timeline) throw new RequestError("not-found", "No file is open.");
      const reply = await this.#timeline.ask(/** @type {never} */ (request), {
        signal: controller.signal,
        onProgress: (progress) => this.#post({ is: "progress", id, progress }),
      });
      const { value, isPacked } = pack(reply);
      this.#post({ is: "reply", id, reply: value, isPacked });
    } catch (error) {
      this.#post({ is: "failure", id, failure: failureOf(error) });
    } finally {
      this.#asked.delete(id);
      this.#openFewest(request.type);
    }
  }
}

/** @param {unknown} error */
function whyUnreadable(error) {
  if (error instanceof TimelineFileError) return error.message;
  return `The browser cannot read it: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * @param {unknown} error
 * @returns {import("./file-messages.js").Failure}
 */
function failureOf(error) {
  if (error instanceof RequestError) {
    const { code, message, path, at } = error;
    return {
      code,
      message,
      ...(path === undefined ? {} : { path }),
      ...(at === undefined ? {} : { at }),
    };
  }
  // The file was moved or changed since, or a line of it cannot be read.
  return {
    code: "failed",
    message: `The page cannot read the file: ${error instanceof Error ? error.message : error}`,
  };
}
