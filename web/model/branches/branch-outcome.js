/** What a branch changes in the end: how its last state differs from that of its parent. */

import { brief } from "../../base/event-name.js";
import { formatNumbered } from "../../base/format.js";
import { isNumber } from "../../base/json.js";
import { lookUp, pathText } from "../../base/pointer.js";
import { PatchError, readPatch } from "../../base/patch.js";
import { visible } from "../../base/text.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Source } from "../sources/source.js" */

/** Values that the text names. */
const MAXIMUM_NAMED = 2;

/** Longer branches are not compared entry by entry until the reader asks for it. */
const MAXIMUM_COMPARED = 20_000;

export class BranchOutcome {
  /** In words; empty until it is known. */
  text = "";
  #onChange;
  #key = "";
  #abort = new AbortController();

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Loads the outcome of a branch that is complete, unless it is here.
   *
   * @param {Source | undefined} source
   * @param {TimelineSummary | undefined} branch
   * @param {TimelineSummary | undefined} parent
   */
  update(source, branch, parent) {
    const isReady = source && parent && branch?.last !== undefined && parent.last !== undefined &&
      branch.computing === undefined;
    const key = isReady ? `${branch.header.timeline} ${branch.last}` : "";
    if (key === this.#key) return;
    this.#key = key;
    this.text = "";
    this.#abort.abort();
    this.#abort = new AbortController();
    if (isReady) void this.#load(source, branch, parent, this.#abort.signal);
  }

  /**
   * @param {Source} source
   * @param {TimelineSummary} branch
   * @param {TimelineSummary} parent
   * @param {AbortSignal} signal
   */
  async #load(source, branch, parent, signal) {
    const { start = 0, through = Infinity } = branch.header.parent ?? {};
    // The branch has not caused what the parent recorded since then.
    const a = { timeline: parent.header.timeline, seq: Math.min(parent.last ?? 0, through) };
    const b = { timeline: branch.header.timeline, seq: branch.last ?? 0 };
    try {
      const [{ patch }, before, verdict] = await Promise.all([
        source.ask({ type: "diff", a, b }, { signal }),
        source.ask({ type: "state", ...a, depth: 8 }, { signal }),
        b.seq - start > MAXIMUM_COMPARED ? undefined : source.ask(
          { type: "compare", timeline: a.timeline, with: b.timeline },
          { signal },
        ),
      ]);
      if (signal.aborted) return;
      this.text = outcomeText(patch, before.value ?? null, verdict?.differing);
      this.#onChange();
    } catch (error) {
      // A state that was not captured, or an older daemon: the strip is complete without it.
      if (!(error instanceof RequestError || error instanceof PatchError)) throw error;
    }
  }
}

/**
 * The outcome in words.
 *
 * @param {Json} patch from the parent's last moment to the branch's
 * @param {Json} before the parent's last moment
 * @param {number | undefined} differing how many states differ, where it is known
 * @returns {string}
 */
export function outcomeText(patch, before, differing) {
  const operations = readPatch(patch);
  const states = differing === undefined || differing === 0
    ? ""
    : ` ${formatNumbered(differing, "state")} ${differing === 1 ? "differs" : "differ"}.`;
  if (operations.length === 0) {
    return differing === 0
      ? "Ends in the same state; no state differs."
      : `Ends in the same state.${states}`;
  }
  const changes = operations.map((operation) => ({
    name: visible(pathText(operation.tokens.slice(1))),
    old: lookUp(before, operation.tokens),
    value: operation.op === "remove" ? undefined : operation.value,
    op: operation.op,
  }));
  // A number says most; a container says the least.
  const named = changes
    .filter(({ op, old, value }) => op === "replace" && isScalar(old) && isScalar(value))
    .sort((left, right) => Number(isNumber(right.value)) - Number(isNumber(left.value)))
    .slice(0, MAXIMUM_NAMED);
  const words = named.map(({ name, old, value }) =>
    `${name} ${visible(brief(old ?? null, 40))} → ${visible(brief(value ?? null, 40))}`
  );
  if (named.length === 0) {
    words.push(`${changes.slice(0, MAXIMUM_NAMED).map(({ name }) => name).join(", ")} changed`);
  }
  const rest = changes.length - (named.length || Math.min(changes.length, MAXIMUM_NAMED));
  if (rest > 0) words.push(formatNumbered(rest, "more change"));
  return `At the end: ${words.join(", ")}.${states}`;
}

/** @param {Json | undefined} value */
function isScalar(value) {
  return value !== undefined && (value === null || typeof value !== "object" || isNumber(value));
}
