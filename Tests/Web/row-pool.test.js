import assert from "node:assert/strict";
import { layerOf, RowPool } from "../../web/elements/row-pool.js";
import { Random } from "./random.js";

Deno.test("an element keeps its row for as long as that is drawn", () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = new Random(seed);
    const pool = new RowPool((index) => ({ index }));
    /** @type {Map<number, object>} */
    let before = new Map();
    let most = 0;
    for (let step = 0; step < 40; step++) {
      const first = random.below(60);
      const places = Array.from({ length: random.below(20) }, (_, index) => first + index);
      if (random.below(3) === 0 && !places.includes(5)) places.push(5);
      most = Math.max(most, places.length);
      const { drawn, unused } = pool.assign(places);
      assert.deepEqual(drawn.map(({ place }) => place), places);
      const now = new Map(drawn.map(({ row, place }) => [place, row]));
      assert.equal(new Set([...now.values(), ...unused]).size, most, `seed ${seed}`);
      for (const [place, row] of now) {
        assert.equal(row, before.get(place) ?? row, `seed ${seed}, place ${place}`);
      }
      before = now;
    }
  }
});

Deno.test("an element keeps its entry when a filter moves it, and finds it again", () => {
  const pool = new RowPool((index) => ({ index }));
  /** @param {readonly number[]} seqs */
  const draw = (seqs) => {
    const { drawn } = pool.assign(seqs.map((_, place) => place), (place) => seqs[place]);
    return new Map(drawn.map(({ row, place }) => [seqs[place], row]));
  };
  const all = draw([0, 1, 2, 3, 4]);
  // Entry 3 moves to another row, and takes no element of another entry.
  assert.equal(draw([3]).get(3), all.get(3));
  assert.deepEqual(draw([]), new Map());
  assert.deepEqual(draw([0, 1, 2, 3, 4]), all);
  // Only an element whose entry is not drawn gets another entry.
  const other = draw([1, 3, 9]);
  assert.equal(other.get(1), all.get(1));
  assert.equal(other.get(3), all.get(3));
  assert.ok([0, 2, 4].some((seq) => all.get(seq) === other.get(9)));
});

Deno.test("two rows with the same key get an element each", () => {
  const pool = new RowPool((index) => ({ index }));
  const draw = () => pool.assign([0, 1, 2], (place) => place === 2 ? "b" : "a").drawn;
  for (const drawn of [draw(), draw()]) {
    assert.equal(new Set(drawn.map(({ row }) => row)).size, 3);
  }
});

Deno.test("rows stay where they are in their layer while the list scrolls", () => {
  const at = (/** @type {number} */ first) => layerOf({ first, top: first * 26 }, 26);
  assert.deepEqual(at(300), { base: 256, top: 256 * 26 });
  assert.deepEqual(at(301), at(300));
  assert.deepEqual(at(3), { base: 0, top: 0 });
});
