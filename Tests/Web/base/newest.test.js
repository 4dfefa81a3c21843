import assert from "node:assert/strict";
import { Newest } from "../../../web/base/newest.js";

Deno.test("runs one task at a time, and of the waiting ones only the newest", async () => {
  const newest = new Newest();
  /** @type {number[]} */
  const done = [];
  /** @type {(() => void)[]} */
  const endings = [];
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  for (let number = 0; number < 1_000; number++) {
    newest.do(async () => {
      done.push(number);
      await new Promise((resolve) => endings.push(() => resolve(undefined)));
    });
  }
  assert.deepEqual(done, [0]);
  endings.shift()?.();
  await turn();
  assert.deepEqual(done, [0, 999]);
  endings.shift()?.();
  await turn();
  newest.do(() => Promise.resolve(void done.push(1)));
  assert.deepEqual(done, [0, 999, 1]);
});
