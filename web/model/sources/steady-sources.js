/** What the list of machines is made from, which stays while the pointer is on one of its rows. */

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/** The timelines, and the one in view. @typedef {{ summaries: readonly TimelineSummary[], shown: string | undefined }} Listed */

export class SteadySources {
  /** @type {Listed | undefined} */
  #listed;

  /**
   * What to list: as it is now, or while the list is held, as it was listed last. Machines that begin
   * or end meanwhile would move the rows, so that a click hits another one.
   *
   * @param {Listed} now
   * @param {boolean} isHeld
   * @returns {Listed}
   */
  of(now, isHeld) {
    if (!isHeld || !this.#listed) this.#listed = now;
    return this.#listed;
  }

  /** The list is of another source. */
  forget() {
    this.#listed = undefined;
  }
}
