/** The timelines of one family: where branches leave, what each does, and how far it is. */

import { formatCount, formatNumbered } from "../../base/format.js";
import { equalJson } from "../../base/json.js";
import { chainOf, rootOf } from "../sources/ancestry.js";
import { nameOf } from "../sources/source-list.js";
import { readEdits, wordsWithNames, writeEdits } from "./edits.js";
import { beforeDrops, united } from "../timeline/stretches.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Edit } from "./edits.js" */
/** @import { Stretch } from "../timeline/stretches.js" */

/**
 * One timeline of a family, as a line of its graph.
 *
 * @typedef {object} BranchRow
 * @property {TimelineSummary} summary
 * @property {string} name
 * @property {string} words what its script does
 * @property {number} lane how far right its line runs
 * @property {number | undefined} parentRow the place of the row that it leaves
 * @property {number} depth
 */

/**
 * The entry of the parent at which a branch leaves it: the first one that they do not share, or the one
 * whose state the branch begins with. A branch that only adds events leaves at the last entry.
 *
 * @param {NonNullable<TimelineSummary["header"]["parent"]>} parent
 * @param {number} last the parent's last entry
 * @returns {number}
 */
export function forkSeq({ start, edits }, last) {
  // A script may be long, and only one that shares nothing can begin elsewhere.
  const beginning = start === 0 ? readEdits(edits).find((edit) => edit.is === "start") : undefined;
  return Math.min(beginning?.seq ?? start, last);
}

/**
 * Whether two timelines are branches of one machine's recording, or one of them is that itself.
 *
 * @param {string | undefined} one
 * @param {string} other
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 */
export function areKin(one, other, summaries) {
  const root = rootOf(one, summaries);
  return root !== undefined && root === rootOf(other, summaries);
}

/**
 * The branch that an edit script made of the same entries; not one that could not be computed.
 *
 * @param {readonly Edit[]} edits
 * @param {{ parent: string, through: number }} of
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {string | undefined}
 */
export function branchWith(edits, of, summaries) {
  const script = writeEdits(edits);
  for (const { header: { timeline, parent }, ended } of summaries.values()) {
    if (parent?.timeline !== of.parent || parent.through !== of.through) continue;
    if (ended !== undefined || parent.failure !== undefined) continue;
    // Edits that this page does not know are left out, so the count is compared, too.
    const own = writeEdits(readEdits(parent.edits));
    const isWhole = Array.isArray(parent.edits) && parent.edits.length === own.length;
    if (isWhole && equalJson(own, script)) return timeline;
  }
  return undefined;
}

/**
 * A name for a new branch that neither its ancestors nor its siblings have: two branches called
 * “without 5” would look the same.
 *
 * @param {string} name
 * @param {string} parent
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 */
export function freshName(name, parent, summaries) {
  /** @type {Set<string>} */
  const taken = new Set();
  for (const id of chainOf(parent, summaries)) {
    const above = summaries.get(id);
    if (above?.header.parent) taken.add(nameOf(above));
  }
  for (const summary of summaries.values()) {
    if (summary.header.parent?.timeline === parent) taken.add(nameOf(summary));
  }
  let count = 1;
  let fresh = name;
  while (taken.has(fresh)) fresh = `${name} (${++count})`;
  return fresh;
}

/**
 * The family of a timeline: parents above their branches, each branch on a lane of its own.
 *
 * @param {string | undefined} id
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {BranchRow[]}
 */
export function familyOf(id, summaries) {
  const root = rootOf(id, summaries);
  if (root === undefined) return [];
  /** @type {Map<string, TimelineSummary[]>} */
  const children = new Map();
  for (const summary of summaries.values()) {
    const { parent, timeline } = summary.header;
    if (!parent || timeline === root || !summaries.has(parent.timeline)) continue;
    const held = children.get(parent.timeline) ?? [];
    held.push(summary);
    children.set(parent.timeline, held);
  }
  /** @type {BranchRow[]} */
  const rows = [];
  /** @type {{ summary: TimelineSummary, depth: number, parentRow: number | undefined }[]} */
  const waiting = [];
  const first = summaries.get(root);
  if (first) waiting.push({ summary: first, depth: 0, parentRow: undefined });
  // Not by recursion: branches may be nested thousands deep.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { summary, depth, parentRow } = next;
    const { parent, timeline } = summary.header;
    const place = rows.length;
    rows.push({
      summary,
      name: nameOf(summary),
      words: parent ? wordsWithNames(readEdits(parent.edits), parent.name) : "the recording",
      lane: depth,
      parentRow,
      depth,
    });
    const inside = (children.get(timeline) ?? []).sort((left, right) =>
      (left.header.parent?.start ?? 0) - (right.header.parent?.start ?? 0) ||
      left.header.started.localeCompare(right.header.started)
    );
    children.delete(timeline);
    for (const branch of inside.reverse()) {
      waiting.push({ summary: branch, depth: depth + 1, parentRow: place });
    }
  }
  return rows;
}

