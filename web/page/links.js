/** Links to what is in view. */

import { copyText } from "../elements/clipboard.js";
import { writeLocation } from "../model/inspector/location.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */

/**
 * Puts a link to the moment in view on the clipboard.
 *
 * @param {Inspector} inspector
 */
export async function copyLink(inspector) {
  const link = new URL("#" + writeLocation(inspector.location), location.href).href;
  if (await copyText(link)) return inspector.notify("info", "Copied the link.");
  inspector.notify(
    "warning",
    "The browser does not allow copying. Copy the link from the address bar.",
  );
}
