/** Links to what is in view. */

import { writeLocation } from "./model/location.js";

/** @import { Inspector } from "./model/inspector.js" */

/**
 * Puts a link to the moment in view on the clipboard.
 *
 * @param {Inspector} inspector
 */
export async function copyLink(inspector) {
  try {
    await navigator.clipboard.writeText(
      new URL("#" + writeLocation(inspector.location), location.href).href,
    );
    inspector.notify("info", "The link was copied.");
  } catch {
    inspector.notify(
      "warning",
      "The browser did not allow copying. The link is in the address bar.",
    );
  }
}
