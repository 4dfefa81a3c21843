import assert from "node:assert/strict";
import { hasDelicateNumber } from "../../../web/base/delicate-numbers.js";

Deno.test("finds numbers that a double may not hold", () => {
  for (
    const text of [
      "9007199254740993",
      "[1,12345678.90123456]",
      '{"a":1e400}',
      '{"a":5E-324}',
      '"\\\\",1234567890123456',
    ]
  ) assert.ok(hasDelicateNumber(text), text);
});

Deno.test("accepts other texts if the browser reads them exactly", () => {
  for (
    const text of [
      "[123456789012345,6789]",
      '{"t":174608640000000,"x":1}',
      '{"a":1e22,"b":1.5e-7}',
      '"9007199254740993"',
      '"a \\" 9007199254740993"',
      '{"id":"7d42e486-1e12-4f86"}',
      '"never ended 9007199254740993',
    ]
  ) assert.ok(!hasDelicateNumber(text), text);
});
