/** Work for a place that changes faster than the work is done. */

/**
 * One piece of work is under way, and the newest waits; what waited before is not done at all. Who
 * moves a cursor over a thousand entries does not ask a thousand questions.
 */
export class Newest {
  #isBusy = false;
  /** @type {(() => Promise<void>) | undefined} */
  #next;

  /**
   * Does some work at once, or after what is under way.
   *
   * @param {() => Promise<void>} work
   */
  do(work) {
    this.#next = work;
    if (!this.#isBusy) void this.#run();
  }

  async #run() {
    this.#isBusy = true;
    try {
      while (this.#next) {
        const work = this.#next;
        this.#next = undefined;
        await work();
      }
    } finally {
      this.#isBusy = false;
    }
  }
}
