/** The branches that the timeline draws where they begin, and the room for their names. */

import { visible } from "../base/text.js";
import { forkSeq } from "../model/branches/branches.js";
import { toPixel } from "../model/timeline/scale.js";

/** @import { Picture } from "./timeline-drawing.js" */
/** @import { Palette } from "./timeline-palette.js" */
/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { TimeTravel } from "../model/inspector/time-travel.js" */

/** Names of branches that are closer than this, in pixels, become one. */
const NAME_SPACE = 12;

/** From a branch's line to its name, in pixels. */
const NAME_DISTANCE = 18;

/**
 * The branches of the timeline that is shown, as far as it is known when they begin.
 *
 * @param {Inspector} inspector
 * @param {(seq: number) => number | undefined} timeOf
 * @returns {{ t: number, name: string }[]}
 */
export function branchSigns({ data, summaries }, timeOf) {
  return [...summaries.values()].flatMap(({ header: { parent }, name }) => {
    if (!data || parent?.timeline !== data.id) return [];
    const t = timeOf(forkSeq(parent, data.last));
    return t === undefined ? [] : [{ t, name: visible(name || parent.name || "branch") }];
  });
}

/**
 * Whether there is room for names of branches: also before the first one, so that making it moves
 * nothing.
 *
 * @param {Inspector} inspector
 * @param {TimeTravel} timeTravel
 * @param {readonly unknown[]} branches
 */
export function hasRoomForBranches({ summary }, { forking }, branches) {
  return branches.length > 0 || summary?.header.parent !== undefined ||
    forking.canBranch;
}

/**
 * A line from each entry at which a branch begins, to its name.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} bottom of the lanes
 */
export function drawBranches(context, { span, branches, width }, palette, bottom) {
  context.strokeStyle = context.fillStyle = palette.text("--fork");
  context.lineWidth = 1.5;
  context.textAlign = "left";
  const signs = branches
    .map(({ t, name }) => ({ x: toPixel(span, t, width), name }))
    .filter(({ x }) => x >= 0 && x <= width);
  const widthOf = (/** @type {string} */ name) => context.measureText(name).width;
  for (const { xs, left, name } of spreadNames(signs, widthOf, width)) {
    const middle = left + widthOf(name) / 2;
    for (const x of xs) {
      const end = x < middle ? left - 4 : left + widthOf(name) + 4;
      const bend = Math.sign(end - x) * Math.min(4, Math.abs(end - x));
      context.beginPath();
      context.moveTo(x, bottom - 4);
      context.bezierCurveTo(x, bottom + 32, x + bend, bottom + 32, x + 2.5 * bend, bottom + 32);
      context.lineTo(end, bottom + 32);
      context.stroke();
    }
    context.fillText(name, left, bottom + 36);
  }
}

/** The branches of a name, each with its own line. @typedef {{ xs: number[], left: number, name: string }} NamedLines */

/**
 * Names in one line: those that would overlap become one, with their number. A name is to the right of its
 * lines where there is room, else to their left.
 *
 * @param {{ x: number, name: string }[]} branches
 * @param {(name: string) => number} widthOf
 * @param {number} width
 * @returns {NamedLines[]}
 */
export function spreadNames(branches, widthOf, width) {
  /** @type {NamedLines[]} */
  const groups = [];
  for (const { x, name } of branches.toSorted((left, right) => left.x - right.x)) {
    let group = named([x], name, widthOf, width);
    for (let last = groups.at(-1); last && !isApart(last, group, widthOf); last = groups.at(-1)) {
      groups.pop();
      const xs = [...last.xs, ...group.xs];
      group = named(xs, `${xs.length} branches`, widthOf, width);
    }
    groups.push(group);
  }
  return groups;
}

/**
 * @param {number[]} xs ascending
 * @param {string} name
 * @param {(name: string) => number} widthOf
 * @param {number} width
 * @returns {NamedLines}
 */
function named(xs, name, widthOf, width) {
  const [first = 0, last = first] = [xs[0], xs.at(-1)];
  const after = last + NAME_DISTANCE;
  const hasRoom = after + widthOf(name) <= width;
  return { xs, left: hasRoom ? after : Math.max(0, first - NAME_DISTANCE - widthOf(name)), name };
}

/**
 * Whether the lines and the name of one group end before those of the next one begin.
 *
 * @param {NamedLines} one
 * @param {NamedLines} next
 * @param {(name: string) => number} widthOf
 */
function isApart(one, next, widthOf) {
  const end = Math.max(one.left + widthOf(one.name), one.xs.at(-1) ?? 0);
  return end + NAME_SPACE <= Math.min(next.left, next.xs[0] ?? 0);
}
