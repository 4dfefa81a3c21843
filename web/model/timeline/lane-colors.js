/**
 * The lanes and colors of event names: those of a machine stay the same, however often each name
 * occurs. Names that a schema lists have the colors of their places in it, in each browser.
 */

import { fingerprint } from "../../base/fingerprint.js";

/** @typedef {{ name: string, color: number }} ColoredLane */

/** Colors of names; one more is for all names without a lane. */
export const LANE_COLORS = 10;
export const OTHER_COLOR = LANE_COLORS + 1;

const KEY = "inspector.lanes";

/** Machines, and names of each, that are remembered: more than any reader looks at. */
const MAXIMUM_MACHINES = 200;
const MAXIMUM_NAMES = 64;

/** The colors of a machine's names by the names' fingerprints, in the order of their lanes. @typedef {Map<string, number>} Colors */

export class LaneColors {
  #storage;
  /** @type {Map<string, Colors>} */
  #machines;

  /** @param {Pick<Storage, "getItem" | "setItem">} storage of fingerprints: it keeps nothing recorded */
  constructor(storage) {
    this.#storage = storage;
    this.#machines = read(storage);
  }

  /**
   * The lanes of a machine's names from top to bottom. Names that were not seen before come last, and have
   * colors that the others in view leave over, their own if it is one of these.
   *
   * @param {string} machine
   * @param {readonly string[]} names in view; new ones in the order that their lanes are to have
   * @param {readonly string[]} [declared] all names that there can be; of more than there are colors,
   *   few may occur, in equal colors
   * @returns {ColoredLane[]}
   */
  arrange(machine, names, declared = []) {
    const key = fingerprint(machine);
    const prints = names.map((name) => fingerprint(name));
    const colors = this.#machines.get(key) ?? new Map();
    this.#machines.set(key, colors);
    const listed = declared.length > LANE_COLORS ? [] : declared;
    const given = new Map(listed.map((name, place) => [fingerprint(name), place + 1]));
    const fresh = prints.filter((print) => !colors.has(print));
    if (fresh.length > 0) this.#add(key, colors, prints, fresh, given);
    const places = new Map([...colors.keys()].map((print, place) => [print, place]));
    const lanes = names.map((name, index) => {
      const print = prints[index] ?? "";
      const place = places.get(print) ?? MAXIMUM_NAMES + index;
      return { name, place, color: given.get(print) ?? colors.get(print) ?? colorOf(print) };
    });
    return lanes
      .sort((left, right) => left.place - right.place)
      .map(({ name, color }) => ({ name, color }));
  }

  /**
   * @param {string} key
   * @param {Colors} colors
   * @param {readonly string[]} inView
   * @param {readonly string[]} fresh
   * @param {Colors} given
   */
  #add(key, colors, inView, fresh, given) {
    const stored = read(this.#storage);
    // Another tab may have seen them first.
    for (const [print, color] of stored.get(key) ?? []) {
      if (!colors.has(print)) colors.set(print, color);
    }
    for (const print of fresh) {
      if (colors.has(print) || colors.size >= MAXIMUM_NAMES) continue;
      const used = inView.flatMap((one) => given.get(one) ?? colors.get(one) ?? []);
      colors.set(print, given.get(print) ?? leastUsed(used, colorOf(print)));
    }
    // The machine that got a name last is forgotten last.
    stored.delete(key);
    stored.set(key, colors);
    const kept = [...stored].slice(-MAXIMUM_MACHINES).map(([id, all]) => [id, [...all]]);
    try {
      this.#storage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // A full or forbidden storage: the colors hold until the page is left.
    }
  }
}

/**
 * @param {readonly number[]} used
 * @param {number} own the color to begin with
 */
function leastUsed(used, own) {
  const counts = new Array(LANE_COLORS).fill(0);
  for (const color of used) counts[color - 1]++;
  const least = Math.min(...counts);
  const after = counts.indexOf(least, own - 1);
  return (after < 0 ? counts.indexOf(least) : after) + 1;
}

/** The color of a name where nothing else decides. @param {string} print */
function colorOf(print) {
  return parseInt(print.slice(0, 8), 16) % LANE_COLORS + 1;
}

/**
 * @param {Pick<Storage, "getItem">} storage
 * @returns {Map<string, Colors>}
 */
function read(storage) {
  /** @type {Map<string, Colors>} */
  const machines = new Map();
  /** @type {unknown} */
  let stored;
  try {
    stored = JSON.parse(storage.getItem(KEY) ?? "[]");
  } catch {
    return machines;
  }
  for (const [key, names] of pairs(stored).slice(-MAXIMUM_MACHINES)) {
    const known = pairs(names).filter(([, color]) =>
      Number.isInteger(color) && Number(color) >= 1 && Number(color) <= LANE_COLORS
    );
    machines.set(key, new Map(known.map(([print, color]) => [print, Number(color)])));
  }
  return machines;
}

/** @param {unknown} json @returns {[string, unknown][]} */
function pairs(json) {
  if (!Array.isArray(json)) return [];
  return json.flatMap((pair) =>
    Array.isArray(pair) && typeof pair[0] === "string" ? [[pair[0], pair[1]]] : []
  );
}
