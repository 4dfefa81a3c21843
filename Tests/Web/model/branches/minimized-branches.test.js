/** Whether a branch is the result of a minimization that is asked for again. */

import assert from "node:assert/strict";
import { minimizedBefore } from "../../../../web/model/branches/minimized-branches.js";
import { isSamePredicate } from "../../../../web/model/predicate/same-predicate.js";

const SEARCH = { timeline: "main", failure: "state.n<0", through: 29, laterStart: false };

/**
 * The id of the branch that is found among one.
 *
 * @param {object} parent
 * @param {object} [search]
 */
function found(parent, search) {
  const branch = {
    header: {
      timeline: "branch",
      parent: { timeline: "main", through: 40, start: 0, failure: "state.n < 0", ...parent },
    },
  };
  const known = minimizedBefore(
    { ...SEARCH, ...search },
    [/** @type {any} */ (branch)],
    isSamePredicate,
  );
  return known?.header.timeline;
}

const EDITS = [{ cut: 29 }, { drop: [2, 9] }];

Deno.test("the same condition of the same timeline is found, however it is written", () => {
  assert.equal(found({ edits: EDITS }), "branch");
  assert.equal(found({ edits: EDITS }, { through: undefined }), "branch");
  assert.equal(found({ edits: EDITS }, { failure: "state.n < 1" }), undefined);
  assert.equal(found({ edits: EDITS }, { timeline: "other" }), undefined);
  assert.equal(found({ edits: EDITS, failure: undefined }), undefined);
});

Deno.test("a failure after the searched entries is another search", () => {
  assert.equal(found({ edits: EDITS }, { through: 28 }), undefined);
  assert.equal(found({ edits: [{ drop: 3 }] }), undefined);
});

Deno.test("a branch with simpler payloads is not one that keeps them", () => {
  const simpler = [...EDITS, { replace: 10, event: { added: {} } }];
  assert.equal(found({ edits: simpler }), "branch");
  assert.equal(found({ edits: simpler }, { keepPayloads: true }), undefined);
  assert.equal(found({ edits: EDITS }, { keepPayloads: true }), "branch");
});

Deno.test("a later start and events of explorations are another search", () => {
  const later = [...EDITS, { start: { seq: 4 } }];
  assert.equal(found({ edits: later }), undefined);
  assert.equal(found({ edits: later }, { laterStart: true }), "branch");
  assert.equal(found({ edits: [{ append: { added: {} } }] }, { through: undefined }), undefined);
});

Deno.test("a condition that this page cannot parse is compared as text", () => {
  assert.equal(
    found({ edits: EDITS, failure: "a newer one" }, { failure: "a newer one" }),
    "branch",
  );
});
