import assert from "node:assert/strict";
import { States } from "../../../../web/model/timeline/states.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { openLines, TIMELINE } from "../../files.js";

/** @import { FailureCode } from "../../../../web/wire/requests.js" */

Deno.test("keeps a moment's own error, but not a connection error", async () => {
  const file = await openLines([{ seq: 0, t: 0, state: { n: 1 } }]);
  const after = async (/** @type {FailureCode} */ code) => {
    let isBroken = true;
    const ask = (/** @type {any} */ request) =>
      isBroken ? Promise.reject(new RequestError(code, "no")) : file.ask(request);
    const states = new States(/** @type {any} */ ({ ask }), TIMELINE);
    assert.equal((await states.fetch(0))?.is, "failed");
    isBroken = false;
    return (await states.fetch(0))?.is;
  };
  assert.deepEqual([await after("limit"), await after("disconnected"), await after("thinned")], [
    "known",
    "known",
    "failed",
  ]);
});
