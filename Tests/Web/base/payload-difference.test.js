/** The fields in which two events differ. */

import assert from "node:assert/strict";
import { payloadDifference } from "../../../web/base/payload-difference.js";

/** @param {any} event @param {any} other */
const changed = (event, other) => payloadDifference(event, other)?.changed;

Deno.test("the field that differs comes first, however many are before it", () => {
  const event = { added: { id: "pear", name: "x".repeat(80), count: 4, gift: false } };
  const other = { added: { ...event.added, count: 9 } };
  assert.equal(changed(event, other), "count: 4");
  assert.equal(changed(other, event), "count: 9");
  assert.ok(payloadDifference(event, other)?.rest.startsWith("pear, name: xxx"));
});

Deno.test("of a nested field, the part that differs is shown", () => {
  const event = { added: { _0: { id: 7, price: { cents: 5, currency: "EUR" } } } };
  const other = { added: { _0: { id: 7, price: { cents: 6, currency: "EUR" } } } };
  assert.equal(changed(event, other), "price.cents: 5");
  assert.equal(changed({ added: { _0: 5 } }, { added: { _0: 6 } }), "5");
});

Deno.test("a field that only one side has is shown there", () => {
  const [event, other] = [{ added: { id: 7, note: "x" } }, { added: { id: 7 } }];
  assert.equal(changed(event, other), "note: x");
  assert.equal(changed(other, event), "");
});

Deno.test("names of the prototype are fields like others", () => {
  assert.equal(changed({ a: { toString: 1, b: 2 } }, { a: { b: 2 } }), "toString: 1");
});

Deno.test("events without fields have no difference", () => {
  assert.equal(payloadDifference("ticked", "ticked"), undefined);
  assert.equal(payloadDifference({ ticked: {} }, { ticked: { n: 1 } }), undefined);
});
