import assert from "node:assert/strict";
import { sweepOf } from "../../../../web/model/branches/branches.js";
import { idOf } from "../../daemons.js";
import { Random } from "../../random.js";

const IDS = ["a", "b", "c", "d"].map(idOf);

/**
 * A line of branches, each of which leaves out some of the one before.
 *
 * @param {[number, number][][]} drops
 */
function line(drops) {
  return new Map(IDS.map((timeline, place) => {
    const edits = drops[place - 1]?.map((drop) => ({ drop }));
    const parent = edits && { timeline: IDS[place - 1] ?? "", through: 99, start: 1, edits };
    const header = { timeline, ...(parent ? { parent } : {}) };
    return [timeline, /** @type {any} */ ({ header })];
  }));
}

Deno.test("sweeps skipped entries in any order, with the same result as one by one", () => {
  const random = new Random(11);
  for (let round = 0; round < 200; round++) {
    const drops = IDS.slice(1).map(() =>
      Array.from({ length: 1 + random.below(3) }, () => {
        const first = 1 + random.below(20);
        return /** @type {[number, number]} */ ([first, first + random.below(4)]);
      })
    );
    let left = Array.from({ length: 60 }, (_, seq) => seq);
    for (const step of drops) {
      left = left.filter((_, seq) => !step.some(([first, last]) => seq >= first && seq <= last));
    }
    const swept = sweepOf(IDS.at(-1), line(drops));
    assert.equal(swept?.steps, 3);
    const out = swept?.edits.flatMap((edit) => edit.is === "drop" ? [edit] : []) ?? [];
    const all = Array.from({ length: 60 }, (_, seq) => seq);
    assert.deepEqual(
      all.filter((seq) => !out.some(({ first, last }) => seq >= first && seq <= last)),
      left,
      JSON.stringify(drops),
    );
    // In order, and none beside its neighbour.
    out.forEach(({ first, last }, place) => {
      assert.ok(first <= last && first > (out[place - 1]?.last ?? -2) + 1, JSON.stringify(drops));
    });
  }
});

Deno.test("sweeps ranges of any length in one branch", () => {
  // Going through them one by one would take weeks.
  const [half, all] = [2 ** 50, 2 ** 52];
  const swept = sweepOf(IDS[2], line([[[10, half]], [[9, 9], [12, all]]]));
  assert.deepEqual(swept?.edits, [
    { is: "drop", first: 9, last: half },
    { is: "drop", first: half + 3, last: all + half - 9 },
  ]);
});
