/** What an exploration found and did not reach, in words. */

import { formatCount, formatNumbered } from "../../base/format.js";
import { writeJson } from "../../base/json.js";
import { shorten, shortenMiddle } from "../../base/text.js";

/** @import { Message } from "../../wire/to-inspector.js" */
/** @import { Verdict } from "./verdicts.js" */

/** @typedef {Message<"explore">} Exploration */
/** @typedef {Exploration["findings"][number]} Finding */

/** How many names of a list are shown. */
const LISTED = 12;

/** Characters of a name in it. */
const MAXIMUM_NAME = 80;

/** Characters of a message or of an event; the branch has all of them. */
const MAXIMUM_TEXT = 500;

/**
 * @param {Exploration} found
 * @param {boolean} hasGoal whether a condition was looked for, and not only errors and traps
 * @returns {Verdict}
 */
export function exploreVerdict(found, hasGoal) {
  const wanted = found.findings.filter(({ cause }) => !hasGoal || cause === "predicate");
  const [shortest] = wanted;
  const count = formatNumbered(shortest?.events.length ?? 0, "event leads", "events lead");
  const title = shortest
    ? hasGoal ? `${count} there` : formatNumbered(wanted.length, "failure")
    : hasGoal
    ? found.end === "everything" ? "No events lead there" : "Not found so far"
    : "No event traps or throws";
  return {
    tone: shortest ? "err" : found.end === "everything" ? "ok" : "warn",
    title,
    text: summary(found),
    seq: undefined,
  };
}

/** @param {Exploration} found */
function summary({ sent, states, depth, walks, end, problem }) {
  const walked = walks === undefined ? "" : `, and ${formatNumbered(walks, "random walk")}`;
  return `Sent ${formatNumbered(sent, "event")} to ${formatNumbered(states, "state")}, ${
    formatNumbered(depth, "event")
  } deep${walked}. ${endOf(end, problem)}`;
}

/**
 * @param {Exploration["end"]} end
 * @param {string | undefined} problem
 */
function endOf(end, problem) {
  switch (end) {
    case "found":
      return "Found what you asked for.";
    case "everything":
      return "These events lead to no other state.";
    case "depth":
      return "To search deeper, allow more events.";
    case "states":
      return "To search further, use debugd explore --states.";
    case "time":
      return "The time ran out. To search longer, allow more seconds.";
    case "failed":
      return shorten(`The search failed: ${problem ?? ""}`, MAXIMUM_TEXT);
  }
}

/**
 * What a finding is, and its events as text.
 *
 * @param {Finding} finding
 * @param {string} goal
 */
export function findingWords(
  { cause, message, events, timeline, minimal, problem, broken },
  goal,
) {
  const name = {
    predicate: broken === undefined ? goal : `Breaks ${broken}`,
    error: shorten(`Error: ${message ?? ""}`, MAXIMUM_TEXT),
    trap: shorten(message === undefined ? "Trap" : `Trap: ${message}`, MAXIMUM_TEXT),
    limit: "An event does not end",
  }[cause];
  const mayBeLonger = timeline !== undefined && minimal !== true && events.length > 1;
  const what = mayBeLonger ? `${name} (maybe not the fewest events)` : name;
  const note = timeline !== undefined
    ? undefined
    : problem !== undefined
    ? `No branch was made: ${problem}`
    : "It did not happen again, so the reducer depends on more than its input.";
  return { what, note, events: events.map((event) => shorten(writeJson(event), MAXIMUM_TEXT)) };
}

/**
 * What was not reached, each with its title.
 *
 * @param {Exploration} found
 * @returns {{ title: string, text: string }[]}
 */
export function coverageGaps(
  { edges, untaken = [], reached, unreached, missing, dropped, undecodable },
) {
  const gaps = edges === undefined ? [] : [{
    title: "Edges taken",
    text: `${formatCount(edges)} of ${formatCount(edges + untaken.length)}`,
  }];
  for (
    const [title, names] of /** @type {const} */ ([
      ["Edges not taken", untaken],
      ["States reached", reached],
      ["States not reached", unreached],
      ["Events that could not be sent", missing],
      ["No longer sent after many traps", dropped],
    ])
  ) {
    if (names !== undefined && names.length > 0) gaps.push({ title, text: listed(names) });
  }
  if (undecodable !== undefined) {
    gaps.push({
      title: "Changed payloads that could not be decoded",
      text: formatCount(undecodable),
    });
  }
  return gaps;
}

/** @param {readonly string[]} names */
function listed(names) {
  const shown = names.slice(0, LISTED).map((name) => shortenMiddle(name, MAXIMUM_NAME)).join(", ");
  return names.length > LISTED ? `${shown}, and ${names.length - LISTED} more` : shown;
}
