/** Timelines as files that the browser saves. */

import { decodeBase64 } from "./base/bytes.js";
import { h } from "./elements/dom.js";

/** @import { Inspector } from "./model/inspector.js" */

/** How long the browser may take to begin saving before the bytes are let go, in milliseconds. */
const KEPT = 10_000;

/**
 * Saves the selected stretch, or all of the timeline.
 *
 * @param {Inspector} inspector
 */
export async function downloadTimeline(inspector) {
  const { source, data, anchor, stretch } = inspector;
  if (!source || !data) return;
  try {
    const request = {
      type: /** @type {const} */ ("export"),
      timeline: data.id,
      format: /** @type {const} */ ("timeline"),
    };
    const reply = await source.ask({ ...request, ...(anchor === undefined ? {} : stretch) });
    const bytes = decodeBase64(reply.data);
    if (!bytes) return inspector.notify("error", "The export cannot be read.");
    const link = h("a", { href: URL.createObjectURL(new Blob([bytes])), download: reply.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
  } catch (error) {
    inspector.report(error);
  }
}
