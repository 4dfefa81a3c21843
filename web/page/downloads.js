/** Files that the browser saves. */

import { h } from "../elements/dom.js";

/** How long the browser may take to begin saving before the bytes are let go, in milliseconds. */
const KEPT = 10_000;

/**
 * Saves a file.
 *
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function saveFile(name, bytes) {
  const link = h("a", { href: URL.createObjectURL(new Blob([bytes])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}