/** What to do without anything to compare with. */
export const WHY_ALONE =
  "There is no other recording of this machine to compare with. To make a branch, skip, edit, or insert an event.";

/**
 * What a reader probably wants to compare a timeline with: its parent, a branch of it, or the recording
 * of the same machine before it, and without one, after it.
 *
 * @param {string} id
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {string | undefined}
 */
export function partnerOf(id, summaries) {
  const own = summaries.get(id)?.header;
  if (!own || own.parent) return own?.parent?.timeline;
  const all = [...summaries.values()].map(({ header }) => header);
  const branch = all.find(({ parent }) => parent?.timeline === id);
  if (branch) return branch.timeline;
  const others = all.filter(({ timeline, parent, app, machine }) =>
    timeline !== id && !parent && app.name === own.app.name &&
    machine.name === own.machine.name && machine.type === own.machine.type
  ).sort((left, right) => Date.parse(left.started) - Date.parse(right.started));
  const earlier = others.filter(({ started }) => Date.parse(started) <= Date.parse(own.started));
  return (earlier.at(-1) ?? others[0])?.timeline;
}

/**
 * The rows around the one of a timeline: a window with thousands of rows would take seconds to draw.
 *
 * @param {BranchRow[]} rows
 * @param {string | undefined} id
 * @param {number} most
 * @returns {BranchRow[]} their parents among them, by their new places
 */
export function rowsAround(rows, id, most) {
  if (rows.length <= most) return rows;
  const place = rows.findIndex(({ summary }) => summary.header.timeline === id);
  const first = Math.max(0, Math.min(place - Math.floor(most / 2), rows.length - most));
  return rows.slice(first, first + most).map((row) => {
    const { parentRow } = row;
    const isInside = parentRow !== undefined && parentRow >= first;
    return { ...row, parentRow: isInside ? parentRow - first : undefined };
  });
}

/**
 * What to do about timelines of a family that have no rows.
 *
 * @param {number} hidden
 */
export function hiddenText(hidden) {
  return hidden === 0
    ? ""
    : `${
      formatNumbered(hidden, "other timeline is", "other timelines are")
    } not shown. To find one, search the machines.`;
}

/**
 * How far a branch has been computed, 0 to 1; nothing when it is complete.
 *
 * @param {TimelineSummary} summary
 * @returns {number | undefined}
 */
export function computedShare({ header, computing }) {
  const { parent } = header;
  if (computing === undefined || !parent) return undefined;
  const all = parent.through - parent.start + 1;
  return all <= 0 ? 1 : Math.max(0, Math.min(1, (computing - parent.start + 1) / all));
}

/** Why a branch ends before its script does, and what to do. @type {Record<string, [string, string]>} */
const ENDS = {
  gap: [
    "what followed was lost, so nothing after it can be computed",
    "To continue after the loss, go to the entry after it in the parent, and start a branch from that state.",
  ],
  trap: [
    "the reducer trapped on the next event",
    "To continue, fix the reducer, rebuild the host, and compute the branch again; or skip that event.",
  ],
  limit: [
    "the next event took more time or memory than a host may use",
    "To continue, give hosts more time or memory (debugd serve --host-time, --host-memory), and compute the branch again; or skip that event.",
  ],
  undecodable: [
    "the next event no longer decodes",
    "To continue, edit that event or skip it; or compute the branch again on a host that knows it.",
  ],
  "cancelled": ["its computation was canceled", "To continue, compute the branch again."],
  failed: [
    "the host failed there",
    "To continue, open Hosts to see why, and compute the branch again.",
  ],
};

/**
 * Why a branch ends where it does; nothing for one that is whole.
 *
 * @param {TimelineSummary} summary
 * @returns {{ text: string, advice: string } | undefined}
 */
export function endOf({ ended, last }) {
  if (ended === undefined) return undefined;
  const [text = "", advice = ""] = ENDS[ended] ?? [];
  return { text: `It ends at ${formatCount(last ?? 0)}: ${text}.`, advice };
}

/**
 * The script that leaves out at once what a line of branches left out one after another; nothing
 * unless all of them only leave out.
 *
 * @param {string | undefined} id
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {{ timeline: string, through: number, edits: Edit[], steps: number } | undefined}
 */
export function sweepOf(id, summaries) {
  /** @type {{ timeline: string, through: number, edits: Edit[], steps: number } | undefined} */
  let plan;
  /** What is left out, by the numbers of the timeline that is looked at. @type {Stretch[]} */
  let dropped = [];
  for (const here of chainOf(id, summaries)) {
    const parent = summaries.get(here)?.header.parent;
    const edits = readEdits(parent?.edits);
    const drops = edits.flatMap((edit) => edit.is === "drop" ? [edit] : []);
    if (!parent || drops.length === 0 || drops.length !== edits.length) break;
    const own = united(drops);
    dropped = united([...own, ...beforeDrops(dropped, own)]);
    plan = {
      timeline: parent.timeline,
      through: parent.through,
      edits: dropped.map((stretch) => ({ is: "drop", ...stretch })),
      steps: (plan?.steps ?? 0) + 1,
    };
  }
  return plan;
}
