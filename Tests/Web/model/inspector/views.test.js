import assert from "node:assert/strict";
import { readPatch } from "../../../../web/base/patch.js";
import { FilteredRows, RowMap } from "../../../../web/model/timeline/row-map.js";
import { flattenTree, pathsToChanges } from "../../../../web/model/state/tree.js";
import {
  isNewFocus,
  readCode,
  readLocation,
  START,
  writeLocation,
} from "../../../../web/model/inspector/location.js";
import {
  clampSpan,
  levelFor,
  markStep,
  panSpan,
  revealInSpan,
  toPixel,
  toPlace,
  toPlaceDrawn,
  zoomSpan,
} from "../../../../web/model/timeline/scale.js";
import { PACES, Player } from "../../../../web/model/inspector/player.js";
import { commandFor, keyText } from "../../../../web/model/commands/keys.js";
import { COMMANDS } from "../../../../web/model/commands/table.js";
import { searchTitles } from "../../../../web/model/commands/title-search.js";
import { listSources } from "../../../../web/model/sources/source-list.js";
import { Random } from "../../random.js";
import { toInspector } from "../../../../web/wire/to-inspector.js";

/** @import { Json, JsonObject } from "../../../../web/base/json-types.d.ts" */
/** @import { TreeRow } from "../../../../web/model/state/tree.js" */

Deno.test("gives every kept entry and every gap one row", () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = new Random(seed);
    const first = random.below(3);
    /** @type {{ seq: number, lost: number, why: string }[]} */
    const gaps = [];
    /** @type {string[]} */
    const expected = [];
    let seq = first;
    for (let left = random.below(30); left > 0; left--, seq++) {
      if (random.below(4) === 0) {
        const lost = 1 + random.below(5);
        if (expected.length > 0) seq += lost;
        gaps.push({ seq, lost, why: "" });
        expected.push(`gap ${seq}`);
      }
      expected.push(String(seq));
    }
    const rows = new RowMap(first, seq - 1, gaps);
    const read = Array.from({ length: rows.count }, (_, row) => {
      const item = rows.at(row);
      return item?.is === "gap" ? `gap ${item.gap.seq}` : String(item?.seq);
    });
    assert.deepEqual(read, expected, `seed ${seed}`);
    expected.forEach((text, row) => {
      if (!text.startsWith("gap")) {
        assert.equal(rows.rowOf(Number(text)), row, `seed ${seed}, ${text}`);
      }
    });
    assert.equal(rows.at(-1), undefined);
  }
});

Deno.test("steps over gaps, and stops at the ends", () => {
  const rows = new RowMap(0, 9, [{ seq: 6, lost: 3, why: "" }]);
  assert.equal(rows.count, 8);
  assert.deepEqual([
    rows.stepped(2, 1),
    rows.stepped(6, -1),
    rows.stepped(0, 4),
    rows.stepped(8, 10),
    rows.stepped(1, -5),
  ], [6, 2, 7, 9, 0]);
  assert.equal(rows.rowOf(4), 3);
});

Deno.test("keeps the rows of a filter in order, and steps from between them", () => {
  const rows = new FilteredRows();
  rows.extend([3, 7, 9], 10, [[1, 2]]);
  rows.extend([9, 12], undefined);
  assert.deepEqual(rows.seqs, [3, 7, 9, 12]);
  assert.ok(rows.isComplete);
  assert.equal(rows.unknownCount, 2);
  assert.deepEqual([rows.rowOf(8), rows.rowOf(0), rows.rowOf(99)], [1, 0, 3]);
  assert.deepEqual([
    rows.stepped(8, 1),
    rows.stepped(8, -1),
    rows.stepped(7, 1),
    rows.stepped(0, 1),
    rows.stepped(12, 5),
  ], [9, 7, 9, 3, 12]);
  // From beyond the ends there is nothing further that way.
  assert.deepEqual([
    rows.stepped(99, 1),
    rows.stepped(99, -1),
    rows.stepped(0, -1),
    rows.stepped(0, 2),
    rows.stepped(0, -10),
    rows.stepped(99, 10),
  ], [99, 12, 0, 7, 0, 99]);
});

/** @param {TreeRow[]} rows */
const shown = (rows) =>
  rows.map(({ depth, key, text, mark, old, isOpen }) =>
    `${"  ".repeat(depth)}${isOpen ? "-" : ""}${key} ${
      old === undefined ? "" : `${old} > `
    }${text} ${mark}`.trimEnd()
  );

