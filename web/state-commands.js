/** The commands for the value that is chosen in the state. */

/** @import { DetailsView } from "./elements/details.js" */

/**
 * @param {DetailsView} details
 * @returns {Record<string, () => unknown>}
 */
export function stateActions(details) {
  return {
    "find-in-state": () => details.findInState(),
    "who-set": () => details.actOnValue("who"),
    "pin-value": () => details.actOnValue("pin"),
    "watch-value": () => details.actOnValue("watch"),
    "copy-path": () => details.actOnValue("copy"),
  };
}
