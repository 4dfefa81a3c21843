/** Why commands are not available. */

/** @import { CommandPage, Circumstances } from "./command.js" */

/** @param {Circumstances} at */
export function whyNoEdit({ timeTravel }) {
  return timeTravel.forking.whyNot;
}

/** @param {Circumstances} at */
export function whyNoRun({ timeTravel }) {
  return timeTravel.forking.whyNotRun;
}

/** @param {Circumstances} at */
export function whyNoSkip({ inspector: { stretch }, timeTravel }) {
  return timeTravel.forking.whyNot ?? (stretch.to < 1 ? noEvent("skip") : undefined);
}

/** @param {string} verb */
function noEvent(verb) {
  return `The first entry has no event to ${verb}. Go to another entry.`;
}

/**
 * Why nothing can be done with the event at the cursor.
 *
 * @param {string} verb
 * @returns {(at: Circumstances) => string | undefined}
 */
export function whyNoEditOf(verb) {
  return ({ inspector: { cursor }, timeTravel }) =>
    timeTravel.forking.whyNot ?? (cursor < 1 ? noEvent(verb) : undefined);
}

/**
 * Why no event can be inserted next to the cursor.
 *
 * @param {"before" | "after"} mode
 * @returns {(at: Circumstances) => string | undefined}
 */
export function whyNoInsert(mode) {
  return ({ inspector: { cursor }, timeTravel: { forking } }) =>
    forking.whyNot ?? forking.whyNoInsert(mode === "before" ? cursor : cursor + 1);
}

/**
 * Why something cannot be done that no file has branches for.
 *
 * @param {(at: Circumstances) => string | undefined} whyNot
 * @returns {(at: Circumstances) => string | undefined}
 */
export function unlessFile(whyNot) {
  return (at) => whyNot(at) ?? at.timeTravel.forking.whyNotSuchEdit;
}

/** @param {Circumstances} at */
export function whyNoImport({ inspector: { connection } }) {
  return connection.is === "idle"
    ? "No daemon serves this page. To import the file, run: debugd import FILE"
    : undefined;
}

/** @param {Circumstances} at */
export function whyNoAnswer({ inspector }) {
  return inspector.travel.whyNotAsk;
}

/**
 * A command that has to ask the daemon: while it is away, the reader learns why nothing happens.
 *
 * @param {(page: CommandPage) => unknown} run
 * @returns {(page: CommandPage) => unknown}
 */
export function asking(run) {
  return (page) => {
    const why = whyNoAnswer(page);
    return why === undefined ? run(page) : page.inspector.notify("info", why);
  };
}

/** @param {Circumstances} at */
export function whyNoControl({ timeTravel }) {
  return timeTravel.driving.whyNotHold;
}

/** @param {Circumstances} at */
export function whyNotLive({ timeTravel }) {
  return timeTravel.driving.whyNot;
}
