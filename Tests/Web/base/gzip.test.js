import assert from "node:assert/strict";
import { GzipError, ungzipped } from "../../../web/base/gzip.js";

/** @param {BlobPart} content */
const packed = (content) =>
  new Response(new Blob([content]).stream().pipeThrough(new CompressionStream("gzip"))).blob();

Deno.test("unpacks what begins as gzip, and nothing else", async () => {
  const plain = new Blob(["line\n"]);
  assert.equal(await ungzipped(plain), plain);
  const unpacked = await ungzipped(await packed("line\n"));
  assert.equal(await unpacked.text(), "line\n");
});

Deno.test("a decompression bomb is refused before it is unpacked", async () => {
  const maximum = 100_000;
  const bomb = await packed(new Uint8Array(200 * maximum));
  assert.ok(bomb.size < maximum);
  await assert.rejects(ungzipped(bomb, { maximum }), GzipError);
  const largest = await packed(new Uint8Array(maximum));
  assert.equal((await ungzipped(largest, { maximum })).size, maximum);
});

Deno.test("unpacking ends when it is canceled", async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(ungzipped(await packed("line\n"), { signal }), { name: "AbortError" });
});

Deno.test("an error of the file is not one of its format", async () => {
  const stream = () => new ReadableStream({ pull: () => Promise.reject(new RangeError("gone")) });
  const file = { stream, slice: () => new Blob([Uint8Array.of(0x1f, 0x8b)]) };
  await assert.rejects(ungzipped(file), RangeError);
});
