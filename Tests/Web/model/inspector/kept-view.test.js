/** The filter when the reader goes from a timeline to a branch of it, and back. */

import assert from "node:assert/strict";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";

const [MAIN = "", FEW = "", EDITED = "", OTHER = ""] = ["a", "b", "c", "d"].map(idOf);
const parent = { timeline: MAIN, start: 0, through: 9, edits: [] };

async function open() {
  const { source } = await openDaemon([
    { id: MAIN },
    { id: FEW, header: { parent: { ...parent, failure: "state.n > 3" } } },
    { id: EDITED, header: { parent } },
    { id: OTHER, header: { machine: { type: "Other", name: "other" } } },
  ]);
  const { inspector } = await inspect(source, { timeline: MAIN, seq: 5 });
  inspector.setFilter("state.n > 3");
  inspector.setPin("/state/n");
  return {
    inspector,
    show: async (/** @type {string} */ id) => {
      inspector.open(id);
      await settle();
      return [inspector.location.filter, inspector.data?.filter, inspector.location.pin];
    },
  };
}

Deno.test("a branch that was minimized opens without the filter, which its parent keeps", async () => {
  const { inspector, show } = await open();
  assert.deepEqual(await show(FEW), ["", "", "/state/n"]);
  assert.equal(inspector.data?.rows.count, 20);
  assert.deepEqual(await show(MAIN), ["state.n > 3", "state.n > 3", "/state/n"]);
  assert.deepEqual(await show(EDITED), ["state.n > 3", "state.n > 3", "/state/n"]);
});

Deno.test("a filter that the reader sets in a minimized branch replaces the one before", async () => {
  const { inspector, show } = await open();
  await show(FEW);
  inspector.setFilter("error != null");
  assert.deepEqual((await show(MAIN))[0], "error != null");
});

Deno.test("another machine has no filter of the one before, nor does the way back to it", async () => {
  const { show } = await open();
  await show(FEW);
  assert.deepEqual(await show(OTHER), ["", "", undefined]);
  assert.deepEqual((await show(MAIN))[0], "");
});

Deno.test("a filter that the reader clears after Back does not come back in another branch", async () => {
  const { inspector, show } = await open();
  const before = inspector.location;
  await show(FEW);
  inspector.visit(before);
  await settle();
  assert.equal(inspector.location.filter, "state.n > 3");
  inspector.setFilter("");
  assert.deepEqual(await show(EDITED), ["", "", "/state/n"]);
});