Deno.test("shows what an entry changed, with what was there before", () => {
  /** @type {Json} */
  const before = { a: 1, gone: [1], list: [{ id: "x", on: false }, { id: "y" }] };
  /** @type {Json} */
  const value = { a: 2, list: [{ id: "x", on: true }, { id: "y" }, { id: "z" }], fresh: "<b>" };
  const patch = readPatch([
    { op: "replace", path: "/a", value: 2 },
    { op: "remove", path: "/gone" },
    { op: "replace", path: "/list/0/on", value: true },
    { op: "add", path: "/list/2", value: { id: "z" } },
    { op: "add", path: "/fresh", value: "<b>" },
  ]);
  assert.deepEqual([...pathsToChanges(patch)], ["/list", "/list/0"]);
  const rows = flattenTree({ value, before, patch, open: pathsToChanges(patch) });
  assert.deepEqual(shown(rows), [
    "a 1 > 2 changed",
    'fresh "<b>" added',
    "gone [1] removed",
    "-list 3 items inside",
    "  -0 x inside",
    '    id "x"',
    "    on false > true changed",
    "  1 y",
    "  2 z added",
  ]);
  assert.deepEqual(
    rows.filter(({ depth }) => depth === 0).map(({ position, siblings }) =>
      `${position}/${siblings}`
    ),
    ["1/4", "2/4", "3/4", "4/4"],
  );
});

Deno.test("shows stand-ins, cut values and what was fetched for them", () => {
  const value = { token: "", big: { $cut: 4096 }, other: { $cut: 10 } };
  const rows = flattenTree({
    value,
    open: new Set(["/big", "/token"]),
    redacted: new Set(["/token"]),
    fetched: (path) => path === "/big" ? { n: 1 } : undefined,
  });
  assert.deepEqual(shown(rows), ["-big n: 1", "  n 1", "other 10 B, load", "token redacted"]);
  assert.deepEqual(rows.map(({ canOpen }) => canOpen), [true, false, true, false]);
});

Deno.test("puts a place into the hash and reads it back", () => {
  const place = {
    timeline: "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a",
    seq: 1_090,
    tab: /** @type {const} */ ("diff"),
    pin: "/state/a~1b/0",
    filter: 'event == "ü" && t > 3',
  };
  assert.deepEqual(readLocation("#" + writeLocation(place)), place);
  assert.ok(writeLocation(place).includes("pin=/state/"));
  assert.deepEqual(readLocation(""), START);
  assert.deepEqual(readLocation("#timeline=&seq=&tab=x&pin=nope"), START);
  assert.deepEqual(readLocation("#seq=-1"), { ...START, wrongSeq: "-1" });
  assert.deepEqual(readCode("#code=abc&seq=3"), { code: "abc", rest: "seq=3" });
  assert.equal(readCode("#seq=3").code, undefined);
});

Deno.test("makes a step of history of jumps, not of scrubbing", () => {
  const at = (/** @type {number} */ seq, timeline = "a") => ({ ...START, timeline, seq });
  assert.ok(isNewFocus(at(1), at(9), true));
  assert.ok(!isNewFocus(at(1), at(2), false));
  assert.ok(isNewFocus(at(1), at(1, "b"), false));
  assert.ok(!isNewFocus(START, at(1), true));
});

Deno.test("zooms at the pointer and stays inside the recording", () => {
  const bounds = { start: 0, end: 10_000 };
  const zoomed = zoomSpan({ start: 0, end: 10_000 }, 0.5, 0.25, bounds);
  assert.deepEqual(zoomed, { start: 1_250, end: 6_250 });
  assert.deepEqual(zoomSpan(zoomed, 100, 0.5, bounds), bounds);
  assert.deepEqual(panSpan(zoomed, 99_999, bounds), { start: 5_000, end: 10_000 });
  assert.deepEqual(clampSpan({ start: 5, end: 5 }, bounds), { start: 5, end: 15 });
  assert.equal(toPlace(zoomed, toPixel(zoomed, 3_000, 800), 800), 3_000);
  assert.deepEqual(revealInSpan({ start: 0, end: 1_200 }, 600, bounds), { start: 0, end: 1_200 });
  assert.deepEqual(revealInSpan({ start: 0, end: 1_200 }, 1_190, bounds), {
    start: 90,
    end: 1_290,
  });
  assert.deepEqual(revealInSpan({ start: 0, end: 1_200 }, 9_000, bounds), {
    start: 8_400,
    end: 9_600,
  });
});

