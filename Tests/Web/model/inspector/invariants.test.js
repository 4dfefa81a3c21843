import assert from "node:assert/strict";
import { Invariants } from "../../../../web/model/inspector/invariants.js";
import { RequestError } from "../../../../web/wire/requests.js";

/** @import { Inspector } from "../../../../web/model/inspector/inspector.js" */

/**
 * An inspector of a machine whose daemon keeps invariants.
 *
 * @param {{ kind?: string, fails?: boolean }} [how]
 */
function inspecting({ kind = "daemon", fails = false } = {}) {
  /** @type {{ name: string, predicate: string }[]} */
  let kept = [];
  /** @type {Record<string, unknown>[]} */
  const asked = [];
  /** @type {unknown[]} */
  const reported = [];
  const ask = (/** @type {{ name?: string, predicate?: string }} */ request) => {
    asked.push(request);
    if (fails) return Promise.reject(new RequestError("limit", "Too many."));
    const { name, predicate } = request;
    if (name !== undefined) kept = kept.filter((one) => one.name !== name);
    if (name !== undefined && predicate !== undefined) kept.push({ name, predicate });
    return Promise.resolve({ type: "filters", filters: [...kept] });
  };
  const inspector = /** @type {Inspector} */ (/** @type {unknown} */ ({
    source: { kind, capabilities: new Set(["look"]), ask },
    summary: { header: { machine: { type: "Cart" } } },
    report: (/** @type {unknown} */ error) => reported.push(error),
  }));
  return { invariants: new Invariants(inspector), asked, reported };
}

Deno.test("invariants are kept by their text, joined as one condition, and removed", async () => {
  const { invariants, asked } = inspecting();
  await invariants.load();
  assert.equal(invariants.goal, undefined);
  await invariants.keep("state.n >= 0");
  assert.equal(invariants.goal, "state.n >= 0");
  await invariants.keep("state.a || state.b");
  assert.equal(invariants.goal, "(state.n >= 0) && (state.a || state.b)");
  await invariants.remove("state.n >= 0");
  assert.equal(invariants.goal, "state.a || state.b");
  assert.ok(asked.every((one) => one.always === true && one.machine === "Cart"));
  assert.ok(invariants.whyNotChange?.includes("debugd open"));
});

Deno.test("a refusal is reported, and a file is not asked", async () => {
  const refused = inspecting({ fails: true });
  assert.equal(await refused.invariants.keep("true"), false);
  assert.equal(refused.reported.length, 1);
  const file = inspecting({ kind: "file" });
  assert.equal(await file.invariants.load(), false);
  assert.equal(file.asked.length, 0);
});
