/** What stays of the view when another timeline opens. */

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Location } from "./location.js" */

export class KeptView {
  /** The filter that a branch of few events was opened without. */
  #aside = "";

  /**
   * The pin and the filter with which another timeline opens. A branch that was minimized opens without a
   * filter: its few events are all needed, and most filters hide all but the last. The timelines that the
   * reader returns to have their filter back.
   *
   * @param {TimelineSummary} summary
   * @param {Pick<Location, "pin" | "filter"> | undefined} view nothing where it makes no sense there
   * @param {TimelineSummary} [left] the timeline that the reader leaves
   * @returns {Pick<Location, "pin" | "filter">}
   */
  at(summary, view, left) {
    // Back may have led out of the branch: there, the reader has cleared a filter that is empty.
    const before = isMinimizedBranch(left) ? this.#aside : "";
    const aside = view ? view.filter || before : "";
    const isMinimized = isMinimizedBranch(summary);
    this.#aside = isMinimized ? aside : "";
    return { pin: view?.pin, filter: isMinimized ? "" : aside };
  }
}

/** @param {TimelineSummary | undefined} summary */
function isMinimizedBranch(summary) {
  return summary?.header.parent?.failure !== undefined;
}
