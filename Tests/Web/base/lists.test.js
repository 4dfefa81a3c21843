import assert from "node:assert/strict";
import { decodeBase64, encodeBase64, LineSplitter } from "../../../web/base/bytes.js";
import { Cache } from "../../../web/base/cache.js";
import { contrast, mix, readColor } from "../../../web/base/color.js";
import { Emitter } from "../../../web/base/emitter.js";
import { FrameTask } from "../../../web/base/frame.js";
import { MAXIMUM_HEIGHT, RowSpace } from "../../../web/base/rows.js";

Deno.test("evicts the least recently used", () => {
  /** @type {Cache<string, number>} */
  const cache = new Cache(3);
  cache.set("a", 1);
  cache.set("b", 2);
  cache.set("c", 3);
  assert.equal(cache.get("a"), 1);
  cache.set("d", 4);
  assert.deepEqual([...cache.keys()], ["c", "a", "d"]);
  cache.set("e", 5, 2);
  assert.deepEqual([...cache.keys()], ["d", "e"]);
  assert.equal(cache.cost, 3);
  cache.set("large", 6, 4);
  assert.equal(cache.peek("large"), undefined);
  assert.equal(cache.size, 2);
  cache.clear();
  assert.equal(cache.cost, 0);
});

Deno.test("renders once a frame, however often it is asked to", () => {
  /** @type {(() => void)[]} */
  const frames = [];
  let count = 0;
  const task = new FrameTask(() => count++, (call) => frames.push(call));
  task.request();
  task.request();
  assert.equal(frames.length, 1);
  frames.shift()?.();
  assert.equal(count, 1);
  task.flush();
  assert.equal(count, 1);
  task.request();
  task.flush();
  frames.shift()?.();
  assert.equal(count, 2);
});

Deno.test("notifies listeners until they stop listening", () => {
  /** @type {Emitter<number>} */
  const emitter = new Emitter();
  /** @type {number[]} */
  const heard = [];
  const end = emitter.listen((value) => heard.push(value));
  emitter.emit(1);
  end();
  emitter.emit(2);
  assert.deepEqual(heard, [1]);
});

Deno.test("draws the visible rows and some more", () => {
  const space = new RowSpace(1_000, 26, 260);
  assert.deepEqual(space.window(0), { first: 0, end: 14, top: 0 });
  assert.deepEqual(space.window(2_600), { first: 96, end: 114, top: 96 * 26 });
  assert.equal(space.window(space.fullHeight - 260).end, 1_000);
  assert.equal(space.page, 10);
});

Deno.test("reaches every row of a list taller than an element can be", () => {
  const count = 10_000_000;
  const space = new RowSpace(count, 26, 520);
  assert.equal(space.height, MAXIMUM_HEIGHT);
  assert.equal(space.offsetAt(0), 0);
  assert.equal(space.window(space.offsetAt(space.height - 520)).end, count);
  for (const row of [0, 1, 123_456, 5_000_000, count - 1]) {
    const offset = space.centering(row);
    assert.ok(Math.abs(space.offsetAt(space.scrollTopAt(offset)) - offset) < 1, `row ${row}`);
    const { first, end, top } = space.window(offset);
    assert.ok(first <= row && row < end);
    const place = top + (row - first) * 26 - space.scrollTopAt(offset);
    assert.ok(place >= 0 && place <= 520 - 26, `row ${row} is at ${place}`);
    assert.ok(top >= -26 * 8 && top + (end - first) * 26 <= space.height + 26 * 8);
  }
});

Deno.test("scrolls no more than needed to show a row", () => {
  const space = new RowSpace(100, 10, 100);
  assert.equal(space.revealing(5, 0), 0);
  assert.equal(space.revealing(20, 0), 110);
  assert.equal(space.revealing(3, 200), 30);
  assert.equal(space.revealing(20, 0, 2), 130);
  assert.equal(space.revealing(99, 0, 5), 900);
  assert.equal(new RowSpace(3, 10, 100).revealing(2, 0), 0);
  assert.equal(new RowSpace(0, 10, 100).window(0).end, 0);
});

Deno.test("reads colors and their contrast", () => {
  assert.deepEqual(readColor("#fff"), [255, 255, 255]);
  assert.deepEqual(readColor("#2f5bea"), [47, 91, 234]);
  assert.deepEqual(readColor("rgba(1, 2, 3, 0.5)"), [1, 2, 3]);
  assert.deepEqual(readColor("color(srgb 1 0.5 0)"), [255, 128, 0]);
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.equal(contrast([9, 9, 9], [9, 9, 9]), 1);
  assert.deepEqual(mix([0, 0, 0], [255, 255, 255], 0.5), [128, 128, 128]);
});

Deno.test("cuts a stream into the same lines wherever its chunks end", () => {
  const bytes = new TextEncoder().encode('{"a":1}\n\nü\nlast');
  for (let size = 1; size <= bytes.length; size++) {
    const splitter = new LineSplitter();
    /** @type {string[]} */
    const lines = [];
    for (let at = 0; at < bytes.length; at += size) {
      lines.push(
        ...splitter.push(bytes.subarray(at, at + size)).map((line) =>
          new TextDecoder().decode(line)
        ),
      );
    }
    assert.deepEqual(lines, ['{"a":1}', "", "ü"]);
    assert.equal(splitter.waitingBytes, 4);
    assert.equal(new TextDecoder().decode(splitter.rest()), "last");
  }
});

Deno.test("turns bytes into base64 and back", () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251);
  assert.deepEqual(decodeBase64(encodeBase64(bytes)), bytes);
  assert.equal(decodeBase64("*"), undefined);
});
