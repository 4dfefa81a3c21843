import assert from "node:assert/strict";
import {
  brief,
  cutBytes,
  eventName,
  eventPayload,
  payloadText,
} from "../../../web/base/event-name.js";
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDelta,
  formatDuration,
  formatMoment,
  formatNumbered,
} from "../../../web/base/format.js";
import {
  compareText,
  shorten,
  shortenMiddle,
  visible,
  visibleKey,
} from "../../../web/base/text.js";
import { parseJson } from "../../../web/base/json.js";

Deno.test("names events by type, only key, or themselves", () => {
  assert.equal(eventName({ type: "todos/added", by: 2 }), "todos/added");
  assert.equal(eventName({ flip: {} }), "flip");
  assert.equal(eventName("tick"), "tick");
  assert.equal(eventName({ type: { _0: 1 } }), "type");
  for (const event of ["null", "3", "[1]", "{}", '{"a":1,"b":2}']) {
    assert.equal(eventName(parseJson(event)), undefined);
  }
  assert.equal(eventName(undefined), undefined);
});

Deno.test("shows payloads in a few words", () => {
  assert.equal(payloadText({ tapped: { id: "bus-7", on: true } }), "bus-7, on: true");
  assert.equal(payloadText({ set: { _0: parseJson("9007199254740993") } }), "9007199254740993");
  assert.equal(payloadText({ type: "add", by: { n: 2 } }), "by: n: 2");
  assert.equal(payloadText({ flip: {} }), "");
  assert.equal(
    payloadText({ add: { _0: { id: 9, name: "bread", at: [1] } } }),
    "9, name: bread, at: 1 item",
  );
  assert.equal(payloadText("tick"), "");
  assert.equal(payloadText({ found: { isbn: "", title: "" } }), 'isbn: "", title: ""');
  assert.equal(payloadText({ loaded: { _0: { $cut: 20480 } } }), "…");
  assert.equal(eventPayload([1, 2])?.toString(), "1,2");
  assert.equal(payloadText({ say: { _0: "a\u202eb\n" } }), "a\\u{202e}b\\n");
  assert.ok(payloadText({ a: { list: Array(1000).fill("long text") } }, 40).length <= 40);
  assert.equal(brief([{}, {}, {}]), "3 items");
  assert.equal(
    brief({ id: 9, name: "bread", tags: ["a", "b"], more: { deep: 1 }, none: null }),
    "{id: 9, name: bread, tags: 2 items, more: {…}, none: nil}",
  );
  assert.ok(
    brief(Object.fromEntries(Array(10_000).fill(0).map((_, at) => [`k${at}`, at])), 40).length <=
      40,
  );
  assert.equal(cutBytes({ $cut: 3, other: 1 }), undefined);
});

Deno.test("formats counts, sizes and times with few digits", () => {
  assert.equal(formatCount(10_000_000), "10,000,000");
  assert.deepEqual([0, 999, 1_000, 12_345, -1_234, 1e21].map(formatCount), [
    "0",
    "999",
    "1,000",
    "12,345",
    "-1,234",
    "1,000,000,000,000,000,000,000",
  ]);
  assert.equal(formatNumbered(1, "entry", "entries"), "1 entry");
  assert.equal(formatNumbered(2_202, "entry", "entries"), "2,202 entries");
  assert.deepEqual(
    [
      0,
      42,
      200,
      4_100,
      81_000,
      312_000,
      999_700,
      1_400_000,
      59_970_000,
      185_000_000,
      3_600_000_000,
      90_000_000_000,
    ].map(formatDuration),
    [
      "0",
      "42 µs",
      "0.2 ms",
      "4.1 ms",
      "81 ms",
      "312 ms",
      "1.0 s",
      "1.4 s",
      "1 min",
      "3 min 5 s",
      "1 h",
      "1 d 1 h",
    ],
  );
  assert.equal(formatDelta(900), "+0.9 ms");
  assert.deepEqual([0, 999, 4_096, 52_811, 999_400, 999_500, 1_153_434].map(formatBytes), [
    "0 B",
    "999 B",
    "4.1 kB",
    "53 kB",
    "999 kB",
    "1.0 MB",
    "1.2 MB",
  ]);
});

Deno.test("names moments as exactly as the marks stand apart", () => {
  assert.equal(formatMoment(14_020_000), "14.02 s");
  assert.equal(formatMoment(0), "0.00 s");
  assert.equal(formatMoment(185), "185 µs");
  assert.equal(formatMoment(9_999), "10.0 ms");
  assert.equal(formatMoment(10_000), "0.01 s");
  assert.equal(formatMoment(441, 1_000), "441 µs");
  assert.equal(formatMoment(180, 20), "180 µs");
  assert.equal(formatMoment(12_500_000, 500_000), "12.5 s");
  assert.equal(formatMoment(12_000_000, 1_000_000), "12 s");
  assert.equal(formatMoment(185_200_000, 100_000), "3:05.2");
  assert.equal(formatMoment(3_600_000_000, 60_000_000), "1:00:00");
  assert.equal(formatMoment(1_000_001, 1), "1.000001 s");
});

Deno.test("formats relative times", () => {
  const now = new Date(2026, 4, 10, 12);
  assert.equal(formatAgo(new Date(2026, 4, 10, 11, 59, 30), now), "just now");
  assert.equal(formatAgo(new Date(2026, 4, 10, 11, 56), now), "4 minutes ago");
  assert.equal(formatAgo(new Date(2026, 4, 10, 1), now), "11 hours ago");
  assert.equal(formatAgo(new Date(2026, 4, 9, 23), now), "yesterday");
  assert.equal(formatAgo(new Date(2026, 4, 1), now), "1 May");
  assert.equal(formatAgo(new Date(2025, 4, 11), now), "11 May 2025");
  assert.equal(formatAgo(new Date(NaN), now), "");
});

Deno.test("orders texts by code points", () => {
  const sorted = ["", "A", "a", "aa", "\ud7ff", "\uff5e", "😀"];
  assert.deepEqual([...sorted].reverse().sort(compareText), sorted);
});

Deno.test("shows what cannot be seen, and cuts between characters", () => {
  assert.equal(
    visible("a\u0000b\u202ec\ud800\n\u{e0001}ü😀"),
    "a\\u{0}b\\u{202e}c\\u{d800}\\n\\u{e0001}ü😀",
  );
  assert.equal(shorten("abcdef", 4), "abc…");
  assert.equal(shorten("ab😀def", 4), "ab…");
});

Deno.test("shortens names in the middle, and keeps characters whole", () => {
  assert.equal(shortenMiddle("anEventWithALongNameAndNumber12", 15), "anEvent…umber12");
  assert.equal(shortenMiddle("short", 15), "short");
  assert.equal(shortenMiddle("👩👩👩👩👩👩", 3), "👩…👩");
});

Deno.test("shows keys that would be invisible in quotation marks", () => {
  assert.deepEqual(["", " ", "a"].map(visibleKey), ['""', '" "', "a"]);
  // A key of a million characters would take the browser a second to lay out.
  const long = visibleKey(`from${"x".repeat(1_000_000)}to`);
  assert.deepEqual([long.length, long.slice(0, 5), long.slice(-3)], [1_000, "fromx", "xto"]);
  assert.equal(visibleKey(" ".repeat(1_000_000)).length, 1_002);
});
