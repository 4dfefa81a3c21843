/** Enter in the filter goes to the first match. */

import assert from "node:assert/strict";
import { idOf, inspect, openDaemon } from "../../daemons.js";

const ONE = idOf("1");

Deno.test("goes to the first match from anywhere, and stays where nothing matches", async () => {
  const { source } = await openDaemon([{ id: ONE, count: 900 }]);
  const { inspector, notices } = await inspect(source, { timeline: ONE, seq: 500 });
  await inspector.travel.goToFirstMatch();
  assert.equal(inspector.cursor, 500);
  inspector.setFilter("state.n > 300");
  await inspector.travel.goToFirstMatch();
  const first = inspector.cursor;
  assert.ok(first > 0 && first < 500, `${first}`);
  await inspector.travel.stepMatch(-1);
  assert.equal(inspector.cursor, first);
  assert.deepEqual(notices(), ["There are no more matches in this direction."]);
  inspector.setFilter("state.n < 0");
  await inspector.travel.goToFirstMatch();
  assert.equal(inspector.cursor, first);
  // The list says that there is no match.
  assert.equal(notices().length, 1);
});
