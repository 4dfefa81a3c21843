/** What is offered while a filter is typed. */

import assert from "node:assert/strict";
import { candidatesOf, completionsAt } from "../../../../web/model/predicate/completion.js";
import { parsePredicate } from "../../../../web/model/predicate/parser.js";

/** @import { Place } from "../../../../web/model/inspector/palette-places.js" */

/** @param {Place["is"]} is @param {string} title */
const place = (is, title) => ({ is, title, detail: "", key: title });

const candidates = candidatesOf(
  [
    place("machine", "total"),
    place("event", "added"),
    place("event", 'say "hi"'),
    place("value", "outputs.total"),
    place("value", "state.total"),
    place("value", "state.items[0].totalCents"),
    place("value", "state.isOpen"),
  ],
  [undefined, "reset", { added: { item: { name: "tea" }, "odd key": 1 } }],
);

/**
 * The filters that the completions make; `|` is the caret.
 *
 * @param {string} typed
 * @param {boolean} [isAsked]
 */
function filters(typed, isAsked) {
  const caret = typed.indexOf("|");
  const text = typed.replace("|", "");
  return completionsAt(text, caret, candidates, isAsked).map(({ from, to, text: fresh }) =>
    text.slice(0, from) + fresh + text.slice(to)
  );
}

Deno.test("completes paths, the nearest to the root first", () => {
  assert.deepEqual(filters("state.tot|"), ["state.total"]);
  assert.deepEqual(filters("tot|"), ["state.total", "outputs.total", "state.items[0].totalCents"]);
  assert.deepEqual(filters("seq > 1 && OUTP|"), ["seq > 1 && outputs", "seq > 1 && outputs.total"]);
  assert.deepEqual(filters("event.added.i|"), ["event.added.item", "event.added.item.name"]);
  assert.deepEqual(filters("changed(state.is|)"), ["changed(state.isOpen)"]);
});

Deno.test("replaces the whole word in which the caret is", () => {
  assert.deepEqual(filters("state.is|Shut == true"), ["state.isOpen == true"]);
});

Deno.test("completes the names of events, with what a predicate needs around them", () => {
  assert.deepEqual(filters("adde|")[0], 'event == "added"');
  assert.deepEqual(filters("event == adde|"), ['event == "added"']);
  assert.deepEqual(filters('event == "ad|'), ['event == "added"']);
  assert.deepEqual(filters('name != "ad|" && seq > 1'), ['name != "added" && seq > 1']);
  assert.deepEqual(filters('event == "|"'), ['event == "added"', 'event == "say \\"hi\\""']);
});

Deno.test("offers nothing in texts, patterns, and numbers, nor what is typed already", () => {
  for (const typed of ['state.name == "tot|', "name matches /tot|/", "seq > 1|", "state.total|"]) {
    assert.deepEqual(filters(typed), [], typed);
  }
  assert.deepEqual(filters("|"), []);
});

Deno.test("offers the first candidates to a reader who asks", () => {
  assert.equal(filters("|", true).length, 8);
  assert.equal(filters("|", true)[0], 'event == "added"');
});

Deno.test("paths of payloads are those of the language", () => {
  const paths = candidates.filter(({ detail }) => detail === "payload").map(({ title }) => title);
  assert.deepEqual(paths, [
    "event.added.item",
    "event.added.item.name",
    'event.added["odd key"]',
  ]);
  for (const path of paths) parsePredicate(`${path} == 1`);
});

Deno.test("a payload of any size gives a limited number of paths", () => {
  const large = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, n]));
  const found = candidatesOf([], [{ added: large }, { removed: large }]);
  assert.equal(found.filter(({ detail }) => detail === "payload").length, 500);
});
