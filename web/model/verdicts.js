/** What verifying, comparing and minimizing found, in words. */

import { formatCount, formatNumbered } from "../base/format.js";

/** @import { Message } from "../wire/to-inspector.js" */

/**
 * @typedef {{ tone: "ok" | "warn" | "err", title: string, text: string, seq: number | undefined }} Verdict
 */

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
          : `The reducer does today what it did then.${said}`,
        seq: undefined,
      };
    case "differs":
      return {
        tone: "err",
        title: `The reducer does something else at entry ${at}`,
        text:
          `Everything before it came out as recorded; the reducer was changed since, or the event means something else now.${said}`,
        seq,
      };
    case "impure":
      return {
        tone: "err",
        title: `The reducer is not pure: processes disagree at entry ${at}`,
        text:
          `The same events led to different states. It reads a clock, a random number, the environment or the order of a dictionary.${said}`,
        seq,
      };
    case "inconclusive":
      return {
        tone: "warn",
        title: `Nobody can tell after ${count}`,
        text: message ?? "What was redacted or not captured cannot be compared.",
        seq,
      };
  }
}

/**
 * @param {Message<"minimise">} found
 * @returns {Verdict}
 */
export function minimiseVerdict({ events, runs, minimal }) {
  return {
    tone: minimal ? "ok" : "warn",
    title: `${formatNumbered(events, "event")} ${events === 1 ? "is" : "are"} enough`,
    text: minimal
      ? `Without any one of them it does not happen. ${formatNumbered(runs, "run")} of the reducer.`
      : `Time ran out after ${formatNumbered(runs, "run")} of the reducer: there may be fewer.`,
    seq: undefined,
  };
}

/**
 * @param {Message<"compare">} found
 * @param {number} [seen] how many entries are seen to stand on one side only; the answer may know more
 * @returns {Verdict}
 */
export function compareVerdict({ equal, differing, a, b, alone: told, message }, seen = 0) {
  const same = `${formatNumbered(equal, "entry", "entries")} equal`;
  const seq = b?.seq ?? a?.seq;
  const alone = told ?? seen;
  const sentences = [
    ...(differing === 0 && seq === undefined
      ? []
      : [`${formatNumbered(differing, "entry differs", "entries differ")}.`]),
    ...(alone === 0
      ? []
      : [`${formatNumbered(alone, "entry stands", "entries stand")} on one side only.`]),
    ...(message === undefined ? [] : [message]),
  ];
  const isSame = differing === 0 && seq === undefined;
  return {
    tone: isSame && sentences.length === 0 ? "ok" : "warn",
    title: isSame
      ? `${same}, none differs`
      : `${same}, first difference at ${formatCount(seq ?? 0)}`,
    text: sentences.join(" "),
    seq,
  };
}
