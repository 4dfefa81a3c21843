/** Where the reader is, as the URL's hash says it: every moment can be linked. */

import { readPointer } from "../../base/pointer.js";

/** What is shown of a moment. */
export const MOMENT_TABS = /** @type {const} */ (["state", "diff", "raw", "chart", "watch"]);

/** In narrow windows the panes beside it are tabs, too. */
export const TABS = /** @type {const} */ (["machines", "events", ...MOMENT_TABS, "event"]);

/** @typedef {typeof TABS[number]} Tab */

/**
 * @typedef {object} Location
 * @property {string | undefined} timeline
 * @property {number | undefined} seq
 * @property {string | undefined} [wrongSeq] what a link has in place of the number of an entry
 * @property {Tab} tab
 * @property {string | undefined} pin a pointer into the moment
 * @property {string} filter
 */

/** @type {Readonly<Location>} */
export const START = {
  timeline: undefined,
  seq: undefined,
  tab: "state",
  pin: undefined,
  filter: "",
};

/**
 * The hash of a place, without its sign.
 *
 * @param {Location} location
 * @returns {string}
 */
export function writeLocation({ timeline, seq, tab, pin, filter }) {
  const parts = new URLSearchParams();
  if (timeline) parts.set("timeline", timeline);
  if (seq !== undefined) parts.set("seq", String(seq));
  if (tab !== "state") parts.set("tab", tab);
  if (pin) parts.set("pin", pin);
  if (filter) parts.set("filter", filter);
  // Slashes need no escape in a fragment, and pointers are full of them.
  return parts.toString().replace(/%2F/g, "/");
}

/**
 * The place that a hash names. What cannot be read is as if it were not there, except for the entry: the
 * page reports that it does not exist.
 *
 * @param {string} hash with or without its sign
 * @returns {Location}
 */
export function readLocation(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const timeline = parts.get("timeline") ?? "";
  const seq = parts.get("seq") ?? "";
  const pin = parts.get("pin") ?? "";
  const isSeq = /^\d{1,16}$/.test(seq) && Number.isSafeInteger(Number(seq));
  return {
    // One that no timeline can have leads nowhere, and the page says so.
    timeline: timeline === "" ? undefined : timeline,
    seq: isSeq ? Number(seq) : undefined,
    ...(isSeq || seq === "" ? {} : { wrongSeq: seq }),
    tab: TABS.find((tab) => tab === parts.get("tab")) ?? "state",
    pin: pin !== "" && readPointer(pin) ? pin : undefined,
    filter: parts.get("filter") ?? "",
  };
}

/**
 * The number of the entry that a link names, in bounds or not; other texts count as after the end.
 *
 * @param {Location} location
 * @returns {number | undefined} nothing where the link names no entry
 */
export function linkedSeq({ seq, wrongSeq }) {
  if (seq !== undefined || wrongSeq === undefined) return seq;
  const number = Number(wrongSeq);
  return Number.isNaN(number) ? Infinity : number;
}

/**
 * The one-time code that `debugd open` put into the hash, and the rest of it.
 *
 * @param {string} hash
 * @returns {{ code: string | undefined, rest: string }}
 */
export function readCode(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const code = parts.get("code") ?? undefined;
  parts.delete("code");
  return { code, rest: parts.toString().replace(/%2F/g, "/") };
}

/**
 * Whether going from one place to the other is a step that Back should take back. Scrubbing inside
 * a timeline is not: a hundred entries of history would bury the place one came from.
 *
 * @param {Location} from
 * @param {Location} to
 * @param {boolean} isJump whether the reader went somewhere, not along
 * @returns {boolean}
 */
export function isNewFocus(from, to, isJump) {
  if (from.timeline !== to.timeline) return from.timeline !== undefined;
  return isJump && from.seq !== undefined && from.seq !== to.seq;
}
