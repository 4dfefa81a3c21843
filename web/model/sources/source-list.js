/** Apps, their machines and timelines, and the branches of these, as one list. */

import { rootOf, rootsOf } from "./ancestry.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/**
 * @typedef {{ is: "app", id: string, name: string, detail: string, isLive: boolean, isOpen: boolean,
 *       position: number, siblings: number }
 *   | { is: "group", id: string, name: string, count: number, isOpen: boolean, position: number,
 *       siblings: number }
 *   | { is: "timeline", id: string, name: string, kind: string, depth: number,
 *       summary: TimelineSummary, isBranch: boolean, position: number, siblings: number }} SourceRow
 */

/**
 * The rows of the list. Runs of an app that are live come first, then the latest ones. Older runs of
 * an app are folded, and so are finished machines of one name.
 *
 * @param {Iterable<TimelineSummary>} summaries
 * @param {object} options
 * @param {string} [options.search]
 * @param {ReadonlySet<string>} [options.toggled] the rows that the reader folded or unfolded
 * @param {string} [options.shown] the timeline in view, which is never folded away by itself
 * @param {(started: Date) => string} options.describe
 * @returns {SourceRow[]}
 */
export function listSources(summaries, { search = "", toggled = new Set(), shown, describe }) {
  const all = [...summaries];
  const known = new Map(all.map((summary) => [summary.header.timeline, summary]));
  const roots = rootsOf(known);
  /** @type {Map<string, TimelineSummary[]>} */
  const branches = new Map();
  /** @type {Map<string, { name: string, list: TimelineSummary[] }>} */
  const runs = new Map();
  for (const summary of all) {
    const { parent: { timeline: parent } = {}, timeline } = summary.header;
    if (parent && known.has(parent) && roots.get(timeline) !== timeline) {
      const held = branches.get(parent) ?? [];
      held.push(summary);
      branches.set(parent, held);
      continue;
    }
    const { app } = summary.header;
    const run = JSON.stringify([app.name, app.host ?? "", app.run ?? app.pid ?? ""]);
    const held = runs.get(run) ?? { name: app.name, list: [] };
    held.list.push(summary);
    runs.set(run, held);
  }
  const shownRoot = rootOf(shown, known);
  const wanted = (/** @type {TimelineSummary} */ summary) => matches(summary, search, branches);
  /** @type {Set<string>} */
  const newer = new Set();
  return [...runs]
    .map(([id, { name, list }]) => ({ id, name, list: list.filter(wanted) }))
    .filter(({ list }) => list.length > 0)
    .map((run) => ({ ...run, isRunning: isLive(run.list), started: firstStart(run.list) }))
    .sort((left, right) =>
      Number(right.isRunning) - Number(left.isRunning) || compare(right.started, left.started)
    )
    .flatMap(({ id, name, list, isRunning }, index, apps) => {
      const hasShown = list.some(({ header }) => header.timeline === shownRoot);
      const isOld = !isRunning && newer.has(name);
      newer.add(name);
      const isOpen = search !== "" || (isOld && !hasShown) === toggled.has(id);
      /** @type {SourceRow} */
      const app = {
        is: "app",
        id,
        name,
        detail: detailOf(list, describe),
        isLive: isRunning,
        isOpen,
        position: index + 1,
        siblings: apps.length,
      };
      if (!isOpen) return [app];
      const sorted = list.sort((left, right) =>
        Number(right.live ?? false) - Number(left.live ?? false) || compareAge(left, right)
      );
      const isFoldable = (/** @type {TimelineSummary} */ { live, header: { timeline } }) =>
        !live && timeline !== shownRoot && !branches.has(timeline) && search === "";
      const items = folded(sorted, isFoldable);
      return [
        app,
        ...items.flatMap((item, at) => {
          const [position, siblings] = [at + 1, items.length];
          if (!("group" in item)) return withBranches(item, 0, branches, [position, siblings]);
          const key = `${id} ${item.group}`;
          const isGroupOpen = toggled.has(key);
          const inside = isGroupOpen ? item.list : [];
          return [
            /** @type {SourceRow} */ ({
              is: "group",
              id: key,
              name: item.group,
              count: item.list.length,
              isOpen: isGroupOpen,
              position,
              siblings,
            }),
            ...inside.flatMap((summary, place) =>
              withBranches(summary, 1, branches, [place + 1, inside.length])
            ),
          ];
        }),
      ];
    });
}

/** So many finished machines of one name are folded. */
const FOLDED = 3;

/**
 * The machines, with those of one name as a group at the place of the first.
 *
 * @param {TimelineSummary[]} list
 * @param {(summary: TimelineSummary) => boolean} isFoldable
 * @returns {(TimelineSummary | { group: string, list: TimelineSummary[] })[]}
 */
