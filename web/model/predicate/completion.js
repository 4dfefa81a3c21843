/** What may follow while a filter is being typed: paths, names of events, and words of the language. */

import { isObject } from "../../base/json.js";
import { CALLS } from "./hints.js";
import { printPath } from "./printer.js";
import { WORDS } from "./words.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Place } from "../inspector/palette-places.js" */

/** @typedef {{ is: "path" | "event" | "word", title: string, detail: string }} Candidate */

/**
 * A candidate with what it changes: the text from `from` to `to` becomes `text`.
 *
 * @typedef {Candidate & { from: number, to: number, text: string }} Completion
 */

/** Completions that are offered; typing on finds the others. */
const MAXIMUM_OFFERED = 8;

/** Paths of payloads that are offered, and how deep they go. */
const MAXIMUM_PAYLOADS = 500;
const DEEPEST = 6;

/** @type {Candidate[]} */
const LANGUAGE = [...WORDS, ...CALLS].map((title) => ({ is: "word", title, detail: "" }));

/**
 * What the places of the palette, and the payloads of events, can be in a filter.
 *
 * @param {readonly Place[]} places
 * @param {Iterable<Json | undefined>} events
 * @returns {Candidate[]}
 */
export function candidatesOf(places, events) {
  /** @type {Candidate[]} */
  const candidates = [];
  for (const { is, title, detail } of places) {
    if (is === "event") candidates.push({ is, title, detail });
    else if (is === "value") candidates.push({ is: "path", title, detail });
  }
  for (const title of payloadPaths(events)) {
    candidates.push({ is: "path", title, detail: "payload" });
  }
  return [...candidates, ...LANGUAGE];
}

/** @param {Iterable<Json | undefined>} events */
function payloadPaths(events) {
  /** @type {Set<string>} */
  const paths = new Set();
  const add = (/** @type {Json} */ value, /** @type {string[]} */ steps) => {
    if (!isObject(value) || steps.length >= DEEPEST) return;
    for (const [key, member] of Object.entries(value)) {
      if (paths.size >= MAXIMUM_PAYLOADS) return;
      const inside = [...steps, key];
      // An event is found by its name; below it are its values.
      if (inside.length > 1) paths.add(printPath({ root: "event", steps: inside }));
      add(member, inside);
    }
  };
  for (const event of events) if (event !== undefined) add(event, []);
  return paths;
}

/**
 * The word before the caret, and what it stands for: `quoted` is the name of an event in quotation
 * marks, `name` one that lacks them.
 *
 * @typedef {{ word: string, is: "quoted" | "name" | "any" }} Typed
 */

/**
 * @param {string} before the text before the caret
 * @returns {Typed | undefined} nothing inside of other texts, of patterns, and of numbers
 */
function typedAt(before) {
  const quoted = /\b(?:event|name)\s*[=!]=\s*"([^"\\]*)$/.exec(before)?.[1];
  if (quoted !== undefined) return { word: quoted, is: "quoted" };
  if (/^(?:[^"]*"[^"]*")*[^"]*"[^"]*$/.test(before) || /matches\s*\/[^/]*$/.test(before)) {
    return undefined;
  }
  const word = /[\p{L}\p{N}_$.[\]]*$/u.exec(before)?.[0] ?? "";
  if (/^\d/.test(word)) return undefined;
  const start = before.slice(0, before.length - word.length);
  return { word, is: /\b(?:event|name)\s*[=!]=\s*$/.test(start) ? "name" : "any" };
}

/**
 * What may replace the word at the caret, the best first.
 *
 * @param {string} text
 * @param {number} caret
 * @param {readonly Candidate[]} candidates
 * @param {boolean} [isAsked] whether the reader asks for some without having typed a word
 * @returns {Completion[]}
 */
export function completionsAt(text, caret, candidates, isAsked = false) {
  const typed = typedAt(text.slice(0, caret));
  if (!typed || typed.word === "" && typed.is === "any" && !isAsked) return [];
  const { word, is } = typed;
  const fitting = is === "any" ? candidates : candidates.filter((one) => one.is === "event");
  const rest = text.slice(caret);
  const after = (is === "quoted" ? /^[^"]*"?/ : /^[\p{L}\p{N}_$]*/u).exec(rest)?.[0].length ?? 0;
  return ranked(fitting, word)
    .map((one) => ({
      ...one,
      from: caret - word.length,
      to: caret + after,
      text: textOf(one, is),
    }))
    .filter(({ from, to, text: fresh }) => text.slice(from, to) !== fresh)
    .slice(0, MAXIMUM_OFFERED);
}

/** @param {Candidate} candidate @param {Typed["is"]} place */
function textOf({ is, title }, place) {
  if (is === "event") {
    const name = JSON.stringify(title);
    return place === "any" ? `event == ${name}` : place === "name" ? name : name.slice(1);
  }
  return title === "changed" ? "changed(" : title;
}

/**
 * What begins with the word comes first, and of that the shortest: it is nearest to the root.
 *
 * @param {readonly Candidate[]} candidates
 * @param {string} word
 */
function ranked(candidates, word) {
  if (word === "") return candidates;
  const start = word.toLowerCase();
  const isNear = (/** @type {Candidate} */ { title }) =>
    `.${title.toLowerCase()}`.includes(`.${start}`);
  const found = candidates.filter(({ title }) => title.toLowerCase().includes(start));
  const near = found.filter(isNear).sort((left, right) => left.title.length - right.title.length);
  return [...near, ...found.filter((one) => !isNear(one))];
}
