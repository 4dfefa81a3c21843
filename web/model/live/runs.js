/** The runs of an app: which timeline continues another one after the app was started again. */

import { visible } from "../../base/text.js";
import { rootOf } from "../sources/ancestry.js";
import { areKin } from "../branches/branches.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Inspector } from "../inspector/inspector.js" */

/**
 * Whether both are the same machine of the same app on the same computer, in different runs.
 *
 * @param {TimelineSummary | undefined} one
 * @param {TimelineSummary | undefined} other
 */
export function areRunsOfOneMachine(one, other) {
  if (!one || !other || one.header.parent || other.header.parent) return false;
  const { app, machine } = one.header;
  const { app: otherApp, machine: otherMachine } = other.header;
  return app.name === otherApp.name && app.host === otherApp.host &&
    machine.name === otherMachine.name && machine.type === otherMachine.type &&
    (app.run ?? app.pid) !== (otherApp.run ?? otherApp.pid);
}

/**
 * Whether the filter, the pin, and the watched values of one timeline make sense in the other.
 *
 * @param {string | undefined} one
 * @param {string} other
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 */
export function shareView(one, other, summaries) {
  if (areKin(one, other, summaries)) return true;
  const [root, otherRoot] = [one, other].map((id) => summaries.get(rootOf(id, summaries) ?? ""));
  return areRunsOfOneMachine(root, otherRoot);
}

/**
 * Follows the app into its next run if the reader is following live; otherwise offers to.
 *
 * @param {Inspector} inspector
 * @param {TimelineSummary[]} fresh the timelines that were not known before
 */
export function continueInNextRun(inspector, fresh) {
  const { data, summaries, isFollowing } = inspector;
  const root = summaries.get(rootOf(data?.id, summaries) ?? "");
  // While the old run is live, the new one is a second instance that runs beside it.
  if (!data || !root || root.live) return;
  const next = fresh.findLast((one) =>
    one.live && areRunsOfOneMachine(root, one) &&
    Date.parse(one.header.started) >= Date.parse(root.header.started)
  );
  if (!next) return;
  const app = visible(next.header.app.name);
  const machine = visible(next.header.machine.name);
  const open = () => inspector.open(next.header.timeline);
  if (isFollowing && data.id === root.header.timeline) {
    open();
    inspector.notify("info", `${app} was restarted. You are following the new ${machine}.`);
  } else {
    inspector.notices.offer(`${app} was restarted.`, `Follow the new ${machine}`, open);
  }
}
