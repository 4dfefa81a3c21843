/** Questions about a value of the state or an output, and how the page answers them. */

import { isNumber, numberText } from "../../base/json.js";
import { indexOfToken, readPointer } from "../../base/pointer.js";
import { shorten, visible } from "../../base/text.js";
import { RequestError } from "../../wire/requests.js";
import { printPath, printPredicate } from "../predicate/printer.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { ExactNumber } from "../../base/json.js" */
/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { Expression, Operand, Path } from "../predicate/parser.js" */

/** The protocol's limit of a predicate, in bytes; a character may need three. */
export const MAXIMUM_PREDICATE = 1_300;

/**
 * A question: the filter that answers it, or what else does.
 *
 * @typedef {{ title: string, filter: string }
 *   | { title: string, act: "who" | "same", isAnswered?: boolean }} Question `isAnswered` says that its
 *   title is the answer already
 */

/** @param {string} pointer a pointer into the moment @param {"" | "before."} when @returns {Path} */
function pathOf(pointer, when) {
  const [side, ...tokens] = readPointer(pointer) ?? [];
  const root = side === "outputs"
    ? /** @type {const} */ ("outputs")
    : /** @type {const} */ ("state");
  return { root: `${when}${root}`, steps: tokens.map((token) => indexOfToken(token) ?? token) };
}

/**
 * Whether a value is, or was, another one.
 *
 * @param {string} pointer
 * @param {"" | "before."} when
 * @param {"==" | "!=" | "<" | ">"} comparison
 * @param {Extract<Operand, { is: "literal" }>["value"]} value
 * @returns {Expression}
 */
function compare(pointer, when, comparison, value) {
  return {
    is: "compare",
    left: { is: "path", path: pathOf(pointer, when) },
    comparison,
    right: { is: "literal", value },
  };
}

/** @param {Json | undefined} value @returns {value is null | boolean | string | number | ExactNumber} */
export function isScalar(value) {
  return value !== undefined && (value === null || typeof value !== "object" || isNumber(value));
}

/**
 * Whether a change of a value crosses the old one in that direction.
 *
 * @param {"<" | ">"} comparison
 * @param {number | ExactNumber} before
 * @param {number | ExactNumber} after
 */
function hasCrossed(comparison, before, after) {
  const [old, now] = [Number(numberText(before)), Number(numberText(after))];
  return comparison === "<" ? now < old : now > old;
}

/**
 * What one may ask about a value.
 *
 * @param {string} pointer a pointer into the moment
 * @param {Json | undefined} value at the cursor
 * @param {boolean} [isSetHere] whether the entry at the cursor set it
 * @param {Json} [before] the value before this entry, where it is known
 * @returns {Question[]}
 */
export function questionsAbout(pointer, value, isSetHere = false, before = undefined) {
  /** @type {Question[]} */
  const questions = [
    isSetHere
      ? { title: "This entry set it", act: "who", isAnswered: true }
      : { title: "Who set this?", act: "who" },
    { title: "When does it change?", filter: `changed(${printPath(pathOf(pointer, ""))})` },
  ];
  if (!isScalar(value)) return questions;
  const words = isNumber(value)
    ? numberText(value)
    : visible(shorten(value === null ? "nil" : JSON.stringify(value), 30));
  const ask = (/** @type {string} */ title, /** @type {Expression[]} */ parts) =>
    questions.push({ title, filter: printPredicate({ is: "all", parts }) });
  ask(`When did it become ${words}?`, [
    compare(pointer, "", "==", value),
    compare(pointer, "before.", "!=", value),
  ]);
  if (isNumber(value)) {
    // A value that must not be negative is the question asked most often.
    if (numberText(value) !== "0") {
      ask("When did it fall below 0?", [
        compare(pointer, "", "<", 0),
        { is: "not", inner: compare(pointer, "before.", "<", 0) },
      ]);
    }
    for (
      const [title, comparison] of /** @type {const} */ ([["fall below", "<"], ["rise above", ">"]])
    ) {
      // The value that this entry made may be an extreme, which nothing has crossed.
      const limit = isNumber(before) && hasCrossed(comparison, before, value) ? before : value;
      ask(`When did it ${title} ${numberText(limit)}?`, [
        compare(pointer, "", comparison, limit),
        { is: "not", inner: compare(pointer, "before.", comparison, limit) },
      ]);
    }
  }
  questions.push({ title: `When was it ${words} before?`, act: "same" });
  return questions.filter((one) => !("filter" in one) || one.filter.length <= MAXIMUM_PREDICATE);
}

/**
 * Goes to the last entry at which the value was the same as now, with another value between.
 *
 * @param {Inspector} inspector
 * @param {string} pointer
 * @param {Json | undefined} value a scalar
 */
export async function goToSameValue(inspector, pointer, value) {
  const { source, data, cursor } = inspector;
  if (!source || !data || !isScalar(value)) return;
  /** @param {"==" | "!="} comparison @param {number} from */
  const find = async (comparison, from) => {
    const { seqs: [seq] } = await source.ask({
      type: "find",
      timeline: data.id,
      predicate: printPredicate(compare(pointer, "", comparison, value)),
      from,
      direction: "backward",
    });
    return seq;
  };
  try {
    const other = await find("!=", cursor);
    const same = other === undefined ? undefined : await find("==", other);
    // The reader may have gone on meanwhile.
    if (inspector.data !== data || inspector.cursor !== cursor) return;
    if (same === undefined) inspector.notify("info", "It did not have this value before.");
    else inspector.goTo(same, { isJump: true });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    inspector.report(error);
  }
}
