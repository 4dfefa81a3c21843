/** What the page says when it has no recording to show. */

/** @import { ConnectionState } from "../wire/connection.js" */

/** @typedef {{ title: string, text: string, code?: string, canRetry: boolean }} Cover */

/**
 * What is done with a file, and how far it has come, from 0 to 1.
 *
 * @typedef {{ kind: "reading" | "giving", share: number }} Opening
 */

/** What is told of it. @type {Record<Opening["kind"], { title: string, text: string }>} */
const OPENING = {
  reading: {
    title: "Opening the file",
    text: "It is read once from beginning to end; nothing of it leaves this browser.",
  },
  giving: {
    title: "Giving the file to the daemon",
    text: "It goes from this browser to the daemon, which keeps nothing of it before all is there.",
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

/**
 * Why, without the remedy: the page tells its own.
 *
 * @param {string} why
 */
function reasonOf(why) {
  return why.replace(/ To [^,.]+, .*$/, "");
}

/**
 * What the reader does to be let in.
 *
 * @param {"unauthorised" | "version"} reason
 */
function wayBack(reason) {
  return reason === "version"
    ? "Reload the page: the daemon serves one that fits."
    : "Run debugd open in a terminal: it opens this page with a code that is good once, for a minute.";
}

/**
 * What is told when the daemon does not let the page in any more, while something is shown.
 *
 * @param {ConnectionState} state
 */
export function endingFor(state) {
  return state.is === "refused"
    ? `${reasonOf(state.why)} ${wayBack(state.reason)} What is loaded stays here.`
    : undefined;
}

/**
 * @param {object} page
 * @param {ConnectionState} page.connection
 * @param {boolean} page.hasSource
 * @param {boolean} page.hasList
 * @param {boolean} page.hasTimeline
 * @param {Opening | undefined} page.opening
 * @param {number} page.now milliseconds, of the same clock as the connection's
 * @returns {Cover | undefined} nothing when there is a recording to show
 */
export function coverFor({ connection, hasSource, hasList, hasTimeline, opening, now }) {
  if (opening) return { ...OPENING[opening.kind], canRetry: false };
  if (hasTimeline) return undefined;
  if (hasSource && hasList) {
    return {
      title: "No recording yet",
      text:
        "The daemon is ready. Run a program that records, such as this one: its events appear here as they happen.",
      code: FIRST_PROGRAM,
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
          text: `${reasonOf(connection.why)} ${wayBack("unauthorised")}`,
          canRetry: false,
        };
    case "waiting": {
      const seconds = Math.max(0, Math.ceil((connection.until - now) / 1_000));
      return {
        title: "The daemon cannot be reached",
        text: `${connection.why} Trying again ${
          seconds > 0 ? `in ${seconds} s` : "now"
        }. If it is not running, start it with debugd.`,
        canRetry: true,
      };
    }
    case "open":
      return { title: "Loading", text: "The list of recordings is on its way.", canRetry: false };
    case "idle":
      return {
        title: "No daemon",
        text:
          "This page was not served by a daemon. Open a timeline file to look at a recording without one.",
        canRetry: false,
      };
    default:
      return { title: "Connecting", text: "Waiting for the daemon's answer.", canRetry: false };
  }
}
