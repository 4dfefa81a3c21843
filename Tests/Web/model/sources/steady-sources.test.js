/** The order of apps and machines while they run. */

import assert from "node:assert/strict";
import { listSources } from "../../../../web/model/sources/source-list.js";
import { SteadySources } from "../../../../web/model/sources/steady-sources.js";

/** @import { TimelineSummary } from "../../../../web/wire/to-inspector.js" */

/**
 * @param {string} app
 * @param {string} name
 * @param {number} minute
 */
function machine(app, name, minute, live = true) {
  return /** @type {TimelineSummary} */ (/** @type {unknown} */ ({
    header: {
      timeline: `${app} ${name}`,
      app: { name: app, run: app },
      machine: { name, type: name, kind: "states" },
      started: `2026-05-01T08:0${minute}:00Z`,
    },
    entries: 1,
    live,
  }));
}

/** @param {Iterable<TimelineSummary>} summaries */
const namesOf = (summaries) =>
  listSources(summaries, { describe: () => "" }).map(({ name }) => name);

Deno.test("apps that run keep their order when they make machines", () => {
  const before = [machine("Shop", "cart", 1), machine("Mail", "inbox", 2)];
  assert.deepEqual(namesOf(before), ["Mail", "inbox", "Shop", "cart"]);
  assert.deepEqual(
    namesOf([...before, machine("Shop", "order", 3)]),
    ["Mail", "inbox", "Shop", "cart", "order"],
  );
});

Deno.test("a held list is what it was, until it is released or of another source", () => {
  const steady = new SteadySources();
  const shop = { summaries: [machine("Shop", "cart", 1)], shown: "Shop cart" };
  const both = { summaries: [...shop.summaries, machine("Mail", "inbox", 2)], shown: "Mail inbox" };
  // Nothing was listed yet that could be held.
  assert.equal(steady.of(shop, true), shop);
  assert.equal(steady.of(both, true), shop);
  assert.equal(steady.of(both, false), both);
  assert.equal(steady.of(shop, true), both);
  steady.forget();
  assert.equal(steady.of(shop, true), shop);
});
