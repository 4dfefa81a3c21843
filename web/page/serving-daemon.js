/** The daemon that served the page, and the session that this browser has with it. */

import { DaemonFeed } from "../feed/daemon.js";
import { databasePlace, sessionsIn } from "../feed/session-store.js";

/** The tabs of a browser tell each other here that one of them signed in. */
const CHANNEL = "inspector.session";

/**
 * The daemon at the page's own address; it is not connected yet.
 *
 * @param {string | undefined} code of a link, good once
 * @returns {DaemonFeed}
 */
export function servingDaemon(code) {
  // Earlier versions left a secret here.
  localStorage.removeItem(CHANNEL);
  const channel = new BroadcastChannel(CHANNEL);
  const sessions = sessionsIn(databasePlace(indexedDB), () => channel.postMessage("kept"));
  const address = new URL("/", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const feed = new DaemonFeed(
    { ...(code ? { code } : {}), client: clientName(), host: location.host },
    {
      openSocket: () => new WebSocket(address, "inspector.v1"),
      now: () => Date.now(),
      later: (call, milliseconds) => void setTimeout(call, milliseconds),
      sessions,
    },
  );
  // A tab that is not refused yet asks for the newest session when it is.
  channel.onmessage = () => {
    if (feed.state.is === "refused") feed.start();
  };
  return feed;
}

/** What this browser is called in the list of sessions. */
function clientName() {
  const [name = "Browser"] = /Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent) ?? [];
  return `${name.replace("Edg", "Edge")} on ${navigator.platform}`;
}
