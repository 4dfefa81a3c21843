/** The lanes and colors of event names. */

import assert from "node:assert/strict";
import { LANE_COLORS, LaneColors } from "../../../../web/model/timeline/lane-colors.js";
import { Random } from "../../random.js";

const MACHINE = "Shop\nCart";

/** @param {string} [text] what is stored */
function storing(text) {
  /** @type {Map<string, string>} */
  const values = new Map(text === undefined ? [] : [["inspector.lanes", text]]);
  return {
    getItem: (/** @type {string} */ key) => values.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) =>
      void values.set(key, value),
    text: () => values.get("inspector.lanes") ?? "",
  };
}

/** @param {{ name: string, color: number }[]} lanes */
const shown = (lanes) => lanes.map(({ name, color }) => `${name} ${color}`);

Deno.test("a name keeps its lane and color when others become more frequent", () => {
  const colors = new LaneColors(storing());
  const first = shown(colors.arrange(MACHINE, ["added", "removed", "paid"]));
  assert.deepEqual(first, ["added 1", "removed 2", "paid 3"]);
  assert.deepEqual(shown(colors.arrange(MACHINE, ["paid", "added", "removed"])), first);
  assert.deepEqual(shown(colors.arrange(MACHINE, ["undone", "paid", "added"])), [
    "added 1",
    "paid 3",
    "undone 2",
  ], "a new name is below, in a color that no other one in view has");
});

Deno.test("a name keeps its lane and color after a reload, and in another tab", () => {
  const storage = storing();
  const [one, other] = [new LaneColors(storage), new LaneColors(storage)];
  one.arrange(MACHINE, ["added", "removed"]);
  assert.deepEqual(shown(other.arrange(MACHINE, ["paid", "removed", "added"])), [
    "added 1",
    "removed 2",
    "paid 3",
  ]);
  const reloaded = new LaneColors(storage);
  assert.deepEqual(shown(reloaded.arrange(MACHINE, ["paid", "added"])), ["added 1", "paid 3"]);
  assert.deepEqual(shown(reloaded.arrange("Bank\nAccount", ["paid"])), ["paid 1"]);
  assert.doesNotMatch(storage.text(), /added|removed|paid|Shop|Bank/);
});

Deno.test("ten names in view have ten colors, whichever were in view before", () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = new Random(seed);
    const colors = new LaneColors(storing());
    const names = Array.from({ length: LANE_COLORS }, (_, index) => `name ${index}`);
    colors.arrange(MACHINE, names);
    // One after the other is displaced by a name that is new.
    for (let step = 0; step < 20; step++) {
      names[random.below(LANE_COLORS)] = `later ${step}`;
      const lanes = colors.arrange(MACHINE, names);
      assert.equal(new Set(lanes.map(({ color }) => color)).size, LANE_COLORS, `${seed}`);
    }
  }
});

Deno.test("what is stored has limits, and names beyond them keep a color, too", () => {
  const storage = storing();
  const colors = new LaneColors(storage);
  for (let machine = 0; machine < 210; machine++) colors.arrange(`machine ${machine}`, ["a"]);
  const names = Array.from({ length: 300 }, (_, index) => `name ${index}`);
  const before = colors.arrange(MACHINE, names);
  assert.ok(storage.text().length < 40_000, `${storage.text().length}`);
  const after = new LaneColors(storage).arrange(MACHINE, names.toReversed());
  const sorted = (/** @type {typeof before} */ lanes) => shown(lanes).sort();
  assert.deepEqual(sorted(after), sorted(before));
  assert.ok(before.every(({ color }) => color >= 1 && color <= LANE_COLORS));
});

Deno.test("a storage that is damaged or refuses does no harm", () => {
  for (const text of ["{", "7", "[1]", '[["a"]]', '[["a",[["b",0],["c",1.5],["d","e"]]]]']) {
    assert.deepEqual(shown(new LaneColors(storing(text)).arrange("m", ["x"])), ["x 1"]);
  }
  const colors = new LaneColors({
    getItem: () => {
      throw new Error("It is forbidden.");
    },
    setItem: () => {
      throw new Error("It is full.");
    },
  });
  assert.deepEqual(shown(colors.arrange(MACHINE, ["b", "a"])), ["b 1", "a 2"]);
  assert.deepEqual(shown(colors.arrange(MACHINE, ["a", "b"])), ["b 1", "a 2"]);
});