Deno.test("puts marks where they read well", () => {
  const steps = [1_000, 30_000, 700_000, 9e6, 1e8, 7e9, 9e12].map((end) =>
    markStep({ start: 0, end }, 1_000, 100)
  );
  assert.deepEqual(steps, [
    100,
    5_000,
    100_000,
    1_000_000,
    10_000_000,
    900_000_000,
    950_400_000_000,
  ]);
});

Deno.test("requests whole buckets, the same ones while the view moves slightly", () => {
  const bounds = { start: 0, end: 10_000_000 };
  for (
    const [start, end] of [[0, 10_000_000], [5_000, 6_000], [123_456, 987_654], [
      9_999_990,
      10_000_000,
    ]]
  ) {
    const span = { start: start ?? 0, end: end ?? 0 };
    const level = levelFor(span, 1_200, bounds);
    assert.equal((level.to - level.from + 1) / level.buckets, level.size);
    assert.equal(level.from % level.size, 0);
    assert.ok(
      level.from <= span.start && level.to >= span.end - 1,
      JSON.stringify({ span, level }),
    );
    assert.ok(level.buckets <= 16_384);
  }
  assert.deepEqual(
    levelFor({ start: 200_000, end: 400_000 }, 1_000, bounds),
    levelFor({ start: 200_010, end: 400_010 }, 1_000, bounds),
  );
});

Deno.test("plays at the pace of the recording, and waits for what is not there yet", () => {
  const times = [0, 100_000, 150_000, 60_000_000, 60_100_000];
  const following = (/** @type {number} */ seq) =>
    times[seq + 1] === undefined ? undefined : { seq: seq + 1, t: times[seq + 1] ?? 0 };
  const timeOf = (/** @type {number} */ seq) => times[seq];
  const player = new Player(PACES[0], 0, 1_000);
  const at = (/** @type {number} */ now) => player.advance(now, following, timeOf);
  assert.deepEqual([at(1_099), at(1_100), at(1_149), at(1_151)], [0, 1, 1, 2]);
  for (let now = 1_251; now < 3_149; now += 100) at(now);
  assert.deepEqual([at(3_149), at(3_151), at(3_249), at(3_250)], [2, 3, 3, 4]);
  const even = new Player(PACES[3], 0, 0);
  assert.equal(even.advance(250, following, timeOf), 2);
  const stalled = new Player(PACES[0], 0, 0);
  assert.equal(stalled.advance(5_000, () => undefined, timeOf), 0);
  assert.equal(stalled.advance(5_050, following, timeOf), 0);
});

Deno.test("pauses while no frame is drawn, and resumes at the same place", () => {
  // Times never decrease, unless a file is wrong as this one.
  const times = Array.from({ length: 100 }, (_, seq) => seq === 7 ? 0 : seq * 100_000);
  const following = (/** @type {number} */ seq) => ({ seq: seq + 1, t: times[seq + 1] ?? 0 });
  const player = new Player(PACES[0], 0, 0);
  const at = (/** @type {number} */ now) =>
    player.advance(now, following, (/** @type {number} */ seq) => times[seq]);
  assert.deepEqual([at(90), at(110)], [0, 1]);
  // The tab was out of sight for a minute.
  assert.deepEqual([at(60_110), at(60_149), at(60_150), at(60_250)], [3, 3, 4, 5]);
  // What lies behind takes no time, and gains none.
  assert.deepEqual([at(60_349), at(60_350), at(60_600), at(60_850)], [5, 7, 7, 7]);
  assert.deepEqual([at(61_100), at(61_149), at(61_150)], [7, 7, 8]);
});

