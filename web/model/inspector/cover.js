/** What the page says when it has no recording to show. */

import { shorten } from "../../base/text.js";
import { viewEnded } from "../sources/source.js";

/** @import { ConnectionState } from "../../wire/connection-state.js" */

/** Characters of a timeline's id that are shown; a link may name anything. */
const MAXIMUM_ID = 60;

/**
 * @typedef {{ title: string, text: string, code?: string, hint?: string, icon?: string, canRetry: boolean,
 *   offersNewest?: boolean, offersNoFiles?: boolean }} Cover
 */

/**
 * What is done with a file, and how far it has come, from 0 to 1.
 *
 * @typedef {{ kind: "reading" | "giving", share: number }} Opening
 */

/** The texts for it. @type {Record<Opening["kind"], { title: string, text: string }>} */
const OPENING = {
  reading: {
    title: "Opening the file",
    text: "The file stays in this browser.",
  },
  giving: {
    title: "Importing the file",
    text: "The daemon keeps it when the upload is complete.",
  },
};

/** A program that records. `scripts/check-examples` compiles and runs it. */
const FIRST_PROGRAM = `import Recorder
import StatesCore

struct Coin: Reducible, Codable, Sendable {
  var isHeads = true
  enum Event: String, Codable, Sendable { case flipped }

  static func reduce(state: Coin, event: Event) -> Coin {
    Coin(isHeads: !state.isHeads)
  }
}

let recorder = StateRecorder(app: "Commute")
let coin = recorder.record(Machine(Coin()), as: "coin")
coin.send(.flipped)
recorder.close()
`;

/** Such a file connects to no daemon, and what would open another file may be missing, too. @type {Cover} */
const DAMAGED = {
  title: "This file is damaged",
  icon: "warning",
  text: "Its recording is missing or cannot be read. Copy the file again, or export it again.",
  canRetry: false,
  offersNoFiles: true,
};

/** A site with samples, for example. @type {Cover} */
const FILE_SERVER = {
  title: "No recording is open",
  icon: "file",
  text:
    "This page comes from a server of files, not from debugd: open a sample or a file here. To see your own programs live, run debugd open in a terminal on their machine.",
  canRetry: false,
};

/**
 * Why, without the remedy: the page shows its own.
 *
 * @param {string} why
 */
function reasonOf(why) {
  return why.replace(/ To [^,.]+, .*$/, "");
}

/**
 * What the reader does to be let in.
 *
 * @param {"unauthorized" | "version"} reason
 */
function wayBack(reason) {
  return reason === "version"
    ? "Reload the page to get the version that matches the daemon."
    : "Run debugd open in a terminal. It opens this page with a one-time code that is valid for a minute. If debugd view opened the page, run that again.";
}

/**
 * The warning when the daemon rejects the page, or has ended for good, while it shows a recording.
 *
 * @param {ConnectionState} state
 */
export function endingFor(state) {
  if (state.is === "ended") return viewEnded("You can still use what is loaded.");
  return state.is === "refused"
    ? `${reasonOf(state.why)} ${wayBack(state.reason)} You can still use what is loaded.`
    : undefined;
}

/**
 * @param {object} page
 * @param {ConnectionState} page.connection
 * @param {boolean} [page.isOnDisk] whether it is an HTML file that `debugd export` wrote
 * @param {boolean} [page.isFileServer] whether the page's server only sends files
 * @param {boolean} page.hasSource
 * @param {boolean} page.hasList
 * @param {boolean} page.hasTimeline
 * @param {string} [page.missing] the timeline that a link names and the daemon does not have
 * @param {Opening | undefined} page.opening
 * @param {number} page.now milliseconds, of the same clock as the connection's
 * @returns {Cover | undefined} nothing when there is a recording to show
 */
export function coverFor(
  { connection, isOnDisk, isFileServer, hasSource, hasList, hasTimeline, missing, opening, now },
) {
  if (opening) return { ...OPENING[opening.kind], icon: "file", canRetry: false };
  if (hasTimeline) return undefined;
  if (isOnDisk && !hasSource) return DAMAGED;
  if (isFileServer && !hasSource) return FILE_SERVER;
  if (hasSource && hasList && missing !== undefined) {
    return {
      title: "This timeline is not here",
      icon: "warning",
      text: `The link leads to the timeline ${
        shorten(missing, MAXIMUM_ID)
      }. It was deleted, another daemon has it, or it is in a file that you can drop here.`,
      canRetry: false,
      offersNewest: true,
    };
  }
  if (hasSource && hasList) {
    return {
      title: "No recording yet",
      text:
        "The daemon is ready. On its machine, as the same user, run a program that records, such as this one. Its events appear here as they happen.",
      code: FIRST_PROGRAM,
      hint:
        "Nothing appears? A recorder that finds no daemon is silent. If debugd serve printed a DEBUGD=… when it started, start the program with that. In the program, recorder.statistics.lastError says why it is not connected.",
      canRetry: false,
    };
  }
  switch (connection.is) {
    case "refused":
      return connection.reason === "version"
        ? {
          title: "The daemon is newer than this page",
          text: `${connection.why} ${wayBack("version")}`,
          canRetry: true,
        }
        : {
          title: "Not signed in",
          icon: "host",
          text: `${reasonOf(connection.why)} ${wayBack("unauthorized")}`,
          canRetry: false,
        };
    case "waiting": {
      const seconds = Math.max(0, Math.ceil((connection.until - now) / 1_000));
      return {
        title: "The daemon cannot be reached",
        icon: "warning",
        text: `${connection.why} Trying again ${
          seconds > 0 ? `in ${seconds} s` : "now"
        }. If it is not running, start it with "debugd serve".`,
        canRetry: true,
      };
    }
    case "open":
      return {
        title: "Loading",
        icon: "clock",
        text: "Loading the list of recordings…",
        canRetry: false,
      };
    case "ended":
      return {
        title: "debugd view has ended",
        icon: "file",
        text: viewEnded("You can also open the file here."),
        canRetry: false,
      };
    case "idle":
      return {
        title: "No daemon",
        icon: "file",
        text: "This page is not served by a daemon. You can open a timeline file without one.",
        canRetry: false,
      };
    default:
      return {
        title: "Connecting",
        icon: "clock",
        text: "Waiting for the daemon's answer.",
        canRetry: false,
      };
  }
}
