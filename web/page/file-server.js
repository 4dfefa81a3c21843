/** Whether the page comes from a server of files, as sites with samples do, and not from a daemon. */

/** @import { Emitter } from "../base/emitter.js" */
/** @import { ConnectionState } from "../wire/connection-state.js" */

/**
 * Such a server answers requests, but accepts no connection. A daemon that has ended answers neither.
 *
 * @param {Emitter<ConnectionState>} states of the connection to that server
 * @param {(isFileServer: boolean) => void} report
 * @param {() => Promise<Pick<Response, "ok">>} get requests the page
 */
export function watchForFileServer(states, report, get) {
  let isKnown = false;
  let hasAccepted = false;
  states.listen(async ({ is }) => {
    if (is === "greeting") {
      hasAccepted = isKnown = true;
      return report(false);
    }
    if (is !== "waiting" || isKnown) return;
    isKnown = true;
    try {
      const { ok } = await get();
      if (ok && !hasAccepted) report(true);
    } catch {
      // It does not answer, as the page says then.
    }
  });
}

/** Requests the page where it is, without a stored answer. */
export function fetchPage() {
  return fetch(location.pathname, { method: "HEAD", cache: "no-store" });
}
