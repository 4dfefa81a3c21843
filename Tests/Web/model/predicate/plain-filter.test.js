/** What a filter stands for, and what is said of one that is wrong. */

import assert from "node:assert/strict";
import {
  anywherePredicate,
  corrected,
  explain,
  explainPredicate,
  filterExample,
  missingPath,
  predicateOf,
} from "../../../../web/model/predicate/plain-filter.js";
import { stateName, wholeText } from "../../../../web/model/state/whole-state.js";
import { openTimelineFile } from "../../../../web/model/files/file-opening.js";
import { Inspector } from "../../../../web/model/inspector/inspector.js";
import { parsePredicate } from "../../../../web/model/predicate/parser.js";
import { settle } from "../../daemons.js";
import { HEADER } from "../../files.js";

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

Deno.test("treats a plain word as text, and everything else as a predicate", () => {
  assert.equal(predicateOf(" removed "), "name matches /removed/i");
  for (const text of ["error", "total < 0", "a b", "(", "", 'event == "removed"']) {
    assert.equal(predicateOf(text), text);
  }
});

Deno.test("finds a word with numbers after it in the same entry", () => {
  assert.equal(
    predicateOf("cheese 199", ["event.added.name"]),
    "(name matches /cheese/i || event.added.name matches /cheese/i)" +
      ' && (anywhere == 199 || anywhere contains "199")',
  );
  const many = Array.from({ length: 500 }, (_, at) => `event.a${at}.name`);
  for (const text of ["cheese 199", "cheese 199 7", "1 2"]) {
    const predicate = predicateOf(text, many);
    assert.ok(predicate.length <= 4_096);
    parsePredicate(predicate);
  }
});

Deno.test("finds a number in all values, as a number and in texts", () => {
  assert.equal(predicateOf(" 4711 "), 'anywhere == 4711 || anywhere contains "4711"');
  assert.equal(predicateOf("007"), 'anywhere == 7 || anywhere contains "007"');
  assert.equal(anywherePredicate("tea-2"), "anywhere matches /tea-2/i");
  for (const word of ["0", "00", "4711", "tea-2", "été"]) parsePredicate(anywherePredicate(word));
});

Deno.test("finds a plain word in payloads, too", async () => {
  assert.equal(
    predicateOf("tea", ["event.added.name", 'event.added["a b"]']),
    'name matches /tea/i || event.added.name matches /tea/i || event.added["a b"] matches /tea/i',
  );
  const many = predicateOf("tea", Array.from({ length: 500 }, (_, at) => `event.a${at}.name`));
  assert.ok(many.length <= 4_096);
  parsePredicate(many);

  const { source } = await openTimelineFile(
    new Blob([
      [
        {
          ...HEADER,
          schema: {
            encoding: "keyed",
            cases: [
              { name: "added", payload: [{ key: "name", kind: "string" }] },
              {
                name: "paid",
                payload: [
                  { key: "_0", kind: "struct", type: "Card" },
                  { key: "cents", kind: "int" },
                  { key: "note", kind: "optional", element: { kind: "string" } },
                ],
              },
            ],
            types: { Card: { fields: [{ key: "owner", kind: "string" }] } },
          },
        },
        { seq: 0, t: 0, state: 0 },
        { seq: 1, t: 1, event: { added: { name: "Green tea" } }, state: 1 },
        { seq: 2, t: 2, event: { paid: { _0: { owner: "Ada" }, cents: 1 } }, state: 2 },
        { seq: 3, t: 3, event: { type: "noted", text: { of: "a teapot" } }, state: 3 },
      ].map((line) => JSON.stringify(line)).join("\n") + "\n",
    ]),
  ).then(({ timeline }) => ({ source: timeline }));
  const inspector = new Inspector();
  await inspector.attach(source);
  await settle();
  inspector.goTo(3);
  await settle();
  const found = async (/** @type {string} */ word) => {
    inspector.setFilter(word);
    await settle();
    return /** @type {any} */ (inspector.data?.rows).seqs;
  };
  assert.deepEqual(await found("TEA"), [1, 3]);
  assert.deepEqual(await found("ada"), [2]);
  assert.deepEqual(await found("paid"), [2]);
  assert.deepEqual(await found("nothing"), []);
});

Deno.test("finds a word in payloads without a schema, wherever the reader is", async () => {
  const event = (/** @type {number} */ seq) =>
    seq === 3 ? { noted: { text: "a teapot" } } : seq === 200 ? { said: { word: "tea" } } : "tick";
  const entries = Array.from(
    { length: 400 },
    (_, seq) => ({ seq, t: seq, ...(seq > 0 ? { event: event(seq) } : {}), state: seq }),
  );
  const lines = [HEADER, ...entries].map((line) => JSON.stringify(line)).join("\n") + "\n";
  const { timeline } = await openTimelineFile(new Blob([lines]));
  const inspector = new Inspector();
  await inspector.attach(timeline);
  await settle();
  const found = async () => {
    inspector.setFilter("tea");
    await settle();
    return /** @type {any} */ (inspector.data?.rows).seqs;
  };
  assert.deepEqual(await found(), [3]);
  assert.equal(inspector.data?.shortPredicate, "name matches /tea/i");
  inspector.data?.entries.want([200]);
  await settle();
  assert.deepEqual(await found(), [3, 200]);
});

