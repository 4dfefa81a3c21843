import assert from "node:assert/strict";
import { decodeBase64 } from "../../../web/base/bytes.js";
import { equalJson, isObject, member, parseJson } from "../../../web/base/json.js";
import {
  causeElsewhere,
  changedNothing,
  changedOutputs,
  entry,
  isThinned,
} from "../../../web/wire/entry.js";
import { fromInspector, writeFromInspector } from "../../../web/wire/from-inspector.js";
import { header, readSchema } from "../../../web/wire/header.js";
import { readOverview } from "../../../web/wire/overview.js";
import { WireError } from "../../../web/wire/shape.js";
import { ERROR_CODES, readToInspector } from "../../../web/wire/to-inspector.js";
import { listExamples, readExample } from "../fixtures.js";

/** @import { Json } from "../../../web/base/json-types.d.ts" */

const names = listExamples("messages");

/** @param {Json} value @param {(json: Json, path: string[]) => void} visit @param {string[]} [path] */
function walk(value, visit, path = []) {
  visit(value, path);
  if (isObject(value)) {
    for (const key of Object.keys(value)) walk(value[key] ?? null, visit, [...path, key]);
  }
}

Deno.test("reads every message that a daemon sends to an inspector, and loses nothing of it", async () => {
  const files = names.filter((name) => name.startsWith("to-inspector."));
  assert.ok(files.length >= 26);
  for (const name of files) {
    const text = await readExample(`messages/${name}`);
    const message = readToInspector(text);
    assert.equal(message?.type, name.split(".")[1], name);
    // Headers turn some objects into maps; all the rest must be what was sent.
    if (!text.includes('"header"')) {
      assert.ok(
        equalJson(/** @type {Json} */ (/** @type {unknown} */ (message)), parseJson(text)),
        name,
      );
    }
  }
});

Deno.test("writes every message of an inspector as the daemon reads it", async () => {
  const files = names.filter((name) => name.startsWith("from-inspector."));
  assert.ok(files.length >= 35);
  for (const name of files) {
    const json = parseJson(await readExample(`messages/${name}`));
    const { message, id } = fromInspector(json);
    assert.ok(equalJson(parseJson(writeFromInspector(message, id)), json), name);
  }
});

Deno.test("names the key that is missing or of another type, in every message of both directions", async () => {
  for (const name of names.filter((name) => name.includes("inspector."))) {
    const text = await readExample(`messages/${name}`);
    const read = name.startsWith("to-")
      ? (/** @type {Json} */ json) => void readToInspector(JSON.stringify(json))
      : (/** @type {Json} */ json) => void fromInspector(json);
    const json = JSON.parse(text);
    for (const key of Object.keys(json)) {
      for (const wrong of [true, "~", -1, {}, [[]]]) {
        const broken = { ...json, [key]: wrong };
        try {
          read(broken);
        } catch (error) {
          assert.ok(error instanceof WireError, `${name}: ${error}`);
          assert.ok(error.path.startsWith(key), `${name}: ${error.message} at ${error.path}`);
        }
      }
    }
    assert.throws(() => read([]), WireError);
  }
});

Deno.test("reads the headers and entries that recorders send", async () => {
  const open = parseJson(await readExample("messages/from-recorder.open.json"));
  assert.equal(header(member(open, "header") ?? null, "header").app.name, "Commute");
  const append = parseJson(await readExample("messages/from-recorder.append.json"));
  const entries = member(append, "entries");
  assert.ok(Array.isArray(entries));
  const read = entries.map((one) => entry(one, ""));
  assert.deepEqual(changedOutputs(read[1] ?? assert.fail()), [
    { name: "side", fires: false, value: "Tails" },
  ]);
});

Deno.test("ignores types that a newer daemon may send, and refuses what is not a message", () => {
  assert.equal(readToInspector('{"type":"toString"}'), undefined);
  assert.equal(readToInspector('{"type":"later","x":1}'), undefined);
  for (
    const frame of [
      "",
      "[]",
      "{}",
      '{"type":1}',
      '{"type":"gone"}',
      '{"type":"gone","timeline":"x"}',
    ]
  ) {
    assert.throws(() => readToInspector(frame), WireError, frame);
  }
});

Deno.test("leaves out an entry that cannot be read, and keeps the others", () => {
  const message = readToInspector(
    '{"type":"entries","re":1,"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","entries":[{"seq":-1},{"seq":2,"t":1,"event":"x"}]}',
  );
  assert.equal(message?.type, "entries");
  assert.deepEqual(message?.type === "entries" && message.entries.map((one) => one.seq), [2]);
});

