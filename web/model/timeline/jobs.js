/** Work that takes longer: what it is, how far it has come, and how it ends. */

import { RequestError } from "../../wire/requests.js";

/** @import { Message } from "../../wire/to-inspector.js" */
/** @import { AskOptions } from "../sources/source.js" */

/** One piece of work. */
export class Job {
  /** @type {"running" | "done" | "failed" | "cancelled"} */
  is = "running";
  /** @type {Pick<Message<"progress">, "done" | "of" | "message">} */
  progress = { done: 0 };
  /** Why it failed. @type {RequestError | undefined} */
  error;
  #abort = new AbortController();

  /** @param {string} title what is being done, as “Verifying main” */
  constructor(title) {
    /** @readonly */
    this.title = title;
  }

  get signal() {
    return this.#abort.signal;
  }

  /** How far it has come, 0 to 1; nothing while the total is unknown. */
  get share() {
    const { done, of } = this.progress;
    return of === undefined || of === 0 ? undefined : Math.min(1, done / of);
  }

  cancel() {
    this.#abort.abort();
  }
}

/** All that is under way. */
export class Jobs {
  /** @type {Job[]} */
  running = [];
  #onChange;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Begins some work.
   *
   * @template Result
   * @param {string} title
   * @param {(options: AskOptions) => Promise<Result>} work
   * @returns {{ job: Job, result: Promise<Result | undefined> }} nothing when it failed or was
   *   canceled; `job.error` says why
   */
  start(title, work) {
    const job = new Job(title);
    this.running = [...this.running, job];
    this.#onChange();
    return { job, result: this.#run(job, work) };
  }

  /**
   * @template Result
   * @param {Job} job
   * @param {(options: AskOptions) => Promise<Result>} work
   */
  async #run(job, work) {
    try {
      const result = await work({
        signal: job.signal,
        onProgress: (progress) => {
          job.progress = progress;
          this.#onChange();
        },
      });
      job.is = "done";
      return result;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      job.is = error.code === "cancelled" ? "cancelled" : "failed";
      job.error = error;
      return undefined;
    } finally {
      this.running = this.running.filter((one) => one !== job);
      this.#onChange();
    }
  }
}
