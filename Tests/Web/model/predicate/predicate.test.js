import assert from "node:assert/strict";
import { member, parseJson } from "../../../../web/base/json.js";
import { evaluate } from "../../../../web/model/predicate/evaluate.js";
import { needsValues } from "../../../../web/model/predicate/paths.js";
import { PredicateError } from "../../../../web/model/predicate/lexer.js";
import { parsePredicate } from "../../../../web/model/predicate/parser.js";
import { Pattern } from "../../../../web/model/predicate/pattern.js";
import { printPredicate } from "../../../../web/model/predicate/printer.js";
import { distance } from "../../../../web/model/predicate/spelling.js";
import { readExample } from "../../fixtures.js";

/** @import { Json, JsonObject } from "../../../../web/base/json-types.d.ts" */
/** @import { SideValues, Subject } from "../../../../web/model/predicate/evaluate.js" */

const table = /** @type {JsonObject} */ (parseJson(await readExample("predicates.json")));
const moments = /** @type {JsonObject} */ (table.moments);
const rows = /** @type {JsonObject[]} */ (table.rows);

/** @param {Json | undefined} json @returns {SideValues | undefined} */
function side(json) {
  if (json === undefined || json === "unknown" || json === "none") return json;
  return { state: member(json, "state") ?? json, outputs: member(json, "outputs") ?? {} };
}

/** @param {string} name @returns {Subject} */
function subject(name) {
  const moment = moments[name];
  const before = side(member(moment, "before"));
  const after = side(member(moment, "after"));
  return {
    entry: /** @type {JsonObject} */ (member(moment, "entry")),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    hiddenBefore: /** @type {string[]} */ (member(moment, "hiddenBefore") ?? []),
  };
}

Deno.test("answers every row of the shared table", () => {
  let count = 0;
  for (const row of rows) {
    if (row.answer === undefined) continue;
    const answer = evaluate(parsePredicate(String(row.predicate)), subject(String(row.moment)));
    assert.equal(answer, row.answer, `${row.predicate} at ${row.moment}`);
    count++;
  }
  assert.ok(count >= 400);
});

Deno.test("compares long lists in about as many steps as they have elements", () => {
  // Proxies count what is read. One by one, this would be ten million reads.
  let reads = 0;
  const list = (/** @type {number} */ first) =>
    new Proxy(Array.from({ length: 4_000 }, (_, index) => first + index), {
      get(target, key, receiver) {
        reads++;
        return Reflect.get(target, key, receiver);
      },
    });
  const moment = { entry: {}, after: { state: { whole: list(0), part: list(0) }, outputs: {} } };
  assert.equal(evaluate(parsePredicate("state.whole includes state.part"), moment), true);
  assert.ok(reads < 100_000, `${reads} reads`);
});

Deno.test("reports the column of every mistake, with the same messages", () => {
  let count = 0;
  for (const row of rows) {
    if (row.error === undefined) continue;
    assert.throws(() => parsePredicate(String(row.predicate)), (error) => {
      assert.ok(error instanceof PredicateError, String(row.predicate));
      assert.deepEqual(
        { column: error.column, message: error.message },
        { .../** @type {object} */ (row.error) },
        String(row.predicate),
      );
      return true;
    });
    count++;
  }
  assert.ok(count >= 70);
});

Deno.test("prints one text for all spellings, and reads it back", () => {
  for (const row of rows) {
    if (row.error !== undefined) continue;
    const printed = printPredicate(parsePredicate(String(row.predicate)));
    if (row.canonical !== undefined) assert.equal(printed, row.canonical);
    assert.equal(printPredicate(parsePredicate(printed)), printed);
  }
});

Deno.test("bounds texts and their depth", () => {
  const deep = (/** @type {number} */ depth) => "(".repeat(depth) + "state" + ")".repeat(depth);
  parsePredicate(deep(64));
  assert.throws(() => parsePredicate(deep(65)), /more than 64/);
  assert.throws(() => parsePredicate(`name == "${"ü".repeat(2_050)}"`), /4096 bytes/);
});

Deno.test("needs states only where a predicate speaks of them", () => {
  assert.ok(!needsValues(parsePredicate('event == "x" && !(t > 3) || gap')));
  for (
    const text of [
      "state.a",
      "!(outputs.a == 1)",
      "a",
      "changed(state)",
      'before.state.a contains "x"',
    ]
  ) {
    if (text !== "a") assert.ok(needsValues(parsePredicate(text)), text);
  }
});

Deno.test("does not know the parts that were cut", () => {
  const cut = { entry: { seq: 3, t: 0, event: { load: { list: { $cut: 4096 }, n: 1 } } } };
  assert.equal(evaluate(parsePredicate("event.load.list.count > 3"), cut), "unknown");
  assert.equal(evaluate(parsePredicate("event.load.n == 1"), cut), true);
  assert.equal(evaluate(parsePredicate("event.load == event.load"), cut), "unknown");
});

Deno.test("matches in time linear to the text, whatever the pattern", () => {
  for (const source of ["(a*)*b", "(a|a)*b", "(?:a?){30}a{30}b", "(x+x+)+y"]) {
    const pattern = new Pattern(source);
    for (const length of [100, 1_000]) {
      assert.equal(pattern.matches("a".repeat(length)), false);
      assert.ok(pattern.steps <= pattern.size * (length + 1), source);
    }
  }
});

Deno.test("agrees with JavaScript's own expressions where both have the same", () => {
  const sources = [
    "a|b*c",
    "^a+$",
    "x?y{2,3}",
    "[^a-c]d",
    "\\bfoo\\B.",
    "(?:ab)*c|",
    "\\d\\D\\w\\W\\s\\S",
    "a.c$",
    "[a\\]-]+",
    "(a|bc){2}d",
  ];
  const texts = [
    "",
    "a",
    "bbbc",
    "xyy",
    "yyyy",
    "zd",
    "foo bar foox",
    "ababc",
    "1a_! x",
    "a\nc",
    "a]c-",
    "abcd",
    "bcbcd",
    "aad",
  ];
  for (const source of sources) {
    for (const text of texts) {
      assert.equal(
        new Pattern(source).matches(text),
        new RegExp(source, "u").test(text),
        `${source} on ${text}`,
      );
    }
  }
});

Deno.test("counts typos", () => {
  assert.deepEqual(
    [["stat", "state"], ["evnet", "event"], ["", "ab"], ["kitten", "sitting"]].map((
      [a = "", b = ""],
    ) => distance(a, b)),
    [1, 1, 2, 3],
  );
});
