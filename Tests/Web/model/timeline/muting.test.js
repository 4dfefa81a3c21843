import assert from "node:assert/strict";
import { parsePredicate } from "../../../../web/model/predicate/parser.js";
import { filterWithout } from "../../../../web/model/timeline/muting.js";

Deno.test("adds a name to what a filter hides, and keeps the filter's meaning", () => {
  const cases = [
    ["", "tick", 'name != "tick"'],
    ["state.n > 3", "tick", 'state.n > 3 && name != "tick"'],
    ["a || state.n > 3", "tick", undefined],
    ["error != null || gap != null", "tick", '(error != null || gap != null) && name != "tick"'],
    ['name != "tick"', "tock", 'name != "tick" && name != "tock"'],
    ['state.n > 3 && name != "tick"', "tick", 'state.n > 3 && name != "tick"'],
    ["state.n >", "tick", undefined],
    ["", 'a"b\\c\u2028', 'name != "a\\"b\\\\c\u2028"'],
  ];
  for (const [filter = "", name = "", wanted] of cases) {
    const muted = filterWithout(filter, name);
    assert.equal(muted, wanted, filter);
    if (muted !== undefined) parsePredicate(muted);
  }
});
