import assert from "node:assert/strict";
import { hasFirstSight } from "../../../../web/model/inspector/first-sight.js";
import { Inspector } from "../../../../web/model/inspector/inspector.js";
import { holding, idOf, openDaemon, settle } from "../../daemons.js";

/** @param {number} count */
async function attach(count, held = "") {
  const { source, of } = await openDaemon([{ id: idOf("a"), count }]);
  const inspector = new Inspector();
  const kept = held === "" ? undefined : holding(source, held);
  kept?.hold();
  /** @type {boolean[]} */
  const seen = [];
  inspector.changed.listen(() => seen.push(hasFirstSight(inspector)));
  inspector.setConnection(/** @type {any} */ ({ is: "open" }));
  void inspector.attach(kept?.source ?? source);
  await settle();
  return { inspector, seen, of };
}

Deno.test("appears with the row, the moment, and the counts", async () => {
  const { inspector, seen, of } = await attach(300);
  assert.equal(seen[0], false);
  assert.equal(seen.at(-1), true);
  assert.equal(inspector.moment.shown?.seq, inspector.cursor);
  assert.equal(of("overview").length, 1);
});

Deno.test("waits for each of them", async () => {
  for (const type of ["timelines", "entries", "state", "overview"]) {
    const { inspector } = await attach(300, type);
    assert.equal(hasFirstSight(inspector), false, type);
  }
});

Deno.test("is what the page shows instead, when no daemon answers", () => {
  const inspector = new Inspector();
  for (const is of ["connecting", "greeting", "open"]) {
    inspector.setConnection(/** @type {any} */ ({ is }));
    assert.equal(hasFirstSight(inspector), false, is);
  }
  for (const is of ["idle", "waiting", "refused"]) {
    inspector.setConnection(/** @type {any} */ ({ is }));
    assert.equal(hasFirstSight(inspector), true, is);
  }
});
