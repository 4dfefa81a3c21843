import assert from "node:assert/strict";
import {
  explanationSections,
  explanationTitle,
} from "../../../../web/model/verification/explanation.js";

const entry = { seq: 1203, name: "removed", event: { removed: { id: 1 } } };
const found = {
  type: /** @type {const} */ ("explain"),
  entries: [entry, { seq: 2, name: "discounted", at: "Basket.swift:41" }],
  links: [],
  values: [],
};
const inferred = /** @type {const} */ ("inferred");
const recorded = /** @type {const} */ ("recorded");

Deno.test("the title says what holds, and since when", () => {
  assert.equal(explanationTitle(found), "Entry 1,203 removed");
  const about = { ...found, predicate: "state.n < 0" };
  assert.equal(explanationTitle(about), "Entry 1,203 removed: state.n < 0");
  assert.equal(
    explanationTitle({ ...about, since: 1203 }),
    "Entry 1,203 removed: state.n < 0, and not before it",
  );
  assert.equal(
    explanationTitle({ ...about, since: 7 }),
    "Entry 1,203 removed: state.n < 0, since entry 7",
  );
});

Deno.test("parts without anything to say are left out", () => {
  assert.deepEqual(explanationSections(found), []);
});

Deno.test("each value names the entry that set it, and how that is known", () => {
  const values = [
    { path: "outputs.total", value: -50, before: 450, seq: 1203, label: recorded },
    { path: "state.big", seq: 9, label: inferred },
    { path: "state.name", value: "a", before: "a", label: recorded },
  ];
  assert.deepEqual(explanationSections({ ...found, values }), [{
    title: "Values",
    lines: [
      {
        text: "outputs.total is -50 (before: 450), set by 1,203 removed",
        label: "recorded",
        seq: 1203,
      },
      { text: "state.big is …, set by 9", label: "inferred", seq: 9 },
      { text: 'state.name is "a", as at the start', label: "recorded", seq: undefined },
    ],
  }]);
});

Deno.test("each link names both entries, and a place only in this timeline", () => {
  const elsewhere = { seq: 4, timeline: "7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e", name: "tick" };
  const links = [
    { from: 2, to: 0, reason: /** @type {const} */ ("cause"), label: recorded },
    { from: 1, to: 0, reason: /** @type {const} */ ("value"), path: "state.n", label: inferred },
    { from: 1, to: 0, reason: /** @type {const} */ ("earlier"), path: "state.n", label: inferred },
    { from: 9, to: 0, reason: /** @type {const} */ ("cause"), label: recorded },
  ];
  const [section] = explanationSections({
    ...found,
    entries: [...found.entries, elsewhere],
    links,
  });
  assert.deepEqual(section?.lines, [
    {
      text: "7c1d2e3f:4 tick sent the event of 1,203 removed",
      label: "recorded",
      seq: undefined,
    },
    {
      text: "2 discounted set state.n, which was read at 1,203 removed, at Basket.swift:41",
      label: "inferred",
      seq: 2,
    },
    {
      text: "2 discounted set state.n before 1,203 removed, at Basket.swift:41",
      label: "inferred",
      seq: 2,
    },
  ]);
});

Deno.test("the fewest events say whether each is needed", () => {
  const fewest = { entries: [entry], label: inferred };
  assert.deepEqual(explanationSections({ ...found, fewest }), [{
    title: "1 event is enough (maybe not the fewest events)",
    lines: [{ text: '1,203 removed {"removed":{"id":1}}', label: "inferred", seq: 1203 }],
  }]);
  const minimal = /** @type {const} */ (true);
  assert.equal(
    explanationSections({ ...found, fewest: { ...fewest, minimal } })[0]?.title,
    "1 event is enough, and each is needed",
  );
});

Deno.test("a healthy recording lacks an entry, has another payload, or the same events", () => {
  const healthy = { timeline: "7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e", label: inferred };
  const texts = (/** @type {{ entry?: typeof entry, other?: typeof entry }} */ more) =>
    explanationSections({ ...found, healthy: { ...healthy, ...more } })[0]?.lines.map(({ text }) =>
      text
    );
  assert.deepEqual(texts({}), ["7c1d2e3f has the same events, so they do not explain it"]);
  assert.deepEqual(texts({ entry }), [
    '7c1d2e3f does not have 1,203 removed {"removed":{"id":1}}',
  ]);
  assert.deepEqual(texts({ entry, other: { ...entry, event: { removed: { id: 2 } } } }), [
    '1,203 removed {"removed":{"id":1}} is different in 7c1d2e3f',
    'There: 1,203 removed {"removed":{"id":2}}',
  ]);
});

Deno.test("what is missing comes last", () => {
  const missing = ["To get the fewest events, give a condition that holds after the entry."];
  assert.deepEqual(explanationSections({ ...found, missing }), [
    { title: "Missing", lines: [{ text: missing[0] }] },
  ]);
});
