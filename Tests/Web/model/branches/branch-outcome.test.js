import assert from "node:assert/strict";
import { RequestError } from "../../../../web/wire/requests.js";
import { BranchOutcome, outcomeText } from "../../../../web/model/branches/branch-outcome.js";

const BEFORE = { state: { totalCents: -2802, items: ["a"], name: "x" }, outputs: { total: -2802 } };

Deno.test("says how the last states differ, and how many states do", () => {
  assert.equal(outcomeText("a 1 → 2", 117), "At the end: a 1 → 2. 117 states differ.");
  assert.equal(outcomeText("a 1 → 2", 1), "At the end: a 1 → 2. 1 state differs.");
  assert.equal(outcomeText("", 3), "Ends in the same state. 3 states differ.");
  assert.equal(outcomeText("", 0), "Ends in the same state; no state differs.");
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
  /** @type {() => void} */
  let tell = () => {};
  const outcome = new BranchOutcome(() => tell());
  const loaded = new Promise((resolve) => tell = () => resolve(undefined));
  return { asked, source, outcome, loaded };
}

const parent = /** @type {any} */ ({ header: { timeline: "p" }, last: 50 });
const branch = /** @type {any} */ ({
  header: { timeline: "b", parent: { timeline: "p", start: 10 } },
  last: 49,
});

Deno.test("requests the outcome once, when the branch is complete", async () => {
  const { asked, source, outcome, loaded } = opened(({ type }) =>
    type === "diff"
      ? { patch: [{ op: "replace", path: "/state/totalCents", value: 0 }] }
      : type === "state"
      ? { value: BEFORE }
      : { differing: 4 }
  );
  outcome.update(source, { ...branch, computing: 0.5 }, parent);
  assert.equal(asked.length, 0);
  for (let round = 0; round < 3; round++) outcome.update(source, branch, parent);
  await loaded;
  assert.equal(outcome.text, "At the end: totalCents -2802 → 0. 4 states differ.");
  outcome.update(source, branch, parent);
  assert.deepEqual(asked.map(({ type }) => type), ["diff", "state", "compare"]);
  assert.deepEqual(asked[0], {
    type: "diff",
    a: { timeline: "p", seq: 50 },
    b: { timeline: "b", seq: 49 },
  });
  outcome.update(source, branch, undefined);
  assert.equal(outcome.text, "");
});

Deno.test("compares with where the branch ends, although its parent has gone on", async () => {
  const { asked, source, outcome, loaded } = opened(({ type }) =>
    type === "diff" ? { patch: [] } : type === "state" ? { value: BEFORE } : { differing: 0 }
  );
  const { header } = branch;
  const made = { ...branch, header: { ...header, parent: { ...header.parent, through: 50 } } };
  outcome.update(source, made, { ...parent, last: 80, live: true });
  await loaded;
  assert.equal(asked[0].a.seq, 50);
  // It does not change with the parent.
  outcome.update(source, made, { ...parent, last: 81, live: true });
  assert.equal(asked.length, 3);
});

Deno.test("does not compare a long branch, and stays empty where a state is not known", async () => {
  const long = opened(({ type }) => type === "diff" ? { patch: [] } : { value: BEFORE });
  long.outcome.update(long.source, { ...branch, last: 100_000 }, parent);
  await long.loaded;
  assert.deepEqual(long.asked.map(({ type }) => type), ["diff", "state"]);
  const thinned = opened(() => {
    throw new RequestError("thinned", "No.");
  });
  thinned.outcome.update(thinned.source, branch, parent);
  await Promise.resolve();
  assert.equal(thinned.outcome.text, "");
});

Deno.test("the ends are compared where whole timelines cannot be, as in a file", async () => {
  const { source, outcome, loaded } = opened(({ type }) => {
    if (type === "compare") throw new RequestError("no-host", "A file compares no timelines.");
    return type === "diff"
      ? { patch: [{ op: "replace", path: "/state/totalCents", value: 0 }] }
      : { value: BEFORE };
  });
  outcome.update(source, branch, parent);
  await loaded;
  assert.equal(outcome.text, "At the end: totalCents -2802 → 0.");
});
