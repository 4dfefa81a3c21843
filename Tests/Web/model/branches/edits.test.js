import assert from "node:assert/strict";
import { Arrangement } from "../../../../web/model/branches/arrangement.js";
import { closure } from "../../../../web/model/timeline/causes.js";
import {
  defaultName,
  dropsOf,
  eventLabel,
  minimizedWords,
  readEdits,
  wordsOf,
  wordsWithNames,
  writeEdits,
} from "../../../../web/model/branches/edits.js";
import { UndoHistory } from "../../../../web/model/branches/undo-history.js";
import { readFixture } from "../../fixtures.js";
import { Random } from "../../random.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */
/** @import { Edit } from "../../../../web/model/branches/edits.js" */

/** @type {Edit[]} */
const ALL = [
  { is: "drop", first: 12, last: 12 },
  { is: "drop", first: 20, last: 25 },
  { is: "replace", seq: 40, event: { flip: {} } },
  { is: "insert", before: 41, event: { flip: {} } },
  { is: "move", seq: 50, before: 44 },
  { is: "append", event: "tick" },
  { is: "cut", seq: 90 },
  { is: "start", seq: 3 },
  { is: "begin", state: { seq: 5 } },
  { is: "begin", state: { n: 5 } },
];

Deno.test("writes edits as the protocol has them, and reads them back", () => {
  assert.deepEqual(writeEdits(ALL), [
    { drop: 12 },
    { drop: [20, 25] },
    { replace: 40, event: { flip: {} } },
    { insert: { flip: {} }, before: 41 },
    { move: 50, before: 44 },
    { append: "tick" },
    { cut: 90 },
    { start: { seq: 3 } },
    { start: { seq: 5 }, literal: true },
    { start: { n: 5 } },
  ]);
  assert.deepEqual(readEdits(writeEdits(ALL)), ALL);
  assert.deepEqual(readEdits([{ swap: [1, 2] }, 7, { drop: "x" }]), []);
  assert.deepEqual(readEdits(undefined), []);
});

Deno.test("counts the events that a minimized branch keeps", () => {
  const edits = readEdits([
    { drop: [1, 6] },
    { drop: [8, 15] },
    { drop: [17, 43] },
    { replace: 7, event: "x" },
    { cut: 44 },
  ]);
  assert.equal(minimizedWords(edits, 90), "3 of 44 events kept (7, 16, 44), 1 simplified");
  assert.equal(minimizedWords([], 20), "20 of 20 events kept");
});

Deno.test("describes scripts in the words that debugd uses", async () => {
  /** @type {{ edits: Json, through?: number, names?: Record<number, string>, words: string }[]} */
  const cases = JSON.parse(await readFixture("edit-words.json"));
  for (const { edits, through, names, words } of cases) {
    const read = readEdits(edits);
    assert.equal(
      through === undefined
        ? wordsOf(read, (seq) => eventLabel(names?.[seq]))
        : minimizedWords(read, through),
      words,
    );
  }
  assert.equal(wordsOf(dropsOf([3, 1, 2, 9, 11, 1_300])), "without 1 to 3, 9 and 2 more");
  assert.ok(defaultName([{ is: "append", event: "x".repeat(500) }]).length <= 61);
});

Deno.test("names the events in the name of a branch, and finds that name again", () => {
  const names = new Map([[6, "couponArrived"], [8, "[cart] add (1)"], [9, "x".repeat(40)]]);
  const nameAt = (/** @type {number} */ seq) => names.get(seq);
  /** @type {[Edit[], string][]} */
  const cases = [
    [dropsOf([6]), "without couponArrived 6"],
    [dropsOf([6, 8]), "without couponArrived 6 and [cart] add (1) 8"],
    [dropsOf([6, 7]), "without 6 to 7"],
    [dropsOf([7]), "without 7"],
    [dropsOf([9]), `without ${"x".repeat(23)}… 9`],
    [[{ is: "replace", seq: 6, event: "y" }], "couponArrived 6 changed to y"],
    [[{ is: "move", seq: 6, before: 3 }], "couponArrived 6 moved before 3"],
  ];
  for (const [edits, name] of cases) {
    assert.equal(defaultName(edits, nameAt), name);
    assert.equal(wordsWithNames(edits, name), name);
    assert.equal(wordsWithNames(edits, `${name} (2)`), name);
    // A name of the reader's own says nothing about the script.
    // What follows “changed to” may be any value.
    const again = name.endsWith(" to y") ? undefined : `${name}, again`;
    for (const other of ["cheaper", again, name.replace("6", "5"), undefined]) {
      if (other !== name) assert.equal(wordsWithNames(edits, other), defaultName(edits));
    }
  }
});

