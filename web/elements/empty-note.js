/** Why the list of events is empty, and what to do. */

import { formatCount, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { filterProblem } from "../model/predicate/filter-problem.js";
import { anywherePredicate, isPlainWord, missingPath } from "../model/predicate/plain-filter.js";
import { h, setText, show } from "./dom.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */

export class EmptyNote {
  #text = h("p");
  #anywhere = h(
    "button",
    { type: "button", class: "line", hidden: true },
    "Search all values of states and outputs, too",
  );
  /** Puts the path that must be meant into the filter. */
  #near = h("button", { type: "button", class: "line", hidden: true });
  /** @readonly */
  element = h("div", { class: "pane-note", hidden: true }, this.#text, this.#near, this.#anywhere);
  /** @type {Inspector | undefined} */
  #inspector;

  constructor() {
    this.#anywhere.addEventListener("click", () => {
      const filter = this.#inspector?.location.filter.trim();
      if (filter) this.#inspector?.setFilter(anywherePredicate(filter));
    });
    this.#near.addEventListener("click", () => {
      const better = this.#inspector && filterProblem(this.#inspector)?.correction;
      if (better !== undefined) this.#inspector?.setFilter(better);
    });
  }

  /**
   * @param {Inspector} inspector
   * @param {number} count the rows of the list
   */
  show(inspector, count) {
    this.#inspector = inspector;
    const { data } = inspector;
    show(this.element, data !== undefined && count === 0);
    if (!data || count > 0) return;
    const isDone = !data.isFiltering && data.filtered?.isComplete === true;
    show(
      this.#anywhere,
      isDone && data.predicate.startsWith("name matches") && isPlainWord(data.filter),
    );
    const better = isDone ? filterProblem(inspector)?.correction : undefined;
    show(this.#near, better !== undefined);
    setText(this.#near, better === undefined ? "" : `Filter by ${visible(better)}`);
    setText(this.#text, textOf(inspector));
  }
}

/** @param {Inspector} inspector */
function textOf(inspector) {
  const { data } = inspector;
  if (data?.isFiltering) return "Searching…";
  if (data?.filtered && data.isAway) {
    return "The daemon is not connected. The search continues when it is back.";
  }
  if (data?.filtered?.isStopped) {
    return "The search was stopped. There were no matches so far.";
  }
  if (data?.filtered) {
    const why = `${missing(inspector)}${unknown(data.filtered.unknownCount)}`;
    return `${hidden(inspector)}${why} Change the filter, or clear it to show all entries.`;
  }
  return "This timeline has no entries yet. They appear here when the machine receives an event.";
}

/** @param {Inspector} inspector */
function hidden({ data, location }) {
  const count = formatCount(data?.summary.entries ?? 0);
  return `The filter ${visible(location.filter)} hides all ${count} entries.`;
}

/** @param {number} count */
function unknown(count) {
  return count === 0
    ? ""
    : ` For ${
      formatNumbered(count, "entry", "entries")
    } the answer is not known, because values are redacted or were not recorded.`;
}

/**
 * What the filter asks for and is not there, as far as it is known.
 *
 * @param {Inspector} inspector
 */
function missing({ data, moment: { shown } }) {
  if (!data || shown?.is !== "known") return "";
  const path = missingPath(data.predicate, shown);
  return path === undefined ? "" : ` Entry ${formatCount(shown.seq)} has no ${visible(path)}.`;
}
