/** What verifying, comparing and minimizing found, in words. */

import { formatCount, formatNumbered } from "../../base/format.js";

/** @import { Message } from "../../wire/to-inspector.js" */
/** @import { Job } from "../timeline/jobs.js" */
/** @import { Comparison } from "./comparison.js" */

/**
 * @typedef {{ tone: "ok" | "warn" | "err", title: string, text: string, seq: number | undefined }} Verdict
 */

/**
 * Why there is no result.
 *
 * @param {Pick<Job, "is" | "progress" | "error">} job
 * @returns {Verdict}
 */
export function endVerdict({ is, progress, error }) {
  if (is !== "cancelled") {
    return { tone: "err", title: "Failed", text: error?.message ?? "", seq: undefined };
  }
  const text = `${formatNumbered(progress.done, "step")} finished before that.`;
  return { tone: "warn", title: "Canceled", text, seq: undefined };
}

/**
 * @param {Message<"verify">} found
 * @param {number} processes
 * @returns {Verdict}
 */
export function verifyVerdict({ outcome, entries, seq, message }, processes) {
  const count = formatNumbered(entries, "entry", "entries");
  const at = formatCount(seq ?? 0);
  const said = message === undefined ? "" : ` ${message}`;
  switch (outcome) {
    case "same":
      return {
        tone: "ok",
        title: `${count} came out as recorded`,
        text: processes > 1
          ? `In ${processes} processes with other hash seeds, time zones and locales, too.${said}`
          : `The reducer still does what it did.${said}`,
        seq: undefined,
      };
    case "differs":
      return {
        tone: "err",
        title: `The reducer's result changed at entry ${at}`,
        text:
          `Everything before it came out as recorded; the reducer, or the meaning of the event, has changed since then.${said}`,
        seq,
      };
    case "impure":
      return {
        tone: "err",
        title: `The reducer is not pure: processes disagree at entry ${at}`,
        text:
          `The same events led to different states. It probably reads a clock, a random number, the environment, or the order of a dictionary.${said}`,
        seq,
      };
    case "passes":
      return {
        tone: "ok",
        title: "The failure no longer happens",
        text: `${count} ran without it.${said}`,
        seq: undefined,
      };
    case "fails":
      return {
        tone: "err",
        title: `The failure still happens at entry ${at}`,
        text: `${count} ran before it.${said}`,
        seq,
      };
    case "inconclusive":
      return {
        tone: "warn",
        title: `Inconclusive after ${count}`,
        text: message ?? "Redacted values and states that were not captured cannot be compared.",
        seq,
      };
  }
}

/**
 * @param {Message<"minimise">} found
 * @returns {Verdict}
 */
export function minimizeVerdict({ events, runs, minimal }) {
  return {
    tone: minimal ? "ok" : "warn",
    title: `${formatNumbered(events, "event reproduces", "events reproduce")} it`,
    text: minimal
      ? `${events === 1 ? "It is" : "Each of them is"} needed. The reducer ran ${
        formatNumbered(runs, "time")
      }.`
      : `The time limit ended after ${
        formatNumbered(runs, "run")
      } of the reducer, so fewer may be enough.`,
    seq: undefined,
  };
}

/**
 * The result of a search that was made before.
 *
 * @param {string} name of its branch
 * @param {number} entries of the branch, the first of which has no event
 * @returns {Verdict}
 */
export function knownVerdict(name, entries) {
  return {
    tone: "ok",
    title: `${formatNumbered(entries - 1, "event reproduces", "events reproduce")} it`,
    text: `This was minimized before, to the branch “${name}”.`,
    seq: undefined,
  };
}

/**
 * @param {Message<"compare">} found
 * @param {number} [seen] how many entries are known to be on one side only; the answer may know more
 * @returns {Verdict}
 */
export function compareVerdict({ equal, differing, a, b, alone: reported, message }, seen = 0) {
  const same = `${formatNumbered(equal, "entry", "entries")} equal`;
  const seq = b?.seq ?? a?.seq;
  const alone = reported ?? seen;
  const sentences = [
    ...(differing === 0 && seq === undefined
      ? []
      : [`${formatNumbered(differing, "entry differs", "entries differ")}.`]),
    ...(alone === 0
      ? []
      : [`${formatNumbered(alone, "entry is", "entries are")} on one side only.`]),
    ...(message === undefined ? [] : [message]),
  ];
  const isSame = differing === 0 && seq === undefined;
  return {
    tone: isSame && sentences.length === 0 ? "ok" : "warn",
    title: isSame
      ? `${same}, none differs`
      : `${same}, first difference at ${differencePlace(a?.seq, b?.seq)}`,
    text: sentences.join(" "),
    seq,
  };
}

/**
 * The entries that differ first: branches number what follows an edit differently.
 *
 * @param {number | undefined} left
 * @param {number | undefined} right
 */
function differencePlace(left, right) {
  if (left === right) return formatCount(left ?? 0);
  const sides = [
    ...(left === undefined ? [] : [`${formatCount(left)} on the left`]),
    ...(right === undefined ? [] : [`${formatCount(right)} on the right`]),
  ];
  return sides.join(", ");
}

/**
 * How the lines relate to the two timelines.
 *
 * @param {Pick<Comparison, "isByEvents" | "skipped" | "shared" | "newer">} comparison
 */
export function compareFoot({ isByEvents, skipped, shared, newer }) {
  const lead = isByEvents
    ? "No common ancestor: entries are aligned by their events."
    : skipped !== undefined
    ? `From ${formatCount(skipped)} on: the first difference is far from the start.`
    : shared > 0
    ? `The first ${formatNumbered(shared, "entry is", "entries are")} in both.`
    : "";
  const rest = newer > 0
    ? `${formatNumbered(newer, "entry", "entries")} after the end of the branch ${
      newer === 1 ? "is" : "are"
    } not compared.`
    : "";
  return [lead, rest].filter((part) => part !== "").join(" ");
}
