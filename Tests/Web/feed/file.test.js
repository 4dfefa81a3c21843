import assert from "node:assert/strict";
import { ExactNumber } from "../../../web/base/json.js";
import { FileFeed } from "../../../web/feed/file.js";
import { pack, unpack } from "../../../web/feed/file-messages.js";
import { FileServer } from "../../../web/feed/file-server.js";
import { RequestError } from "../../../web/wire/requests.js";
import { counterLines, HEADER, TIMELINE } from "../files.js";

/** @import { Reader } from "../../../web/feed/file.js" */

const timeline = TIMELINE;

/** A worker without a thread: messages are copied as between threads, and come later. */
class Copying {
  /** @type {Reader["onmessage"]} */
  onmessage = null;
  /** @type {Reader["onerror"]} */
  onerror = null;
  isEnded = false;
  #server = new FileServer((message) => this.#hand({ data: structuredClone(message) }));

  /** @param {unknown} message */
  postMessage(message) {
    const { do: what, file } = /** @type {{ do: string, file?: Blob }} */ (message);
    // A blob is handed over as it is.
    const copy = what === "open"
      ? { .../** @type {object} */ (message), file }
      : structuredClone(message);
    queueMicrotask(() => void this.#server.take(/** @type {never} */ (copy)));
  }

  terminate() {
    this.isEnded = true;
  }

  /** @param {{ data: unknown }} event */
  #hand(event) {
    if (this.isEnded) return;
    const take = /** @type {(event: { data: unknown }) => void} */ (
      /** @type {unknown} */ (this.onmessage)
    );
    queueMicrotask(() => take(event));
  }
}

/** @param {string[]} lines */
const fileOf = (lines) => new Blob([lines.join("\n") + "\n"]);

/** @param {number} count */
const counter = (count) => [HEADER, ...counterLines(count)].map((line) => JSON.stringify(line));

/**
 * @param {Blob} file
 * @param {Parameters<typeof FileFeed.open>[1]} [options]
 */
function open(file, options) {
  const worker = new Copying();
  const reader = /** @type {Reader} */ (/** @type {unknown} */ (worker));
  return { worker, opened: FileFeed.open(file, options, () => reader) };
}

Deno.test("gives the same results across threads, also for numbers beyond doubles", async () => {
  const lines = counter(50);
  lines.push('{"seq":50,"t":900000,"event":{"big":{"n":9007199254740993}},"patch":[]}');
  const feed = await open(fileOf(lines)).opened;
  const { timelines: [summary] } = await feed.ask({ type: "timelines" });
  assert.equal(summary?.entries, 51);
  const { entries } = await feed.ask({ type: "entries", timeline, from: 49, count: 5 });
  const event = /** @type {{ big: { n: unknown } }} */ (/** @type {unknown} */ (entries[1]?.event));
  assert.ok(event.big.n instanceof ExactNumber);
  assert.equal(String(event.big.n), "9007199254740993");
  await assert.rejects(
    feed.ask({ type: "state", timeline, seq: 99 }),
    (error) => error instanceof RequestError && error.code === "not-found",
  );
  const overview = await feed.ask({
    type: "overview",
    timeline,
    by: "seq",
    from: 0,
    to: 50,
    buckets: 1,
  });
  assert.deepEqual([...overview.entries], [51]);
});