function folded(list, isFoldable) {
  /** @type {Map<string, TimelineSummary[]>} */
  const byName = new Map();
  // A recorder numbers machines of one name.
  const baseOf = (/** @type {TimelineSummary} */ summary) => nameOf(summary).replace(/ \d+$/, "");
  const foldable = new Set(list.filter(isFoldable));
  for (const summary of foldable) {
    const base = baseOf(summary);
    const group = byName.get(base) ?? [];
    group.push(summary);
    byName.set(base, group);
  }
  /** @type {(TimelineSummary | { group: string, list: TimelineSummary[] })[]} */
  const items = [];
  for (const summary of list) {
    const group = byName.get(baseOf(summary)) ?? [];
    if (group.length < FOLDED || !foldable.has(summary)) items.push(summary);
    else if (group[0] === summary) items.push({ group: baseOf(summary), list: group });
  }
  return items;
}

/** Names tell branches apart; deeper ones than this would run out of the narrow list. */
const DEEPEST = 6;

/**
 * A timeline, and below it its branches and theirs. Not by recursion: they may be nested thousands deep.
 *
 * @param {TimelineSummary} first
 * @param {number} depth
 * @param {Map<string, TimelineSummary[]>} branches
 * @param {[position: number, siblings: number]} place
 * @returns {SourceRow[]}
 */
function withBranches(first, depth, branches, [position, siblings]) {
  /** @type {SourceRow[]} */
  const rows = [];
  const waiting = [{ summary: first, depth, position, siblings }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { summary } = next;
    const { timeline, machine, parent } = summary.header;
    rows.push({
      is: "timeline",
      id: timeline,
      name: nameOf(summary),
      kind: machine.kind ?? "other",
      isBranch: parent !== undefined,
      ...next,
    });
    const below = Math.min(next.depth + 1, DEEPEST);
    const inside = (branches.get(timeline) ?? []).sort(compareAge).map((
      branch,
      at,
      { length },
    ) => ({
      summary: branch,
      depth: below,
      position: at + 1,
      siblings: length,
    }));
    for (const branch of inside.reverse()) waiting.push(branch);
  }
  return rows;
}

/**
 * What a timeline is called.
 *
 * @param {TimelineSummary} summary
 * @returns {string}
 */
export function nameOf({ header, name }) {
  return name || header.parent?.name || (header.parent ? "branch" : header.machine.name);
}

/** @param {TimelineSummary[]} list */
function isLive(list) {
  return list.some(({ live }) => live);
}

/**
 * When its first machine began. By the latest one, apps that run would change places whenever one of
 * them makes a machine.
 *
 * @param {TimelineSummary[]} list
 * @returns {string}
 */
function firstStart([first, ...others]) {
  let start = first?.header.started ?? "";
  for (const { header } of others) if (header.started < start) start = header.started;
  return start;
}

/**
 * @param {string} one
 * @param {string} other
 */
function compare(one, other) {
  return one === other ? 0 : one < other ? -1 : 1;
}

/**
 * Older first. Machines made in the same millisecond are in the order of their names, as a list
 * whose order depends on when each summary arrives would change under the reader's hand.
 *
 * @param {TimelineSummary} left
 * @param {TimelineSummary} right
 */
function compareAge(left, right) {
  const [one, other] = [left.header.started, right.header.started];
  return one === other ? names.compare(nameOf(left), nameOf(right)) : one < other ? -1 : 1;
}

/** Made once: a collator for each of ten thousand comparisons takes a second. */
const names = new Intl.Collator(undefined, { numeric: true });

/**
 * @param {TimelineSummary[]} list
 * @param {(started: Date) => string} describe
 */
function detailOf(list, describe) {
  const [first] = list;
  if (!first) return "";
  const { pid } = first.header.app;
  return isLive(list) && pid !== undefined
    ? `pid ${pid}`
    : describe(new Date(first.header.started));
}

/**
 * @param {TimelineSummary} summary
 * @param {string} search
 * @param {Map<string, TimelineSummary[]>} branches
 * @returns {boolean}
 */
function matches(summary, search, branches) {
  const needle = search.trim().toLowerCase();
  if (needle === "") return true;
  const waiting = [summary];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { app, machine, timeline } = next.header;
    const words = [app.name, machine.name, machine.type, nameOf(next), timeline];
    if (words.some((word) => word.toLowerCase().includes(needle))) return true;
    for (const branch of branches.get(timeline) ?? []) waiting.push(branch);
  }
  return false;
}
