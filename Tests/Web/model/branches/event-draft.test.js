import assert from "node:assert/strict";
import { ExactNumber } from "../../../../web/base/json.js";
import { checkEvent, problemText } from "../../../../web/model/branches/event-check.js";
import { EventDraft, isCutEvent } from "../../../../web/model/branches/event-draft.js";
import { leastCase, withoutValue, withValue } from "../../../../web/model/branches/form.js";
import { readSchema } from "../../../../web/wire/header.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

const schema = readSchema({
  encoding: "keyed",
  complete: true,
  cases: [
    {
      name: "added",
      payload: [
        { key: "id", kind: "uuid" },
        { key: "count", kind: "int" },
        { key: "note", kind: "optional", element: { kind: "string" } },
        { key: "tags", kind: "array", element: { kind: "struct", type: "Tag" } },
        { key: "prices", kind: "dictionary", element: { kind: "double" } },
        { key: "way", kind: "enum", type: "Way" },
        { key: "size", kind: "enum", type: "Size" },
        { key: "bytes", kind: "data" },
        { key: "loose", kind: "struct", type: "Loose" },
      ],
    },
    { name: "cleared", payload: [] },
  ],
  types: {
    Tag: { fields: [{ key: "text", kind: "string" }, { key: "on", kind: "bool" }] },
    Way: {
      cases: [{ name: "pickup" }, {
        name: "delivery",
        payload: [{ key: "days", kind: "int" }, { key: "_1", kind: "enum", type: "Size" }],
      }],
    },
    Size: { values: ["small", "large"] },
    Loose: { fields: [{ key: "x", kind: "int" }], guess: true },
  },
}) ?? assert.fail();

/** @type {Json} */
const ADDED = {
  added: {
    id: "7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e",
    count: 1,
    tags: [],
    prices: {},
    way: { pickup: {} },
    size: "small",
    bytes: "AAA=",
    loose: null,
  },
};

const draft = (/** @type {Json} */ event = ADDED, redacted = new Map()) =>
  new EventDraft({ timeline: "t", seq: 5, mode: "replace", event, schema, redacted });

/** @param {EventDraft} one */
const shapes = (one) =>
  one.fields.map(({ tokens, input, isOptional, inside }) =>
    `${tokens.slice(1).join(".")} ${input}${isOptional ? "?" : ""}${inside ? ` ${inside}` : ""}`
  );

/** @param {EventDraft} one @param {string} name */
const field = (one, name) =>
  one.fields.find(({ tokens }) => tokens.slice(1).join(".") === name) ?? assert.fail(name);

Deno.test("offers fields for lists, maps, cases and what they hold", () => {
  const one = draft();
  assert.deepEqual(problemsOf(one), []);
  one.add(field(one, "tags"));
  one.add(field(one, "tags"));
  one.add(field(one, "prices"), "EUR");
  one.add(field(one, "note"));
  const way = field(one, "way");
  one.setValue(way.tokens, leastCase(way.type, "delivery", schema));
  assert.deepEqual(shapes(one), [
    "id text",
    "count int",
    "note text?",
    "tags list",
    "tags.0 group item",
    "tags.0.text text",
    "tags.0.on bool",
    "tags.1 group item",
    "tags.1.text text",
    "tags.1.on bool",
    "prices map",
    "prices.EUR number member",
    "way case",
    "way.delivery.days int",
    "way.delivery._1 choice",
    "size choice",
    "bytes text",
    "loose group",
    "loose.x int",
  ]);
  one.remove(["added", "tags", "0"]);
  one.setValue(["added", "tags", "0", "text"], "fresh");
  one.remove(["added", "note"]);
  const { added } = /** @type {{ added: Record<string, Json> }} */ (one.value);
  assert.deepEqual([added.tags, added.way, added.note], [
    [{ text: "fresh", on: false }],
    { delivery: { days: 0, _1: "small" } },
    undefined,
  ]);
  assert.ok(one.isChanged);
  one.revert();
  assert.deepEqual([one.value, one.isChanged], [ADDED, false]);
});

/** @param {EventDraft} one */
function problemsOf(one) {
  return one.problems.map(problemText);
}

Deno.test("keeps one value behind form and text, and says what is wrong in either", () => {
  const one = draft();
  one.setWrong(["added", "count"], "This is not a number.");
  assert.deepEqual(problemsOf(one), ["count: This is not a number."]);
  assert.equal(one.wrongAt(["added", "count"]), "This is not a number.");
  one.setValue(["added", "count"], new ExactNumber("9007199254740993"));
  assert.match(one.text, /"count": 9007199254740993/);
  one.setText('{"cleared":{');
  assert.ok(one.isBroken);
  assert.match(problemsOf(one)[0] ?? "", /^This is not JSON/);
  one.setText("3");
  assert.deepEqual(problemsOf(one), ["An event is an object, or a text."]);
  one.setText('{"cleared":{}}');
  assert.deepEqual([one.isBroken, one.case, one.fields], [false, "cleared", []]);
  one.chooseCase("added");
  assert.equal(one.fields.length > 8, true);
});

Deno.test("reports what a host would refuse", () => {
  const problems = (/** @type {Json} */ event) => checkEvent(schema, event).map(problemText);
  const changed = (/** @type {string} */ key, /** @type {Json} */ value) =>
    problems(withValue(ADDED, ["added", key], value));
  assert.deepEqual(problems({ other: {} }), [
    "This machine has no such event. It has added, cleared.",
  ]);
  assert.deepEqual(problems({ added: 3 }), ["Enter an object with the event's values."]);
  assert.deepEqual(problems(withoutValue(ADDED, ["added", "count"])), [
    "count: A value is missing.",
  ]);
  assert.deepEqual(changed("id", "x"), ["id: Enter a UUID."]);
  assert.deepEqual(changed("count", 1.5), ["count: Enter a whole number."]);
  assert.deepEqual(changed("note", 1), ["note: Enter a string."]);
  assert.deepEqual(changed("note", null), []);
  assert.deepEqual(changed("tags", [{ text: 1, on: 0 }]), [
    "tags[0].text: Enter a string.",
    "tags[0].on: Enter true or false.",
  ]);
  assert.deepEqual(changed("prices", { EUR: "much" }), ["prices.EUR: Enter a number."]);
  assert.deepEqual(changed("prices", { EUR: "inf" }), []);
  assert.deepEqual(changed("way", { walk: {} }), [
    "way: One of these is expected: pickup, delivery.",
  ]);
  assert.deepEqual(changed("size", "huge"), ["size: One of these is expected: small, large."]);
  assert.deepEqual(changed("bytes", "A"), ["bytes: Enter bytes in base64."]);
  assert.deepEqual(changed("loose", "whatever"), []);
  assert.deepEqual(checkEvent(undefined, 3), []);
});

Deno.test("does not send stand-ins to a live app until they are replaced", () => {
  const redacted = new Map([["/event/added/size", "9f2c"], ["/state/token", ""]]);
  const one = draft(ADDED, redacted);
  assert.match(one.whyNotLive ?? "", /a redacted value/);
  one.setValue(["added", "size"], "large");
  assert.equal(one.whyNotLive, undefined);
  assert.equal(draft().whyNotLive, undefined);
});

Deno.test("knows an event that was cut", () => {
  const entry = (/** @type {Json} */ event) => ({ seq: 1, t: 0, event });
  assert.ok(isCutEvent(entry({ added: { list: [{ text: { $cut: 2_048 } }] } })));
  assert.ok(!isCutEvent(entry({ added: { list: [] } })));
  assert.ok(!isCutEvent({ seq: 1, t: 0 }));
});
