/** The daemon that served the page, and the session that this browser has with it. */

import { DaemonFeed } from "./feed/daemon.js";

/** @import { Sessions } from "./feed/daemon.js" */

const SESSION_KEY = "inspector.session";

/**
 * The session of this browser: its tabs share what one of them was given.
 *
 * @param {Pick<Storage, "getItem" | "setItem" | "removeItem">} storage
 * @returns {Sessions}
 */
export function sessionsIn(storage) {
  const stored = () => storage.getItem(SESSION_KEY) ?? undefined;
  return {
    stored,
    keep: (session) => storage.setItem(SESSION_KEY, session),
    // Another tab may have been given a newer one, which holds.
    forget: (session) => stored() === session && storage.removeItem(SESSION_KEY),
  };
}

/**
 * The daemon at the page's own address; it is not connected yet.
 *
 * @param {string | undefined} code of a link, good once
 * @returns {DaemonFeed}
 */
export function servingDaemon(code) {
  const sessions = sessionsIn(localStorage);
  const session = sessions.stored();
  const address = new URL("/", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const feed = new DaemonFeed(
    { ...(session ? { session } : {}), ...(code ? { code } : {}), client: clientName() },
    {
      openSocket: () => new WebSocket(address, "inspector.v1"),
      now: () => Date.now(),
      later: (call, milliseconds) => void setTimeout(call, milliseconds),
      sessions,
    },
  );
  // Whoever signed in beside, in another tab, is signed in here, too. A tab that is not refused yet
  // asks for the newest session when it is.
  globalThis.addEventListener("storage", ({ key, newValue }) => {
    if (key !== SESSION_KEY || !newValue || feed.state.is !== "refused") return;
    feed.authorise({ session: newValue });
  });
  return feed;
}

/** What this browser is called in the list of sessions. */
function clientName() {
  const [name = "Browser"] = /Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent) ?? [];
  return `${name.replace("Edg", "Edge")} on ${navigator.platform}`;
}
