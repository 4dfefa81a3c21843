/** Links to what is in view. */

import { copyText } from "./elements/clipboard.js";
import { writeLocation } from "./model/location.js";

/** @import { Inspector } from "./model/inspector.js" */

/**
 * Puts a link to the moment in view on the clipboard.
 *
 * @param {Inspector} inspector
 */
export async function copyLink(inspector) {
  const link = new URL("#" + writeLocation(inspector.location), location.href).href;
  if (await copyText(link)) return inspector.notify("info", "The link was copied.");
  inspector.notify("warning", "The browser did not allow copying. The link is in the address bar.");
}
