/** A filter with a path that is not there: what it must mean. */

import assert from "node:assert/strict";
import { nearPath } from "../../../../web/model/predicate/near-path.js";

const moment = {
  state: { total: 3, cart: { items: [{ id: 1 }], "odd key": 1 }, count: 1, countAll: 2 },
  outputs: { isOpen: true },
};

Deno.test("finds the only name that begins so, and one that is spelled almost so", () => {
  for (
    const [filter, missing, near, better] of /** @type {const} */ ([
      ["state.tot < 0", "state.tot", "state.total", "state.total < 0"],
      [
        "seq > 1 && outputs.isopen",
        "outputs.isopen",
        "outputs.isOpen",
        "seq > 1 && outputs.isOpen",
      ],
      [
        "changed(state.cart.itmes)",
        "state.cart.itmes",
        "state.cart.items",
        "changed(state.cart.items)",
      ],
      [
        'state.cart["odd kye"] == 1',
        'state.cart["odd kye"]',
        'state.cart["odd key"]',
        'state.cart["odd key"] == 1',
      ],
    ])
  ) {
    assert.deepEqual(nearPath(filter, moment), { missing, near, filter: better }, filter);
  }
});

Deno.test("replaces the path everywhere, and no longer one", () => {
  assert.equal(
    nearPath("state.tot < 0 || state.tot > 9 || before.state.tot == 3", moment)?.filter,
    "state.total < 0 || state.total > 9 || before.state.tot == 3",
  );
  assert.equal(
    nearPath("state.tot.x == 1 || state.tota == 1", moment)?.filter,
    "state.total.x == 1 || state.tota == 1",
  );
});

Deno.test("finds nothing where all is there, or where nothing is near", () => {
  for (
    const filter of [
      "state.total < 0",
      "state.unheardOf < 0",
      "state.cart.items[4].id == 1",
      "state.total.cents == 1",
      "event.added.tot == 1",
    ]
  ) assert.equal(nearPath(filter, moment), undefined, filter);
  assert.equal(nearPath("state.tot < 0", { state: 3, outputs: {} }), undefined);
});
