/** The daemon that served the page, and the session that this browser has with it. */

import { DaemonFeed } from "./feed/daemon.js";

const SESSION_KEY = "inspector.session";

/**
 * The daemon at the page's own address; it is not connected yet.
 *
 * @param {string | undefined} code of a link, good once
 * @returns {DaemonFeed}
 */
export function servingDaemon(code) {
  const session = localStorage.getItem(SESSION_KEY) ?? undefined;
  const address = new URL("/", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const feed = new DaemonFeed(
    { ...(session ? { session } : {}), ...(code ? { code } : {}), client: clientName() },
    {
      openSocket: () => new WebSocket(address, "inspector.v1"),
      now: () => Date.now(),
      later: (call, milliseconds) => void setTimeout(call, milliseconds),
      keepSession: (token) =>
        token === undefined
          ? localStorage.removeItem(SESSION_KEY)
          : localStorage.setItem(SESSION_KEY, token),
    },
  );
  // Whoever signed in beside, in another tab, is signed in here, too.
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
