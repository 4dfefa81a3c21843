import assert from "node:assert/strict";
import { equalJson, ExactNumber } from "../../../../web/base/json.js";
import { readSchema } from "../../../../web/wire/header.js";
import { formOf, newEvent, readInput, withValue } from "../../../../web/model/branches/form.js";

const schema = readSchema({
  encoding: "keyed",
  cases: [
    {
      name: "tapped",
      payload: [
        { key: "id", label: "id", kind: "string" },
        { key: "on", kind: "bool" },
        { key: "stop", kind: "struct", type: "Stop" },
        { key: "note", kind: "optional", element: { kind: "string" } },
        { key: "side", kind: "enum", type: "Side" },
        { key: "more", kind: "dictionary", element: { kind: "any" } },
        { key: "self", kind: "optional", element: { kind: "struct", type: "Loop" } },
      ],
    },
    { name: "flip" },
    { name: "sampled", samples: [{ sampled: { n: 3 } }] },
  ],
  types: {
    Stop: { fields: [{ key: "n", kind: "int" }, { key: "when", kind: "date" }] },
    Side: { values: ["heads", "tails"] },
    Loop: { fields: [{ key: "again", kind: "struct", type: "Loop" }] },
  },
}) ?? assert.fail();

Deno.test("makes the fields of a case, with nested types and choices", () => {
  const fields = formOf(schema, { tapped: {} });
  assert.deepEqual(
    fields.slice(0, 8).map(({ tokens, input, isOptional }) =>
      `${tokens.join(".")} ${input}${isOptional ? "?" : ""}`
    ),
    [
      "tapped.id text",
      "tapped.on bool",
      "tapped.stop group",
      "tapped.stop.n int",
      "tapped.stop.when number",
      "tapped.note text?",
      "tapped.side choice",
      "tapped.more map",
    ],
  );
  assert.deepEqual(fields.find(({ input }) => input === "choice")?.choices, ["heads", "tails"]);
  assert.ok(fields.length < 30);
  assert.deepEqual(formOf(schema, { flip: {} }), []);
});

Deno.test("guesses the fields of an event that no schema knows", () => {
  const kinds = (/** @type {import("../../../../web/base/json-types.d.ts").Json} */ event) =>
    formOf(undefined, event).map(({ tokens, input }) => `${tokens.join(".")} ${input}`);
  assert.deepEqual(kinds({ set: { _0: "x", on: true, at: { n: 1 }, list: [] } }), [
    "set._0 text",
    "set.on bool",
    "set.at group",
    "set.at.n number",
    "set.list json",
  ]);
  assert.deepEqual(kinds({ type: "add", by: 2 }), ["by number"]);
  assert.deepEqual(kinds("tick"), []);
});

Deno.test("reads what was typed, exactly, or says why not", () => {
  const field = (
    /** @type {import("../../../../web/model/branches/form.js").FormField["input"]} */ input,
  ) => ({
    tokens: [],
    label: "",
    depth: 0,
    choices: [],
    isOptional: false,
    input,
  });
  assert.deepEqual(readInput(field("int"), "9007199254740993"), {
    value: new ExactNumber("9007199254740993"),
  });
  assert.deepEqual(readInput(field("int"), "1.5"), { error: "This is not a whole number." });
  assert.deepEqual(readInput(field("number"), " 1.5 "), { value: 1.5 });
  assert.deepEqual(readInput(field("number"), "x"), { error: "This is not a number." });
  assert.deepEqual(readInput(field("bool"), "true"), { value: true });
  assert.deepEqual(readInput(field("text"), "1"), { value: "1" });
});

Deno.test("changes one value of an event, and keeps the original", () => {
  const event = { tapped: { id: "a", stop: { n: 1 } } };
  assert.ok(
    equalJson(withValue(event, ["tapped", "stop", "n"], 2), {
      tapped: { id: "a", stop: { n: 2 } },
    }),
  );
  assert.ok(
    equalJson(withValue(event, ["tapped", "new", "x"], 1), {
      tapped: { id: "a", stop: { n: 1 }, new: { x: 1 } },
    }),
  );
  assert.equal(event.tapped.stop.n, 1);
});

Deno.test("begins a new event with its sample, or with the least of everything", () => {
  const events = schema.cases.map((one) => newEvent(one, schema));
  assert.ok(
    equalJson(events[0], {
      tapped: { id: "", on: false, stop: { n: 0, when: 0 }, side: "heads", more: {} },
    }),
  );
  assert.ok(equalJson(events[1], { flip: {} }));
  assert.ok(equalJson(events[2], { sampled: { n: 3 } }));
});

Deno.test("shows no internal names of unlabeled values", () => {
  const labels = (/** @type {any} */ event) =>
    formOf(undefined, event).map(({ label, depth, input }) => [label, depth, input]);
  assert.deepEqual(labels({ added: { _0: { id: 7, name: "x" } } }), [
    ["id", 0, "number"],
    ["name", 0, "text"],
  ]);
  assert.deepEqual(labels({ moved: { _0: 1, _1: 2 } }), [
    ["value 1", 0, "number"],
    ["value 2", 0, "number"],
  ]);
  assert.deepEqual(labels({ typed: { _0: { "$cut": 1110 } } }), [["value", 0, "json"]]);
});
