/** The icon of a machine in the list, and what it means. */

import { icon } from "./dom.js";

/** What the icon of a machine means. @type {Record<string, string>} */
export const KINDS = {
  functional: "a functional machine",
  states: "a machine with states",
  form: "a form",
  statechart: "a statechart",
  feedback: "a machine with feedback",
  custom: "a machine of your own kind",
  reducer: "a wrapped reducer",
};

/**
 * @param {SVGSVGElement} made
 * @param {string} name
 */
export function setKind(made, name) {
  if (made.dataset.kind === name) return;
  made.dataset.kind = name;
  made.replaceChildren(...icon(name).childNodes);
}
