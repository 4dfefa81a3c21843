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

/** @param {{ name: string }[]} lanes */
const names = (lanes) => lanes.map(({ name }) => name);

/** @param {{ color: number }[]} lanes */
const countOfColors = (lanes) => new Set(lanes.map(({ color }) => color)).size;

Deno.test("a name keeps its lane and color when others become more frequent", () => {
  const colors = new LaneColors(storing());
  const first = colors.arrange(MACHINE, ["added", "removed", "paid"]);
  assert.deepEqual([names(first), countOfColors(first)], [["added", "removed", "paid"], 3]);
  assert.deepEqual(colors.arrange(MACHINE, ["paid", "added", "removed"]), first);
  const [added, , paid] = shown(first);
  const later = colors.arrange(MACHINE, ["undone", "paid", "added"]);
  assert.deepEqual(names(later), ["added", "paid", "undone"], "a new name is below");
  assert.deepEqual(shown(later).slice(0, 2), [added, paid]);
  assert.equal(countOfColors(later), 3, "in a color that no other one in view has");
});

Deno.test("a name keeps its lane and color after a reload, and in another tab", () => {
  const storage = storing();
  const [one, other] = [new LaneColors(storage), new LaneColors(storage)];
  const first = shown(one.arrange(MACHINE, ["added", "removed"]));
  const all = shown(other.arrange(MACHINE, ["paid", "removed", "added"]));
  assert.deepEqual(all.slice(0, 2), first);
  const reloaded = new LaneColors(storage);
  assert.deepEqual(shown(reloaded.arrange(MACHINE, ["paid", "added"])), [all[0], all[2]]);
  assert.deepEqual(names(reloaded.arrange("Bank\nAccount", ["paid"])), ["paid"]);
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

Deno.test("names of a schema have the same colors in each browser, whatever it has seen", () => {
  const declared = ["added", "removed", "paid", "undone"];
  const seen = new LaneColors(storing());
  seen.arrange(MACHINE, ["undone"]);
  seen.arrange(MACHINE, ["paid", "undone", "elsewhere"]);
  const lanes = seen.arrange(MACHINE, ["added", "paid", "undone", "elsewhere"], declared);
  const colors = new Map(lanes.map(({ name, color }) => [name, color]));
  const fresh = new LaneColors(storing()).arrange(MACHINE, ["paid", "added"], declared);
  assert.deepEqual(shown(fresh), ["paid 3", "added 1"]);
  assert.deepEqual([colors.get("paid"), colors.get("added"), colors.get("undone")], [3, 1, 4]);
  const unlisted = new LaneColors(storing()).arrange(MACHINE, [...declared, "other"], declared);
  assert.equal(countOfColors(unlisted), 5, "a name that it lacks has a color of its own");
});

Deno.test("names of a schema with more names than colors have colors of their own", () => {
  const declared = Array.from({ length: LANE_COLORS + 1 }, (_, index) => `name ${index}`);
  const colors = new LaneColors(storing());
  assert.equal(countOfColors(colors.arrange(MACHINE, ["name 0", "name 10"], declared)), 2);
});

Deno.test("without a schema, two browsers differ only where names begin with the same color", () => {
  const [one, other] = [new LaneColors(storing()), new LaneColors(storing())];
  const alone = (/** @type {string} */ name) => new LaneColors(storing()).arrange(MACHINE, [name]);
  const chosen = ["added", "removed", "paid"];
  assert.equal(countOfColors(chosen.flatMap(alone)), 3, "these do not");
  other.arrange(MACHINE, ["paid"]);
  other.arrange(MACHINE, ["removed", "paid"]);
  assert.deepEqual(
    shown(one.arrange(MACHINE, chosen)).sort(),
    shown(other.arrange(MACHINE, chosen)).sort(),
  );
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
    assert.deepEqual(
      new LaneColors(storing(text)).arrange("m", ["x"]),
      new LaneColors(storing()).arrange("m", ["x"]),
    );
  }
  const colors = new LaneColors({
    getItem: () => {
      throw new Error("It is forbidden.");
    },
    setItem: () => {
      throw new Error("It is full.");
    },
  });
  const first = colors.arrange(MACHINE, ["b", "a"]);
  assert.deepEqual([names(first), countOfColors(first)], [["b", "a"], 2]);
  assert.deepEqual(colors.arrange(MACHINE, ["a", "b"]), first);
});
