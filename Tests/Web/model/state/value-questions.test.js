import assert from "node:assert/strict";
import { ExactNumber } from "../../../../web/base/json.js";
import { parsePredicate } from "../../../../web/model/predicate/parser.js";
import { goToSameValue, questionsAbout } from "../../../../web/model/state/value-questions.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

/** @param {string} pointer @param {Json | undefined} value */
const filters = (pointer, value) =>
  questionsAbout(pointer, value).flatMap((one) => "filter" in one ? [one.filter] : []);

Deno.test("asks about numbers, texts, and other values in readable predicates", () => {
  assert.deepEqual(filters("/state/totalCents", -100), [
    "changed(state.totalCents)",
    "state.totalCents == -100 && before.state.totalCents != -100",
    "state.totalCents < 0 && !(before.state.totalCents < 0)",
    "state.totalCents < -100 && !(before.state.totalCents < -100)",
    "state.totalCents > -100 && !(before.state.totalCents > -100)",
  ]);
  assert.deepEqual(
    filters("/state/a~1b/0/é", 'say "x"')[1],
    [
      'state["a/b"][0].é == "say \\"x\\""',
      'before.state["a/b"][0].é != "say \\"x\\""',
    ].join(" && "),
  );
  assert.deepEqual(filters("/outputs/list", [1]), ["changed(outputs.list)"]);
  assert.deepEqual(filters("/state/gone", undefined), ["changed(state.gone)"]);
  assert.equal(filters("/state/n", 0).length, new Set(filters("/state/n", 0)).size);
  assert.equal(questionsAbout("/state/x", null)[2]?.title, "When did it become nil?");
  assert.ok(filters("/state/x", "long ".repeat(1_000)).length === 1);
  const big = new ExactNumber("9007199254740993");
  for (const value of [1, "a", true, null, big]) {
    for (const filter of filters("/state/x", value)) parsePredicate(filter);
  }
});

Deno.test("asks about the value before a change, which the change has crossed", () => {
  const titles = (/** @type {Json} */ value, /** @type {Json} */ before) =>
    questionsAbout("/state/free", value, true, before).map(({ title }) => title)
      .filter((title) => /fall|rise/.test(title));
  // 6 may be the maximum, above which it never rose.
  assert.deepEqual(titles(6, 5), [
    "When did it fall below 0?",
    "When did it fall below 6?",
    "When did it rise above 5?",
  ]);
  assert.deepEqual(titles(2, 5).slice(1), [
    "When did it fall below 5?",
    "When did it rise above 2?",
  ]);
  assert.deepEqual(titles(5, null).slice(1), [
    "When did it fall below 5?",
    "When did it rise above 5?",
  ]);
  const [filter] = questionsAbout("/state/free", 6, true, 5)
    .flatMap((one) => "filter" in one && one.title.includes("rise") ? [one.filter] : []);
  assert.equal(filter, "state.free > 5 && !(before.state.free > 5)");
});

Deno.test("goes to the last time that a value was the same, with another one between", async () => {
  const values = [5, 1, 5, 5, 2, 5, 5];
  /** @type {number[]} */
  const visited = [];
  /** @type {string[]} */
  const said = [];
  const inspector = /** @type {any} */ ({
    data: { id: "t" },
    cursor: 6,
    goTo: (/** @type {number} */ seq) => visited.push(seq),
    notify: (/** @type {string} */ _, /** @type {string} */ text) => said.push(text),
    source: {
      ask: (/** @type {any} */ { predicate, from }) => {
        const holds = (/** @type {number | undefined} */ value) =>
          predicate.includes("==") === (value === 5);
        const seqs = [...values.keys()].filter((seq) => seq <= from && holds(values[seq]));
        return Promise.resolve({ seqs: seqs.slice(-1) });
      },
    },
  });
  await goToSameValue(inspector, "/state/n", 5);
  assert.deepEqual(visited, [3]);
  inspector.cursor = 0;
  await goToSameValue(inspector, "/state/n", 5);
  assert.deepEqual(said, ["It did not have this value before."]);
});
