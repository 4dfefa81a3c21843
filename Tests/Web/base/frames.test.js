import assert from "node:assert/strict";
import { Frames } from "../../../web/base/frame.js";

Deno.test("runs everything requested for one frame, early tasks first", () => {
  /** @type {(() => void)[]} */
  const waiting = [];
  /** @type {string[]} */
  const done = [];
  const frames = new Frames((call) => waiting.push(call));
  frames.request(() => done.push("first"));
  frames.request(() => done.push("second"), () => done.push("early"));
  assert.equal(waiting.length, 1);
  waiting.shift()?.();
  assert.deepEqual(done, ["early", "first", "second"]);
});

Deno.test("defers requests made during a frame to the next", () => {
  /** @type {(() => void)[]} */
  const waiting = [];
  let count = 0;
  const frames = new Frames((call) => waiting.push(call));
  const again = () => {
    count++;
    frames.request(again);
  };
  frames.request(again);
  waiting.shift()?.();
  assert.equal(count, 1);
  assert.equal(waiting.length, 1);
});

Deno.test("continues after a failure", () => {
  /** @type {(() => void)[]} */
  const waiting = [];
  /** @type {unknown[]} */
  const failures = [];
  let isDone = false;
  const frames = new Frames((call) => waiting.push(call), (error) => failures.push(error));
  frames.request(() => {
    throw new Error("this one");
  });
  frames.request(() => isDone = true);
  waiting.shift()?.();
  assert.ok(isDone);
  assert.equal(failures.length, 1);
});

Deno.test("runs held tasks immediately when released", () => {
  /** @type {(() => void)[]} */
  const waiting = [];
  /** @type {string[]} */
  const done = [];
  const frames = new Frames((call) => waiting.push(call));
  frames.hold();
  frames.request(() => done.push("held"), () => done.push("early"));
  assert.equal(waiting.length, 0);
  frames.release();
  assert.deepEqual(done, ["early", "held"]);
  frames.request(() => done.push("later"));
  waiting.shift()?.();
  assert.deepEqual(done, ["early", "held", "later"]);
});