Deno.test("suggests existing values with their types", () => {
  assert.equal(
    messageOf("total < 0"),
    "no value is called 'total'; did you mean 'outputs.total < 0' or 'state.totalCents < 0'?",
  );
  assert.equal(
    messageOf("seq > 3 && total < 0"),
    "no value is called 'total'; did you mean 'outputs.total' or 'state.totalCents'?",
  );
  assert.equal(messageOf("stat.n > 3"), "no value is called 'stat'; did you mean 'state'?");
  assert.equal(
    messageOf("price < 0"),
    "no value is called 'price'; the state has totalCents, total price",
  );
  assert.equal(
    explain("no value is called 'x'; did you mean 'state.x'?", "x < 1", { state: 3, outputs: {} }),
    "no value is called 'x'; the whole state is called 'state'",
  );
});

Deno.test("corrects a filter only when one path can be meant", () => {
  const moment = { state: { totalCents: 3, "total price": 1 }, outputs: { isOpen: true } };
  const correctionOf = (/** @type {string} */ filter) => {
    try {
      parsePredicate(filter);
    } catch (error) {
      const { message, column } = /** @type {any} */ (error);
      return corrected({ message, column }, filter, moment);
    }
    return "no error";
  };
  assert.equal(correctionOf("totalCents < 0"), "state.totalCents < 0");
  assert.equal(correctionOf("seq > 3 && !isOpen"), "seq > 3 && !outputs.isOpen");
  assert.equal(
    correctionOf("totalCents < seq || isOpen"),
    "state.totalCents < seq || outputs.isOpen",
  );
  assert.equal(correctionOf("totalCents < price"), "state.totalCents < price");
  assert.equal(
    explainPredicate("totalCents < 0 && isOpen", moment),
    "no value is called 'totalCents'; did you mean 'state.totalCents < 0 && outputs.isOpen'?",
  );
  assert.equal(explainPredicate("state.totalCents < 0", moment), undefined);
  assert.match(explainPredicate("price < 0", moment) ?? "", /the state has totalCents/);
  assert.equal(correctionOf("price < 0"), undefined);
  assert.equal(correctionOf("state.n <"), undefined);
  moment.outputs = /** @type {any} */ ({ total: 3 });
  assert.equal(correctionOf("total < 0"), undefined);
});

Deno.test("names what a filter refers to but does not exist", () => {
  const moment = { state: { total: 3, items: [] }, outputs: { isOpen: true } };
  for (
    const [predicate, missing] of /** @type {[string, string | undefined][]} */ ([
      ["state.total < 0 && outputs.isOpen", undefined],
      ["state.items.count > 9", undefined],
      ["state.totalCents < 0", "state.totalCents"],
      ['!(event == "a") || changed(outputs.isShut)', "outputs.isShut"],
      ['name matches /a/ || event.a.b contains "c"', undefined],
    ])
  ) assert.equal(missingPath(predicate, moment), missing, predicate);
  assert.equal(missingPath("state.total < 0", { state: 3, outputs: {} }), "state.total");
});

Deno.test("shows a filter with an event that the timeline has", () => {
  assert.equal(filterExample({ removed: { id: 3 } }), 'removed, or event == "removed"');
  assert.equal(filterExample('a " b'), 'tapped, or event == "tapped"');
  // The first entry has no event, the next one has.
  assert.equal(filterExample(undefined, "opened"), 'opened, or event == "opened"');
  assert.equal(filterExample(undefined), 'tapped, or event == "tapped"');
});

Deno.test("a state is called by its type, and not by the type that makes the machine", () => {
  assert.equal(stateName({ type: "Coin.CoinState", kind: "states" }), "CoinState");
  const make = "Garage.GarageRecording.make()";
  assert.equal(stateName({ type: "Garage.GarageRecording", kind: "reducer", make }), "State");
  assert.equal(stateName({ type: "Garage.State2", kind: "reducer", make }), "State2");
  assert.equal(stateName(undefined), "State");
});

Deno.test("shows a state that is one value, and the value before", () => {
  assert.equal(wholeText(-300, 199), ": 199 → -300");
  assert.equal(wholeText(-300, -300), ": -300");
  assert.equal(wholeText("open", undefined), ': "open"');
  assert.equal(wholeText("", "a"), ': "a" → ""');
  assert.equal(wholeText(null, { a: 1 }), ": nil");
  assert.equal(wholeText([], []), ": []");
  assert.equal(wholeText({ a: 1 }, undefined), "");
});

Deno.test("says what an unfinished predicate lacks", () => {
  assert.equal(
    explain("a value is missing at the end", "state.total <", undefined),
    "Incomplete: a value is missing after <",
  );
});