Deno.test("counts the kept events of a header that names more than there can be", () => {
  const words = minimizedWords([{ is: "drop", first: 5, last: 6 }], Number.MAX_SAFE_INTEGER);
  assert.equal(words, "9,007,199,254,740,989 of 9,007,199,254,740,991 events kept");
});

/**
 * The branch as a list: what each entry recomputes, or which edit made it.
 *
 * @param {Edit[]} edits
 * @param {number} through
 */
function naive(edits, through) {
  /** @type {(number | string)[]} */
  let list = Array.from({ length: through + 1 }, (_, seq) => seq);
  edits.forEach((edit, index) => {
    const at = (/** @type {number} */ seq) => seq > through ? list.length : list.indexOf(seq);
    if (edit.is === "drop") {
      list = list.filter((one) => typeof one === "string" || one < edit.first || one > edit.last);
    } else if (edit.is === "insert") list.splice(at(edit.before), 0, `new ${index}`);
    else if (edit.is === "append") list.push(`new ${index}`);
    else if (edit.is === "move") {
      list = list.filter((one) => one !== edit.seq);
      list.splice(at(edit.before), 0, edit.seq);
    } else if (edit.is === "cut") list = list.slice(0, at(edit.seq) + 1);
    else if (edit.is === "start") list = list.slice(at(edit.seq));
  });
  return list;
}

Deno.test("finds every entry in the branch, as a plain list does", () => {
  const random = new Random(11);
  for (let round = 0; round < 400; round++) {
    const through = 12;
    const used = new Set([0]);
    const fresh = () => {
      const free = Array.from({ length: through + 1 }, (_, seq) => seq).filter((seq) =>
        !used.has(seq)
      );
      const seq = free[random.below(free.length)] ?? through;
      used.add(seq);
      return seq;
    };
    /** @type {Edit[]} */
    const edits = [];
    const targets = Array.from({ length: 3 }, fresh);
    for (let count = random.below(5); count > 0; count--) {
      const before = targets[random.below(3)] ?? 1;
      const seq = fresh();
      edits.push(
        [
          /** @type {const} */ ({ is: "drop", first: seq, last: seq }),
          /** @type {const} */ ({ is: "replace", seq, event: "x" }),
          /** @type {const} */ ({ is: "insert", before, event: "x" }),
          /** @type {const} */ ({ is: "move", seq, before }),
          /** @type {const} */ ({ is: "append", event: "x" }),
        ][random.below(5)] ?? { is: "append", event: "y" },
      );
    }
    const list = naive(edits, through);
    const arrangement = new Arrangement(edits, through);
    const context = JSON.stringify(edits);
    assert.equal(arrangement.last, list.length - 1, context);
    list.forEach((one, seq) => {
      if (typeof one === "number") {
        assert.equal(arrangement.seqOf(one), seq, `${one} of ${context}`);
      } else assert.equal(arrangement.seqOfEdit(Number(one.slice(4))), seq, `${one} of ${context}`);
    });
  }
});

Deno.test("maps entries through a start and a cut", () => {
  const start = new Arrangement([{ is: "start", seq: 5 }], 9);
  assert.deepEqual([start.seqOf(5), start.seqOf(6), start.seqOf(9), start.last], [0, 1, 4, 4]);
  assert.equal(start.seqOf(2), 0);
  const cut = new Arrangement([{ is: "cut", seq: 5 }, { is: "append", event: "x" }], 9);
  assert.deepEqual([cut.seqOf(5), cut.seqOf(8), cut.seqOfEdit(1), cut.last], [5, 6, 6, 6]);
  const moved = new Arrangement([{ is: "move", seq: 4, before: 10 }], 9);
  assert.deepEqual([moved.seqOf(4), moved.seqOf(5), moved.seqOf(9), moved.last], [9, 4, 8, 9]);
  const dropped = new Arrangement([{ is: "drop", first: 9, last: 9 }], 9);
  assert.equal(dropped.seqOf(9), 8);
});

Deno.test("finds all that an entry caused, and nothing else", () => {
  const entries = [1, 2, 3, 4, 5, 6].map((seq) => ({
    seq,
    t: 0,
    ...({ 3: { cause: 2 }, 5: { cause: 3 }, 6: { cause: "other:2" } }[seq] ?? {}),
  }));
  assert.deepEqual([...closure([2], entries)], [2, 3, 5]);
  assert.deepEqual([...closure([4], entries)], [4]);
});

