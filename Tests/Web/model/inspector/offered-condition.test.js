/** The condition that the window for the fewest events is opened with. */

import assert from "node:assert/strict";
import { offeredCondition } from "../../../../web/model/inspector/offered-condition.js";
import { idOf, inspect, openDaemon } from "../../daemons.js";

const [MAIN = "", OTHER = ""] = ["a", "b"].map(idOf);

async function open() {
  const { source } = await openDaemon([{ id: MAIN }, {
    id: OTHER,
    header: { machine: { type: "Other", name: "other" } },
  }]);
  const { inspector } = await inspect(source, { timeline: MAIN, seq: 5 });
  return inspector;
}

Deno.test("offers the filter in force, also after another one was offered", async () => {
  const inspector = await open();
  assert.equal(offeredCondition(inspector, { typed: "", timeline: "", filter: "" }), "");
  inspector.setFilter("state.n > 3");
  const first = { typed: "", timeline: "", filter: "" };
  assert.equal(offeredCondition(inspector, first), "state.n > 3");
  inspector.setFilter("state.n > 4");
  const before = { typed: "state.n > 3", timeline: MAIN, filter: "state.n > 3" };
  assert.equal(offeredCondition(inspector, before), "state.n > 4");
});

Deno.test("keeps what was typed while the filter is the same, and when it is cleared", async () => {
  const inspector = await open();
  inspector.setFilter("state.n > 3");
  const typed = { typed: "error != null", timeline: MAIN, filter: "state.n > 3" };
  assert.equal(offeredCondition(inspector, typed), "error != null");
  inspector.setFilter("");
  assert.equal(offeredCondition(inspector, typed), "error != null");
});

Deno.test("offers nothing that was typed for another machine", async () => {
  const inspector = await open();
  inspector.open(OTHER);
  const typed = { typed: "state.n > 3", timeline: MAIN, filter: "state.n > 3" };
  assert.equal(offeredCondition(inspector, typed), "");
});
