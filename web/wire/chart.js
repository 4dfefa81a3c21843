/** How a statechart is drawn, as its header says it. */

import { member } from "../base/json.js";
import { flag, list, maybe, object, text, WireError } from "./shape.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Shape } from "./shape.js" */

/**
 * What runs a closure of a chart: `"enter"`, `"exit"` or a message.
 *
 * @type {Shape<{ kind: "message" | "enter" | "exit", name: string }>}
 */
const trigger = (json, path) => {
  if (json === "enter" || json === "exit") return { kind: json, name: json };
  return { kind: "message", name: text(member(json, "message") ?? null, `${path}.message`) };
};

const edge = object({ from: list(text), to: text, trigger });

const chart = object({
  states: list(object({
    name: text,
    path: list(text),
    messages: maybe(list(object({ name: text, payload: maybe(text) }))),
    hasEnterHook: maybe(flag),
    hasExitHook: maybe(flag),
  })),
  declared: maybe(list(edge)),
  observed: maybe(list(edge)),
});

/** @typedef {ReturnType<typeof chart>} Chart */

/**
 * The chart of a header, or nothing when there is none that can be read.
 *
 * @param {Json | undefined} json
 * @returns {Chart | undefined}
 */
export function readChart(json) {
  if (json === undefined) return undefined;
  try {
    return chart(json, "chart");
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
