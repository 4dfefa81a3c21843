import assert from "node:assert/strict";
import {
  compareNumbers,
  equalJson,
  ExactNumber,
  JsonError,
  kindOf,
  member,
  numberText,
  parseJson,
  setMember,
  writeJson,
} from "../../../web/base/json.js";
/** @import { JsonObject } from "../../../web/base/json-types.d.ts" */
import { compareDecimals, readDecimal, spellDecimal } from "../../../web/base/decimal.js";

Deno.test("keeps integers beyond 2^53 exact, from text to text", () => {
  const text = '{"a":9007199254740993,"b":[18446744073709551615,-9223372036854775808],"c":0.5}';
  const value = parseJson(text);
  assert.equal(writeJson(value), text);
  assert.ok(member(value, "a") instanceof ExactNumber);
  assert.equal(member(value, "c"), 0.5);
});

Deno.test("uses a double if it represents the number exactly", () => {
  for (const text of ["9007199254740992", "1e21", "0.30000000000000004", "5e-324", "1e+300"]) {
    assert.equal(parseJson(text), Number(text), text);
  }
  for (const text of ["1e400", "0.1234567890123456789012", "123456789.123456789123"]) {
    assert.ok(parseJson(text) instanceof ExactNumber, text);
  }
});

Deno.test("reads strings that only look like numbers as they are", () => {
  const text = '{"id":"12345678901234567890","esc\\"\\\\":"a\\u00e9\\n","n":12345678901234567890}';
  const value = parseJson(text);
  assert.equal(member(value, "id"), "12345678901234567890");
  assert.equal(member(value, 'esc"\\'), "aé\n");
  assert.equal(String(member(value, "n")), "12345678901234567890");
});

Deno.test("treats __proto__ and constructor as ordinary names", () => {
  const value = parseJson('{"__proto__":{"x":12345678901234567890},"constructor":1}');
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(writeJson(member(value, "__proto__") ?? null), '{"x":12345678901234567890}');
  assert.equal(member({}, "constructor"), undefined);
  /** @type {JsonObject} */
  const object = {};
  setMember(object, "__proto__", 1);
  assert.deepEqual(Object.keys(object), ["__proto__"]);
});

Deno.test("refuses what is not JSON", () => {
  const large = "12345678901234567890";
  const texts = ["", "{", "[1,]", '{"a"}', "01", "1.", '"\u0001"', "nul", "[1 2]", "'a'"];
  for (const text of [...texts, `[${large},]`, `{"a":${large}`, `[0${large}]`, `{a:${large}}`]) {
    assert.throws(() => parseJson(text), JsonError, text);
  }
  assert.throws(() => parseJson("[".repeat(2_000) + large), JsonError);
});

Deno.test("writes over lines when asked to", () => {
  assert.equal(
    writeJson({ a: [1, {}], b: [] }, 2),
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}',
  );
});

Deno.test("distinguishes zero from minus zero, but not objects by their order", () => {
  assert.ok(!equalJson(0, -0));
  assert.ok(equalJson({ a: 1, b: [2] }, { b: [2], a: 1 }));
  assert.ok(!equalJson([1, 2], [2, 1]));
  assert.ok(!equalJson({ a: null }, {}));
  assert.ok(equalJson(new ExactNumber("9007199254740993"), new ExactNumber("9007199254740993")));
  assert.equal(numberText(-0), "-0");
  assert.equal(kindOf(undefined), "null");
});

Deno.test("compares numbers by their exact value", () => {
  const ascending = [
    "-1e400",
    "-18446744073709551616",
    "-2",
    "0",
    "1e-400",
    "0.1",
    "9007199254740992",
    "9007199254740993",
    "1e400",
  ];
  const numbers = ascending.map((text) => /** @type {number} */ (parseJson(text)));
  numbers.forEach((left, index) =>
    numbers.forEach((right, other) =>
      assert.equal(Math.sign(compareNumbers(left, right)), Math.sign(index - other))
    )
  );
});

Deno.test("spells decimals as ECMAScript spells doubles", () => {
  for (
    const double of [1, 0.1, 1e21, 1e-6, 1e-7, 123456.789, 1.5e300, 5e-324, 100, 1e20, 2 ** 53]
  ) {
    const decimal = readDecimal(String(double));
    assert.ok(decimal);
    assert.equal(spellDecimal(decimal), String(double));
    assert.equal(compareDecimals(decimal, decimal), 0);
  }
  assert.equal(readDecimal("1e9999999999"), undefined);
});
