/** Answers that do not belong to their requests. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { answerProblem } from "../../../web/wire/answers.js";
import { fromInspector } from "../../../web/wire/from-inspector.js";
import { toInspector } from "../../../web/wire/to-inspector.js";

const timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";

/** @param {any} request @param {any} answer */
const problem = (request, answer) => answerProblem({ timeline, ...request }, answer);

Deno.test("an answer of another type is refused", () => {
  assert.equal(problem({ type: "state", seq: 1 }, { type: "state", value: 1 }), undefined);
  assert.equal(
    problem({ type: "timelines" }, { type: "done" }),
    "'done' does not answer 'timelines'",
  );
  assert.equal(problem({ type: "mark", seq: 1 }, { type: "done" }), undefined);
  assert.equal(problem({ type: "part" }, { type: "import" }), undefined);
  assert.equal(problem({ type: "mark" }, { type: "mark" }), "'mark' does not answer 'mark'");
});

Deno.test("a place to go on that does not lead on is refused: it would be asked for repeatedly", () => {
  /** @type {[string | undefined, number, boolean][]} the direction, the place, and whether it is right */
  const cases = [
    [undefined, 21, true],
    ["forward", 20, false],
    ["forward", 3, false],
    ["backward", 19, true],
    ["backward", 20, false],
    ["backward", 40, false],
  ];
  for (const type of ["entries", "find"]) {
    for (const [direction, next, isRight] of cases) {
      const found = problem({ type, from: 20, ...(direction ? { direction } : {}) }, {
        type,
        next,
      });
      assert.equal(found === undefined, isRight, `${type} ${direction} ${next}`);
    }
    assert.equal(problem({ type, from: 20 }, { type }), undefined);
  }
});

Deno.test("there is a column and a series for each path", () => {
  const paths = ["/state/a", "/state/b"];
  assert.equal(
    problem({ type: "column", paths }, { type: "column", columns: [[], []] }),
    undefined,
  );
  assert.ok(problem({ type: "column", paths }, { type: "column", columns: [[]] }));
  assert.equal(problem({ type: "series", paths }, { type: "series", paths: [{}, {}] }), undefined);
  assert.ok(problem({ type: "series", paths }, { type: "series", paths: [] }));
});

Deno.test("each example of an answer in the protocol answers the example of its request", () => {
  const folder = new URL("../../../docs/protocol/messages/", import.meta.url);
  const example = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  const both = names.filter((name) => name.startsWith("from-inspector."))
    .map((name) => name.slice("from-inspector.".length))
    .filter((name) => names.includes(`to-inspector.${name}`) && !name.startsWith("error."));
  assert.ok(both.length > 10, `${both.length}`);
  for (const name of both) {
    const { message } = fromInspector(example(`from-inspector.${name}`));
    const answer = toInspector(example(`to-inspector.${name}`));
    assert.ok(answer);
    assert.equal(answerProblem(message, answer), undefined, name);
  }
});
