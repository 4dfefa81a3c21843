import assert from "node:assert/strict";
import { LastKeyframe } from "../../../../web/model/state/last-keyframe.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { settle } from "../../daemons.js";
import { counterLines, openLines, TIMELINE } from "../../files.js";

/** A clock that a test turns, and the source of the distance. */
function ready() {
  /** @type {Set<() => void>} */
  const waiting = new Set();
  let changes = 0;
  const last = new LastKeyframe((call) => {
    waiting.add(call);
    return () => waiting.delete(call);
  }, () => changes++);
  const rest = () => {
    for (const call of waiting) call();
    waiting.clear();
  };
  return { last, rest, changes: () => changes };
}

Deno.test("shows how far back the last keyframe is, once the cursor rests", async () => {
  const source = await openLines(counterLines(40));
  const { last, rest, changes } = ready();
  assert.equal(last.distance(source, TIMELINE, 37), undefined);
  await settle();
  assert.equal(changes(), 0);
  rest();
  await settle();
  assert.deepEqual([last.distance(source, TIMELINE, 37), changes()], [7, 1]);
  last.distance(source, TIMELINE, 20);
  rest();
  await settle();
  assert.equal(last.distance(source, TIMELINE, 20), 0);
});

Deno.test("drops the reply if the cursor has moved", async () => {
  const file = await openLines(counterLines(40));
  /** @type {number[]} */
  const asked = [];
  const source = /** @type {typeof file} */ (/** @type {unknown} */ ({
    ask: (/** @type {any} */ request) => (asked.push(request.from), file.ask(request)),
  }));
  const { last, rest, changes } = ready();
  last.distance(source, TIMELINE, 11);
  last.distance(source, TIMELINE, 12);
  rest();
  last.distance(source, TIMELINE, 25);
  await settle();
  assert.deepEqual([asked, changes(), last.distance(source, TIMELINE, 25)], [[12], 0, undefined]);
  rest();
  await settle();
  assert.deepEqual([asked, last.distance(source, TIMELINE, 25)], [[12, 25], 5]);
});

Deno.test("repeats failed requests only after a reconnect", async () => {
  const file = await openLines(counterLines(40));
  let asked = 0;
  const source = /** @type {typeof file} */ (/** @type {unknown} */ ({
    ask: (/** @type {any} */ request) => {
      if (++asked > 1) return file.ask(request);
      return Promise.reject(new RequestError("disconnected", "The daemon is not connected."));
    },
  }));
  const { last, rest } = ready();
  const distanceBy = async (/** @type {unknown} */ connection) => {
    last.distance(source, TIMELINE, 37, connection);
    rest();
    await settle();
    return last.distance(source, TIMELINE, 37, connection);
  };
  const [before, after] = [{ is: "open" }, { is: "open" }];
  assert.equal(await distanceBy(before), undefined);
  assert.equal(await distanceBy(before), undefined);
  assert.equal(asked, 1);
  assert.equal(await distanceBy(after), 7);
  assert.equal(await distanceBy(after), 7);
  assert.equal(asked, 2);
});
