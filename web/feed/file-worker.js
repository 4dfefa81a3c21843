/** The worker that reads a file, so that the page never waits for it. */

import { FileServer } from "./file-server.js";

/** @import { ToWorker } from "./file-messages.js" */

const server = new FileServer((message) => postMessage(message));
addEventListener("message", ({ data }) => void server.take(/** @type {ToWorker} */ (data)));
