/** What a filter stands for, and what is said of one that is wrong. */

import assert from "node:assert/strict";
import { explain, predicateOf } from "../../../web/model/plain-filter.js";
import { parsePredicate } from "../../../web/model/predicate/parser.js";

/** @param {string} filter */
function messageOf(filter) {
  try {
    parsePredicate(filter);
  } catch (error) {
    const moment = { state: { totalCents: 3, "total price": 1 }, outputs: { total: 3 } };
    return explain(/** @type {Error} */ (error).message, filter, moment);
  }
  return undefined;
}

Deno.test("takes a plain word for a text, and everything else for a predicate", () => {
  assert.equal(predicateOf(" removed "), "name matches /removed/i");
  for (const text of ["error", "total < 0", "a b", "(", "", 'event == "removed"']) {
    assert.equal(predicateOf(text), text);
  }
});

Deno.test("suggests the values that there are, as what they are", () => {
  assert.equal(
    messageOf("total < 0"),
    "no value is called 'total'; did you mean 'outputs.total < 0' or 'state.totalCents < 0'?",
  );
  assert.equal(
    messageOf("seq > 3 && total < 0"),
    "no value is called 'total'; did you mean 'outputs.total' or 'state.totalCents'?",
  );
  assert.equal(messageOf("stat.n > 3"), "no value is called 'stat'; did you mean 'state'?");
  assert.match(messageOf("price < 0") ?? "", /did you mean 'state.price'/);
});
