/** What is wrong with the filter, and the filter that must be meant. */

import { formatCount } from "../../base/format.js";
import { visible } from "../../base/text.js";
import { nearPath } from "./near-path.js";
import { corrected, explain } from "./plain-filter.js";

/** @import { Inspector } from "../inspector/inspector.js" */

/**
 * What to say of a filter. `correction` is the filter that Enter puts in its place.
 *
 * @typedef {{ text: string, isError: boolean, correction?: string | undefined }} FilterProblem
 */

/**
 * @param {Inspector} inspector
 * @returns {FilterProblem | undefined}
 */
export function filterProblem({ data, moment: { shown } }) {
  const moment = shown?.is === "known" ? shown : undefined;
  const error = data?.filterError;
  if (!data || !error) return missingProblem(data, moment);
  const correction = moment && corrected(error, data.filter, moment);
  const text = explain(error.message, data.filter, moment);
  if (correction !== undefined) return { text: withEnter(text), isError: true, correction };
  // The end of what was typed needs no column, nor does a word that Enter replaces.
  const hasColumn = error.column !== undefined && !text.startsWith("Incomplete");
  return { text: hasColumn ? `${text} (column ${error.column})` : text, isError: true };
}

/**
 * A path that the moment lacks may be there at other entries: only where no entry matches, Enter
 * replaces it.
 *
 * @param {Inspector["data"]} data
 * @param {Extract<Inspector["moment"]["shown"], { is: "known" }> | undefined} moment
 * @returns {FilterProblem | undefined}
 */
function missingProblem(data, moment) {
  // A plain word has a predicate of its own.
  if (!data?.filtered || !moment || data.predicate !== data.filter) return undefined;
  const found = nearPath(data.filter, moment);
  if (!found) return undefined;
  const text = `Entry ${formatCount(moment.seq)} has no ${visible(found.missing)}; did you mean ${
    visible(found.near)
  }?`;
  const isEmpty = data.filtered.isComplete && data.rows.count === 0;
  return isEmpty
    ? { text: withEnter(text), isError: false, correction: found.filter }
    : { text, isError: false };
}

/** @param {string} text */
function withEnter(text) {
  return `${text} Press Enter to use it.`;
}
