import assert from "node:assert/strict";
import { Emitter } from "../../../web/base/emitter.js";
import { watchForFileServer } from "../../../web/page/file-server.js";

/** @import { ConnectionState } from "../../../web/wire/connection-state.js" */

/** @type {Record<string, ConnectionState>} */
const STATES = {
  connecting: { is: "connecting", attempt: 0 },
  greeting: { is: "greeting", attempt: 0, until: 0 },
  waiting: { is: "waiting", attempt: 1, until: 0, why: "" },
};

/**
 * What is reported along some states.
 *
 * @param {() => Promise<{ ok: boolean }>} get
 * @param {string[]} states
 */
async function reported(get, ...states) {
  /** @type {boolean[]} */
  const reports = [];
  let requests = 0;
  const emitter = new Emitter();
  watchForFileServer(emitter, (isFileServer) => reports.push(isFileServer), () => {
    requests++;
    return get();
  });
  for (const state of states) emitter.emit(STATES[state]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { reports, requests };
}

Deno.test("a server that sends the page and accepts no connection is one of files", async () => {
  const answers = () => Promise.resolve({ ok: true });
  const states = ["connecting", "waiting", "connecting", "waiting"];
  assert.deepEqual(await reported(answers, ...states), { reports: [true], requests: 1 });
});

Deno.test("a daemon that ended, starts, or accepts connections is not one of files", async () => {
  const ended = () => Promise.reject(new TypeError("no answer"));
  const starting = () => Promise.resolve({ ok: false });
  const answers = () => Promise.resolve({ ok: true });
  for (const get of [ended, starting]) {
    assert.deepEqual((await reported(get, "connecting", "waiting")).reports, []);
  }
  const accepted = await reported(answers, "connecting", "greeting", "waiting");
  assert.deepEqual(accepted, { reports: [false], requests: 0 });
  // It became ready while the page asked.
  const late = await reported(answers, "connecting", "waiting", "connecting", "greeting");
  assert.deepEqual(late.reports, [false]);
});
