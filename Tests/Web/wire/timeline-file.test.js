import assert from "node:assert/strict";
import { FLAGS, TimelineFileError, TimelineFileReader } from "../../../web/wire/timeline-file.js";
import { readFixture } from "../fixtures.js";

const encoder = new TextEncoder();

/** @param {string | Uint8Array} file @param {number} [size] */
function read(file, size = 7) {
  const bytes = typeof file === "string" ? encoder.encode(file) : file;
  const reader = new TimelineFileReader();
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return reader.finish();
}

const text = await readFixture("timelines/every-shape.timeline");

Deno.test("indexes a file of every shape, wherever its chunks end", () => {
  for (const size of [1, 64, 100_000]) {
    const { header, index, tornBytes } = read(text, size);
    assert.equal(header.machine.name, "coin");
    assert.equal(header.timeline, "6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3");
    assert.equal(index.count, 13);
    assert.equal(tornBytes, 0);
    assert.deepEqual([...index.seqs.subarray(0, 13)], [
      0,
      1,
      2,
      3,
      4,
      5,
      9,
      10,
      11,
      12,
      13,
      14,
      15,
    ]);
    assert.equal(index.lost.get(6), 3);
    assert.ok((index.flags[4] ?? 0) & FLAGS.thinned);
    assert.ok((index.flags[9] ?? 0) & FLAGS.error);
    assert.equal(index.placeOf(6), 6);
    assert.equal(index.placeAt(21), 7);
    assert.equal(index.placeOf(99), 13);
    const bytes = encoder.encode(text);
    const line = new TextDecoder().decode(bytes.subarray(index.offsets[2], index.offsets[3]));
    assert.equal(JSON.parse(line).seq, 2);
  }
});

Deno.test("reads complete entries of a file that is cut off anywhere", () => {
  const bytes = encoder.encode(text);
  const headerEnd = bytes.indexOf(10);
  for (let length = headerEnd + 1; length < bytes.length; length++) {
    const { index, tornBytes } = read(bytes.subarray(0, length), 4_096);
    const lines = new TextDecoder().decode(bytes.subarray(0, length)).split("\n");
    const last = lines.pop() ?? "";
    const isWhole = last.endsWith("}") && (() => {
      try {
        return JSON.parse(last).seq >= 0;
      } catch {
        return false;
      }
    })();
    assert.equal(index.count, lines.length - 1 + (isWhole ? 1 : 0), `${length} bytes`);
    assert.equal(tornBytes > 0, last !== "" && !isWhole);
  }
});

Deno.test("says what is wrong with a file, and in which line", () => {
  const [head = "", zero = ""] = text.split("\n");
  /** @type {[string | Uint8Array, RegExp][]} */
  const cases = [
    ["", /empty/],
    ["hello\nworld\n", /Line 1: not a \.timeline file/],
    ['{"timeline":"x', /ends inside its header/],
    [`${head}\n\n`, /Line 2: the line is blank/],
    [`${head}\n${zero}\n${head}\n`, /Line 3: a second header/],
    [`${head}\n${zero}\n${zero}\n`, /Line 3: 0 cannot follow 0/],
    [`${head}\n${zero}\n{"seq":2,"t":1,"event":"x"}\n`, /Line 3: 2 follows 0 without a gap/],
    [`${head}\n${zero}\nnonsense\n`, /Line 3: this is not JSON/],
    [`${head}\n{"seq":0,"t":5,"state":1}\n{"seq":1,"t":4,"event":"x"}\n`, /the time goes back/],
    [head.replace('"format":1', '"format":2') + "\n", /newer inspector/],
    ["\ufeff" + head + "\n", /byte order mark/],
    [Uint8Array.of(0xff, 0xfe, 10), /not a \.timeline file/],
  ];
  for (const [file, message] of cases) {
    assert.throws(
      () => read(file),
      (error) => error instanceof TimelineFileError && message.test(error.message),
      String(message),
    );
  }
});

Deno.test("names the line that is not UTF-8, wherever chunks end", () => {
  const header = text.slice(0, text.indexOf("\n") + 1);
  const lines = Array.from({ length: 9 }, (_, seq) => {
    const entry = { seq, t: seq, ...(seq > 0 ? { event: `é${seq}` } : { state: "😀" }) };
    return `${JSON.stringify(entry)}\n`;
  });
  const whole = encoder.encode(header + lines.join(""));
  const damaged = whole.slice();
  const before = encoder.encode(header + lines.slice(0, 5).join(""));
  const broken = before.length + (lines[5] ?? "").indexOf("é");
  damaged[broken] = 0xff;
  for (let size = 1; size <= whole.length; size++) {
    const { index } = read(whole, size);
    assert.deepEqual(index.names, ["", ...lines.keys().drop(1).map((seq) => `é${seq}`)]);
    assert.throws(() => read(damaged, size), /^TimelineFileError: Line 7: this is not JSON/);
  }
});

Deno.test("grows with the file", () => {
  const [head = ""] = text.split("\n");
  const lines = Array.from(
    { length: 1_000 },
    (_, seq) =>
      JSON.stringify(
        seq === 0 ? { seq, t: 0, state: 0 } : { seq, t: seq, event: `e${seq % 3}`, patch: [] },
      ),
  );
  const { index } = read([head, ...lines].join("\n"), 10_000);
  assert.equal(index.count, 1_000);
  assert.deepEqual(index.names, ["", "e1", "e2", "e0"]);
  assert.equal(index.nameCounts.reduce((sum, count) => sum + count), 1_000);
  assert.equal(index.seqs[999], 999);
});

Deno.test("refuses a header of more than 1 MiB before its end", () => {
  const [header = "", ...entries] = text.split("\n");
  const fitting = [header.padEnd(1 << 20), ...entries].join("\n");
  assert.equal(read(fitting, 1 << 16).index.count, 13);
  const reader = new TimelineFileReader();
  const spaces = encoder.encode(" ".repeat(1 << 16));
  let pieces = 0;
  assert.throws(
    () => {
      for (; pieces < 5_000; pieces++) reader.push(spaces);
    },
    new TimelineFileError("the header is longer than 1 MiB", 1),
  );
  assert.equal(pieces, 16);
  const long = [header.padEnd((1 << 20) + 1), ...entries].join("\n");
  assert.throws(() => read(long, 1 << 22), /^TimelineFileError: Line 1: the header is longer/);
});
