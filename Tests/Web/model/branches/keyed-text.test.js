import assert from "node:assert/strict";
import { KeyedText } from "../../../../web/model/branches/keyed-text.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { settle } from "../../daemons.js";

/** A loader whose texts come when the test says so. */
function waiting() {
  /** @type {{ signal: AbortSignal, come: (text: string) => void, fail: (error: Error) => void }[]} */
  const loads = [];
  const load = (/** @type {AbortSignal} */ signal) =>
    new Promise((/** @type {(text: string) => void} */ come, fail) =>
      loads.push({ signal, come, fail })
    );
  return { loads, load };
}

Deno.test("loads a text once, and reports when it is there", async () => {
  let changes = 0;
  const text = new KeyedText(() => changes++);
  const { loads, load } = waiting();
  text.update("a", load);
  text.update("a", load);
  assert.equal(loads.length, 1);
  loads[0]?.come("one");
  await settle();
  assert.deepEqual([text.text, changes], ["one", 1]);
});

Deno.test("drops what comes for something that is no longer in view, and cancels it", async () => {
  let changes = 0;
  const text = new KeyedText(() => changes++);
  const { loads, load } = waiting();
  text.update("a", load);
  text.update("b", load);
  assert.ok(loads[0]?.signal.aborted && !loads[1]?.signal.aborted);
  loads[1]?.come("two");
  await settle();
  loads[0]?.come("one");
  await settle();
  assert.deepEqual([text.text, changes], ["two", 1]);
  text.clear();
  assert.ok(loads[1]?.signal.aborted);
  assert.equal(text.text, "");
  // It is loaded again when it comes back.
  text.update("b", load);
  assert.equal(loads.length, 3);
});

Deno.test("stays empty where nothing can be said", async () => {
  let changes = 0;
  const text = new KeyedText(() => changes++);
  const { loads, load } = waiting();
  text.update("a", load);
  loads[0]?.fail(new RequestError("not-found", "The timeline is deleted."));
  text.update("b", load);
  loads[1]?.come("");
  await settle();
  assert.deepEqual([text.text, changes], ["", 0]);
});
