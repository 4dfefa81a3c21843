import assert from "node:assert/strict";
import { Settings } from "../../web/elements/settings.js";

/** A browser's storage. */
function storage() {
  /** @type {Map<string, string>} */
  const held = new Map();
  return {
    getItem: (/** @type {string} */ name) => held.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) =>
      void held.set(name, value),
  };
}

Deno.test("a setting of one tab keeps the newer one of another tab", () => {
  const shared = storage();
  const [one, other] = [new Settings(shared), new Settings(shared)];
  one.set({ theme: "dark" });
  other.set({ showsDelta: false });
  // What is shown in a tab changes by what is chosen there.
  assert.deepEqual([other.values.theme, other.values.showsDelta], ["system", false]);
  const { theme, showsDelta } = new Settings(shared).values;
  assert.deepEqual([theme, showsDelta], ["dark", false]);
  one.set({ theme: "light" });
  assert.equal(new Settings(shared).values.theme, "light");
});

Deno.test("remembers which hints were dismissed, and nothing else that is stored as one", () => {
  const shared = storage();
  assert.deepEqual(new Settings(shared).values.dismissedHints, []);
  new Settings(shared).set({ dismissedHints: ["step"] });
  assert.deepEqual(new Settings(shared).values.dismissedHints, ["step"]);
  shared.setItem("inspector.settings", JSON.stringify({ dismissedHints: ["set", 5, null] }));
  assert.deepEqual(new Settings(shared).values.dismissedHints, ["set"]);
});

Deno.test("keeps choices until the page is left where nothing can be stored", () => {
  const full = { ...storage(), setItem: () => assert.fail("full") };
  const settings = new Settings(full);
  settings.set({ theme: "dark" });
  assert.equal(settings.values.theme, "dark");
});
