/** The timeline in a page that is one HTML file, which `debugd export --as html` writes. */

import { decodeBase64 } from "../base/bytes.js";
import { parseJson } from "../base/json.js";
import { FileFeed, startWorkerAt } from "../feed/file.js";
import { readInserts } from "../model/files/what-if.js";

/** @import { Reader } from "../feed/file.js" */
/** @import { Branches } from "../feed/file-messages.js" */

/**
 * @typedef {object} EmbeddedFile
 * @property {File} file compressed
 * @property {typeof FileFeed.open} read opens it, and other files, without a server
 */

/**
 * The timeline in the document; nothing on a page that has none.
 *
 * @param {Document} document
 * @returns {EmbeddedFile | undefined}
 */
export function embeddedFile(document) {
  const bytes = decodeBase64(document.getElementById("timeline")?.textContent ?? "");
  const worker = document.getElementById("file-worker")?.textContent;
  if (!bytes || bytes.length === 0 || !worker) return undefined;
  const script = new Blob(['"use strict";\n', worker], { type: "text/javascript" });
  /** @type {string | undefined} */
  let address;
  // A page from a file may not start modules, whose origin is compared with its own.
  const start = () => startWorkerAt(address ??= URL.createObjectURL(script), "classic");
  const own = new File([bytes], nameOf(document));
  return {
    file: own,
    read: (file, options) =>
      FileFeed.open(
        file,
        { ...options, branches: file === own ? branchesIn(document) : undefined },
        start,
      ),
  };
}

/**
 * The branches that the file has, as `debugd export --what-if` writes them.
 *
 * @param {Document} document
 * @returns {Branches | undefined}
 */
function branchesIn(document) {
  const element = document.getElementById("what-if");
  const packed = decodeBase64(element?.textContent ?? "");
  if (!element || !packed || packed.length === 0) return undefined;
  const { first, last, count, fewest, inserts } = element.dataset;
  const listed = new TextDecoder().decode(decodeBase64(inserts ?? "") ?? new Uint8Array());
  return {
    packed: new Blob([packed]),
    first: Number(first),
    last: Number(last),
    count: Number(count),
    hasFewest: fewest === "true",
    inserts: readInserts(listed === "" ? [] : parseJson(listed)),
  };
}

/**
 * The name of the document's file, as that of the timeline in it.
 *
 * @param {Document} document
 */
function nameOf({ URL: address }) {
  const name = new URL(address).pathname.split("/").at(-1) ?? "";
  try {
    return `${decodeURIComponent(name).replace(/\.html$/, "") || "file"}.timeline`;
  } catch {
    return "file.timeline";
  }
}