Deno.test("refuses a greater format before anything else, with what to do", () => {
  assert.throws(() => header({ format: 2 }, ""), /newer inspector/);
  assert.throws(() => header({ format: 1 }, ""), /timeline is missing/);
});

Deno.test("reads causes, thinned entries and outputs that fire", () => {
  const read = (/** @type {string} */ text) => entry(parseJson(text), "");
  assert.ok(isThinned(read('{"seq":1,"t":0,"event":"x"}')));
  assert.ok(!isThinned(read('{"seq":1,"t":0,"event":"x","patch":[]}')));
  assert.deepEqual(
    causeElsewhere(
      read('{"seq":3,"t":11,"event":"x","cause":"0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10:5"}'),
    ),
    { timeline: "0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10", seq: 5 },
  );
  assert.throws(() => read('{"seq":1,"t":0,"cause":[]}'), WireError);
  assert.deepEqual(
    changedOutputs(
      read(
        '{"seq":1,"t":0,"patch":[],"outputs":[{"op":"add","path":"/a~1b","value":1},{"op":"replace","path":"/list/0","value":1}]}',
      ),
    ),
    [{ name: "a/b", fires: true, value: 1 }, { name: "list", fires: false, value: undefined }],
  );
});

Deno.test("reads the schema of the protocol's page, and takes unknown kinds for any", async () => {
  const page = await Deno.readTextFile(new URL("../../../docs/protocol.md", import.meta.url));
  const line = page.split("\n").find((line) => line.startsWith('{"type":"App.Event"'));
  const schema = readSchema(parseJson(line ?? ""));
  assert.equal(schema?.cases[0]?.payload?.[0]?.element?.type, "App.Stop");
  assert.equal(schema?.types?.get("App.Stop")?.fields?.[0]?.kind, "bool");
  assert.equal(
    readSchema({ cases: [{ name: "a", payload: [{ key: "x", kind: "later" }] }] })?.cases[0]
      ?.payload?.[0]?.kind,
    "any",
  );
  assert.equal(readSchema({ cases: 1 }), undefined);
});

Deno.test("reads the overview's frame, also where its bytes are not aligned", async () => {
  const { base64, columns } = JSON.parse(await readExample("overview.json"));
  const bytes = decodeBase64(base64);
  assert.ok(bytes);
  const overview = readOverview(bytes.buffer);
  assert.deepEqual(overview.lanes, ["flip", "other"]);
  const read = [
    overview.entries,
    overview.errors,
    overview.lost,
    overview.keyframes,
    overview.thinned,
    ...overview.byLane,
  ];
  assert.deepEqual(read.map((column) => [...column]), columns);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => readOverview(bytes.buffer.slice(0, length)), WireError, `${length} bytes`);
  }
  const large = bytes.slice();
  large.set([255, 255, 255, 252]);
  assert.throws(() => readOverview(large.buffer), WireError);
});

Deno.test("survives any message with a missing part", async () => {
  for (const name of names.filter((name) => name.startsWith("to-inspector."))) {
    const text = await readExample(`messages/${name}`);
    walk(parseJson(text), (_, path) => {
      if (path.length === 0) return;
      const json = JSON.parse(text);
      let parent = json;
      for (const key of path.slice(0, -1)) parent = parent[key];
      delete parent[path.at(-1) ?? ""];
      try {
        readToInspector(JSON.stringify(json));
      } catch (error) {
        assert.ok(error instanceof WireError, `${name} without ${path.join(".")}: ${error}`);
      }
    });
  }
});

Deno.test("knows exactly the error codes of docs/protocol.md", async () => {
  const page = await Deno.readTextFile(new URL("../../../docs/protocol.md", import.meta.url));
  const [, table = ""] = /\n## Errors\n[^]*?\n\|---\|---\|\n([^]*?)\n\n/.exec(page) ?? [];
  const codes = table.split("\n").flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, code]) => code)
  );
  assert.ok(codes.length > 10);
  assert.deepEqual(codes, ERROR_CODES);
});

Deno.test("knows an event that changed nothing from one whose change is not known", () => {
  const entry = { seq: 3, t: 5, event: "arrived", patch: [] };
  assert.ok(changedNothing(entry));
  assert.ok(changedNothing({ ...entry, outputs: [] }));
  const operation = { op: "replace", path: "/a", value: 1 };
  for (
    const other of [
      { ...entry, patch: [operation] },
      { ...entry, outputs: [operation] },
      { ...entry, error: "trapped" },
      { seq: 3, t: 5, event: "arrived" },
      { seq: 3, t: 5, patch: [] },
    ]
  ) assert.ok(!changedNothing(other), JSON.stringify(other));
});
