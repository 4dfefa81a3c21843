import assert from "node:assert/strict";
import { RequestError } from "../../../../web/wire/requests.js";
import { LeftEffects, leftWords } from "../../../../web/model/branches/left-effects.js";
import { settle } from "../../daemons.js";

/** @param {number} seq @param {number} cause */
const caused = (seq, cause) => /** @type {any} */ ({ seq, cause, t: 0, event: "response" });
/** @param {number} first @param {number} last */
const drop = (first, last = first) => /** @type {const} */ ({ is: "drop", first, last });

Deno.test("names an entry that stays although its cause is skipped", () => {
  assert.equal(
    leftWords([drop(7)], [caused(8, 6), caused(9, 7)]),
    "Entry 9, which 7 caused, stays. To skip it, too, choose Undo and press Shift+X.",
  );
  assert.equal(
    leftWords([drop(4, 5)], [caused(6, 4), caused(8, 5), caused(1_009, 4)]),
    "Entry 6, which 4 caused, and 2 more stay. To skip them, too, choose Undo and press Shift+X.",
  );
});

Deno.test("is silent where everything that was caused is skipped, too", () => {
  assert.equal(leftWords([drop(7), drop(9)], [caused(9, 7)]), "");
  assert.equal(leftWords([drop(7)], [caused(9, 8)]), "");
});

/** @param {any} edits @param {any} [rest] */
const branch = (edits, rest = {}) => /** @type {any} */ ({
  header: { timeline: "b", parent: { timeline: "p", start: 6, through: 20, edits, ...rest } },
});

/** @param {(request: any) => any} answer */
function opened(answer) {
  /** @type {any[]} */
  const asked = [];
  const source = /** @type {any} */ ({
    ask: (/** @type {any} */ request) => {
      asked.push(request);
      return Promise.resolve(request).then(answer);
    },
  });
  let changes = 0;
  const effects = new LeftEffects(() => changes += 1);
  return { asked, source, effects, changes: () => changes };
}

Deno.test("looks in the parent, up to the end of the branch, and once", async () => {
  const { asked, source, effects, changes } = opened(() => ({
    entries: [caused(9, 7), caused(30, 7)],
  }));
  effects.update(source, branch([{ drop: 7 }]));
  effects.update(source, branch([{ drop: 7 }]));
  await settle();
  assert.equal(changes(), 1);
  assert.match(effects.text, /^Entry 9, which 7 caused, stays\./);
  assert.deepEqual(asked, [
    { type: "entries", timeline: "p", from: 8, count: 1_000, filter: "cause >= 7" },
  ]);
  effects.update(source, undefined);
  assert.equal(effects.text, "");
});

Deno.test("asks nothing without skipped entries, and lives without an answer", async () => {
  const { asked, source, effects, changes } = opened(() => {
    throw new RequestError("not-found", "The timeline is deleted.");
  });
  effects.update(source, branch([{ cut: 7 }]));
  assert.deepEqual(asked, []);
  effects.update(source, branch([{ drop: 7 }]));
  await settle();
  assert.equal(asked.length, 1);
  assert.equal(changes(), 0);
});