Deno.test("reads keys by the one table, and none of one letter while the reader types", () => {
  const press = (/** @type {string} */ key, more = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  });
  const free = { isTyping: false, allowsLetters: true };
  const id = (/** @type {ReturnType<typeof press>} */ pressed, where = free) =>
    commandFor(pressed, where)?.id;
  assert.equal(id(press("ArrowRight")), "next");
  assert.equal(id(press("ArrowRight", { shiftKey: true })), "next-ten");
  assert.equal(id(press(" ")), "play");
  assert.equal(id(press("?", { shiftKey: true })), "help");
  assert.equal(id(press("+", { shiftKey: true })), "zoom-in");
  assert.equal(id(press("e")), "edit");
  assert.equal(id(press("E", { shiftKey: true })), "export");
  assert.equal(
    id(press("k", { metaKey: true }), { isTyping: true, allowsLetters: false }),
    "palette",
  );
  assert.equal(id(press("e"), { isTyping: true, allowsLetters: true }), undefined);
  assert.equal(id(press("e"), { isTyping: false, allowsLetters: false }), undefined);
  assert.equal(id(press("Home"), { isTyping: false, allowsLetters: false }), "first");
  assert.equal(id(press("e", { altKey: true })), undefined);
  const keys = COMMANDS.flatMap((command) => command.keys);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(COMMANDS.map((command) => command.id)).size, COMMANDS.length);
  assert.deepEqual([
    keyText("Mod+K", false),
    keyText("Mod+K", true),
    keyText("+", false),
    keyText("Shift+ArrowLeft", false),
  ], ["⌃K", "⌘K", "+", "⇧←"]);
});

Deno.test("finds commands by the words of their titles", () => {
  assert.deepEqual(searchTitles(COMMANDS, "ne ent").map(({ id }) => id).slice(0, 1), ["next"]);
  assert.equal(searchTitles(COMMANDS, "move before")[0]?.id, "move-before");
  assert.deepEqual(searchTitles(COMMANDS, "zzz"), []);
  assert.equal(searchTitles(COMMANDS, "").length, COMMANDS.length);
});

const summary = (
  /** @type {number} */ id,
  /** @type {JsonObject} */ more = {},
  /** @type {JsonObject} */ header = {},
) => ({
  header: {
    timeline: `0b9f3c52-6d1e-4c7a-9a57-${String(id).padStart(12, "0")}`,
    app: { name: "Commute", run: "r1", pid: 4121 },
    machine: { type: "A.B", name: `m${id}` },
    started: `2026-05-01T08:00:0${id}Z`,
    format: 1,
    ...header,
  },
  entries: 1,
  bytes: 1,
  duration: 1,
  ...more,
});

Deno.test("lists live apps first, branches below what they branch from", () => {
  const parent = {
    timeline: summary(1).header.timeline,
    through: 3,
    start: 2,
    edits: [],
    name: "without retry",
  };
  const message = toInspector({
    type: "timelines",
    timelines: [
      summary(4, {}, { app: { name: "Checkout" } }),
      summary(2, { live: true }),
      summary(3, {}, { parent }),
      summary(1, { live: true }),
    ],
  });
  assert.ok(message?.type === "timelines");
  const show = (search = "") =>
    listSources(message.timelines, { search, describe: () => "yesterday" }).map((row) =>
      row.is === "timeline"
        ? `${" ".repeat(row.depth + 1)}${row.name}`
        : `${row.name} ${row.is === "app" ? row.detail : row.count}`
    );
  assert.deepEqual(show(), [
    "Commute pid 4121",
    " m1",
    "  without retry",
    " m2",
    "Checkout yesterday",
    " m4",
  ]);
  assert.deepEqual(show("retry"), ["Commute pid 4121", " m1", "  without retry"]);
  assert.deepEqual(show("nothing"), []);
});

Deno.test("lists machines made in the same millisecond by name, however they arrive", () => {
  const message = toInspector({
    type: "timelines",
    timelines: [10, 2, 1].map((id) => summary(id, {}, { started: "2026-05-01T08:00:00Z" })),
  });
  assert.ok(message?.type === "timelines");
  const rows = listSources(message.timelines, { describe: () => "" });
  assert.deepEqual(rows.slice(1).map(({ name }) => name), ["m1", "m2", "m10"]);
});

Deno.test("does not invent an unknown old value", () => {
  const patch = readPatch([{ op: "replace", path: "/n", value: 2 }]);
  assert.deepEqual(shown(flattenTree({ value: { n: 2 }, patch, open: new Set() })), [
    "n 2 changed",
  ]);
});

Deno.test("a press on any part of a pixel means what begins in it", () => {
  const span = { start: 0, end: 1_000 };
  // An entry at 253 is drawn in pixel 50 of 200, which begins at 250.
  const pressed = (/** @type {number} */ x) => toPlaceDrawn(span, x, 200);
  for (const x of [50, 50.4, 50.9]) assert.ok(pressed(x) >= 253 && pressed(x) < 255, String(x));
  assert.ok(pressed(49.9) < 250);
  assert.equal(pressed(200), 1_000);
});