Deno.test("reports marks, and ends a request that was canceled", async () => {
  const feed = await open(fileOf(counter(5_000))).opened;
  const news = new Promise((resolve) => feed.news.listen(resolve));
  await feed.ask({ type: "mark", timeline, seq: 3, text: "here" });
  assert.ok(await news);
  const controller = new AbortController();
  const question = { type: /** @type {const} */ ("find"), timeline, predicate: "t < 0", from: 0 };
  const asked = feed.ask(question, {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await assert.rejects(asked, /canceled/);
});

Deno.test("ends the worker when the reading is canceled, and when a file is not a timeline", async () => {
  const controller = new AbortController();
  const reading = open(fileOf(counter(100)), { signal: controller.signal });
  controller.abort();
  await assert.rejects(reading.opened, { name: "AbortError" });
  assert.ok(reading.worker.isEnded);
  const lines = counter(100);
  lines[60] = lines[60]?.slice(0, 20) ?? "";
  const broken = open(fileOf(lines));
  await assert.rejects(broken.opened, /Line 61: this is not JSON/);
  assert.ok(broken.worker.isEnded);
});

Deno.test("opens a compressed file, and says what is wrong with a damaged one", async () => {
  const zstd = new Deno.Command("zstd", { args: ["-qc"], stdin: "piped", stdout: "piped" }).spawn();
  await fileOf(counter(500)).stream().pipeTo(zstd.stdin);
  const { stdout: packed } = await zstd.output();
  const feed = await open(new Blob([packed])).opened;
  const state = await feed.ask({ type: "state", timeline, seq: 300 });
  const plain = await open(fileOf(counter(500))).opened;
  assert.deepEqual(state, await plain.ask({ type: "state", timeline, seq: 300 }));
  const damaged = open(new Blob([packed.slice(0, -1)]));
  await assert.rejects(damaged.opened, /It cannot be unpacked\. It is cut off\./);
  assert.ok(damaged.worker.isEnded);
});

Deno.test("opens a file that is compressed with gzip, and says how to check a damaged one", async () => {
  const stream = fileOf(counter(500)).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = await new Response(stream).blob();
  const feed = await open(packed).opened;
  const state = await feed.ask({ type: "state", timeline, seq: 300 });
  const plain = await open(fileOf(counter(500))).opened;
  assert.deepEqual(state, await plain.ask({ type: "state", timeline, seq: 300 }));
  for (const damaged of [packed.slice(0, -9), new Blob([packed.slice(0, 40), packed.slice(44)])]) {
    const broken = open(damaged);
    await assert.rejects(broken.opened, {
      message:
        "It cannot be unpacked. It is damaged or cut off. To check it, run: gunzip -t FILE.timeline.gz",
    });
    assert.ok(broken.worker.isEnded);
  }
});

/**
 * Branches as `debugd export --what-if` writes them, in a Zstandard frame of one block that is not
 * compressed.
 *
 * @param {string} text
 */
function branchesOf(text) {
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, length & 255, length >> 8, 0, 0];
  const block = (length << 3) | 1;
  const parts = [Uint8Array.of(...head, block & 255, (block >> 8) & 255, block >> 16), bytes];
  return { packed: new Blob(parts), first: 1, last: 9, count: 1, hasFewest: true, inserts: [] };
}

Deno.test("opens the branch with the fewest events after what the page shows first", async () => {
  const branch = TIMELINE.replace(/^./, "f");
  const parent = { timeline, through: 9, start: 2, edits: [{ cut: 1 }] };
  const header = JSON.stringify({ ...HEADER, timeline: branch, parent }) + "\n";
  const index = [{ edits: parent.edits, bytes: header.length, fewest: true }];
  const branches = branchesOf(`${JSON.stringify(index)}\n${header}`);
  const feed = await open(fileOf(counter(10)), { branches }).opened;
  /** @type {string[]} */
  const order = [];
  const opened = new Promise((resolve) =>
    feed.news.listen((news) => {
      order.push(news.type === "timeline" ? news.timeline.header.timeline : news.type);
      resolve(news);
    })
  );
  const ask = async (/** @type {Parameters<typeof feed.ask>[0]} */ request) => {
    await feed.ask(request);
    order.push(request.type);
  };
  await ask({ type: "timelines" });
  await ask({ type: "state", timeline, seq: 9 });
  const state = ask({ type: "state", timeline, seq: 8 });
  await Promise.all([ask({ type: "entries", timeline, from: 0, count: 10 }), state]);
  await opened;
  await ask({ type: "state", timeline, seq: 7 });
  assert.deepEqual(order.slice(0, 2), ["timelines", "state"]);
  assert.deepEqual(order.slice(2, 4).sort(), ["entries", "state"]);
  assert.deepEqual(order.slice(4), [branch, "state"]);
});

Deno.test("fails pending requests when the file is closed", async () => {
  const feed = await open(fileOf(counter(10))).opened;
  const asked = feed.ask({ type: "state", timeline, seq: 3 });
  feed.close();
  await assert.rejects(asked, /closed/);
});

Deno.test("packs only what a copy would lose", () => {
  const plain = { a: [1, { b: "x" }], counts: new Uint32Array(2) };
  assert.deepEqual(pack(plain), { value: plain, isPacked: false });
  assert.equal(pack(plain).value, plain);
  const delicate = { n: [new ExactNumber("1e400")], map: new Map([["k", { text: "t" }]]) };
  const { value, isPacked } = pack(delicate);
  assert.ok(isPacked);
  assert.deepEqual(unpack(structuredClone(value)), delicate);
});