Deno.test("undo and redo step through the user's own branches", () => {
  const at = (/** @type {string} */ timeline, seq = 1) => ({ timeline, seq });
  const trail = new UndoHistory();
  assert.equal(trail.undo(at("main")), undefined);
  trail.made(at("main", 7), at("one", 6));
  trail.made(at("one", 9), at("two", 9));
  assert.deepEqual(trail.undo(at("two", 30)), at("one", 9));
  assert.deepEqual(trail.undo(at("one", 12)), at("main", 7));
  assert.deepEqual(trail.redo(at("main", 8)), at("one", 12));
  assert.deepEqual(trail.redo(at("one", 12)), at("two", 30));
  assert.equal(trail.redo(at("two")), undefined);
  const again = UndoHistory.read(trail.write());
  assert.deepEqual(again.undo(at("two")), at("one", 12));
  again.made(at("one"), at("three"));
  assert.equal(again.redo(at("three")), undefined);
  assert.deepEqual(again.next, { undo: "three", redo: undefined });
  again.forget("three");
  assert.deepEqual(again.next, { undo: "one", redo: undefined });
  assert.deepEqual(UndoHistory.read("{").next, { undo: undefined, redo: undefined });
  assert.deepEqual(UndoHistory.read('{"steps":[1,{"from":{}}],"done":4}').next.undo, undefined);
});

Deno.test("skips steps that the user reverted without undo", () => {
  const at = (/** @type {string} */ timeline) => ({ timeline, seq: 1 });
  const trail = new UndoHistory();
  trail.made(at("main"), at("one"));
  trail.made(at("one"), at("two"));
  assert.deepEqual(trail.undo(at("one")), at("main"));
});

Deno.test("names of branches contain short values, so that edits of one event differ", () => {
  const events = new Map(
    /** @type {[number, Json][]} */ ([
      [1, { cityTyped: { _0: "Lis" } }],
      [2, { cityTyped: { _0: "a text that is longer than a name has room for" } }],
      [3, "tick"],
      [4, { type: "set", count: 2 }],
      [5, { $cut: 90_000 }],
      [6, { paid: { _0: { cents: 50, shop: "Café Central" } } }],
    ]),
  );
  const city = (/** @type {string} */ name) => ({ cityTyped: { _0: name } });
  /** @type {[Edit[], string][]} */
  const cases = [
    [dropsOf([1]), "without cityTyped(Lis) 1"],
    [dropsOf([2]), "without cityTyped 2"],
    [dropsOf([3, 4]), "without 3 to 4"],
    [dropsOf([2, 4]), "without cityTyped 2 and set(count: 2) 4"],
    [[{ is: "replace", seq: 1, event: city("Oslo") }], "cityTyped 1 changed to Oslo"],
    [[{ is: "replace", seq: 1, event: city("x".repeat(30)) }], "cityTyped 1 changed"],
    [[{ is: "replace", seq: 1, event: "tick" }], "cityTyped 1 changed to tick"],
    [[{ is: "replace", seq: 3, event: city("Rome") }], "tick 3 changed to cityTyped(Rome)"],
    [[{ is: "replace", seq: 9, event: city("Rome") }], "9 changed to Rome"],
    [[{ is: "replace", seq: 4, event: { type: "set", count: 3 } }], "set 4 changed to count: 3"],
    [
      [{ is: "replace", seq: 6, event: { paid: { _0: { cents: 0, shop: "Café Central" } } } }],
      "paid 6 changed to cents: 0",
    ],
    [[{ is: "insert", before: 3, event: city("Rome") }], "cityTyped(Rome) before 3"],
    [[{ is: "append", event: { type: "set", count: 7 } }], "set(count: 7) at the end"],
    [[{ is: "move", seq: 4, before: 2 }], "set(count: 2) 4 moved before 2"],
  ];
  for (const [edits, name] of cases) {
    assert.equal(defaultName(edits, (seq) => events.get(seq)), name);
    assert.equal(wordsWithNames(edits, name), name);
    assert.equal(wordsWithNames(edits, `${name} (2)`), name);
  }
  // A value that replaces a redacted one may be a secret.
  const [secret] = cases.slice(4);
  assert.equal(
    defaultName(secret?.[0] ?? [], (seq) => events.get(seq), true),
    "cityTyped 1 changed",
  );
  // debugd names branches without values.
  const [, , , , changed] = cases;
  assert.equal(wordsWithNames(changed?.[0] ?? [], "cityTyped 1 changed"), "cityTyped 1 changed");
  assert.equal(wordsWithNames(changed?.[0] ?? [], "my idea"), "1 changed to Oslo");
});
