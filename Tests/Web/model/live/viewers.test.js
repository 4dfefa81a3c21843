import assert from "node:assert/strict";
import { countOthers, lookingAt } from "../../../../web/model/live/viewers.js";

/** @import { Session } from "../../../../web/model/live/viewers.js" */

/** @param {Partial<Session>} [session] @returns {Session} */
const session = (session) => ({
  id: "s1",
  capabilities: ["look"],
  created: "2026-05-01T08:00:00Z",
  connected: true,
  ...session,
});

Deno.test("others are those that are connected and can look", () => {
  assert.equal(countOthers([]), 0);
  assert.equal(
    countOthers([
      session({ yours: true }),
      session({}),
      session({ connected: false }),
      session({ capabilities: ["push"] }),
    ]),
    1,
  );
});

Deno.test("a few names are shown, and the rest is counted", () => {
  const names = new Map([["a", "coin"], ["b", "cart"], ["c", "shop"], ["d", "depot"]]);
  /** @param {string[]} watching */
  const said = (watching) => lookingAt(session({ watching }), (id) => names.get(id));
  assert.equal(said([]), "");
  assert.equal(said(["unknown"]), "");
  assert.equal(said(["a"]), "looks at coin");
  assert.equal(said(["a", "b", "c", "d"]), "looks at coin, cart, shop, 1 other");
  assert.equal(lookingAt(session({}), (id) => names.get(id)), "");
});

Deno.test("a recorded name cannot reorder the text around it", () => {
  const text = lookingAt(session({ watching: ["a"] }), () => "a\u202eb");
  assert.ok(!text.includes("\u202e"));
});
