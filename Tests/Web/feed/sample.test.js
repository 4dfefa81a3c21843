import assert from "node:assert/strict";
import { ungzipped } from "../../../web/base/gzip.js";
import { fetchSample, SampleError } from "../../../web/feed/sample.js";
import { placeOfSample, readSample, SAMPLES } from "../../../web/model/files/samples.js";

const WEB = new URL("../../../web/", import.meta.url);

/** @param {string} text */
const packed = (text) =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();

Deno.test("an address names a sample", () => {
  assert.equal(readSample("?sample=basket"), "basket");
  assert.equal(readSample("?sample="), undefined);
  assert.equal(readSample(""), undefined);
});

Deno.test("only names of the table become part of an address", async () => {
  assert.equal(placeOfSample("../app.js"), undefined);
  await assert.rejects(
    fetchSample("../app.js", () => assert.fail("it must not be fetched")),
    (error) => error instanceof SampleError && /The samples are: basket, /.test(error.message),
  );
});

Deno.test("a sample arrives unpacked, whether or not the browser has unpacked it already", async () => {
  for (const body of [await packed("line\n"), new Blob(["line\n"])]) {
    const file = await fetchSample("basket", (place) => {
      assert.equal(place, "samples/basket.timeline.gz");
      return Promise.resolve(new Response(body));
    });
    assert.equal(file.name, "basket.timeline");
    assert.equal(await file.text(), "line\n");
  }
});

Deno.test("a missing or damaged sample is reported with its address", async () => {
  // No file of the reader's is damaged, so there is none to check.
  for (
    const [response, why] of /** @type {const} */ ([
      [new Response("", { status: 404 }), "the server answered 404"],
      [new Response(new Uint8Array([0x1f, 0x8b, 1, 2, 3])), "It is damaged or cut off"],
    ])
  ) {
    await assert.rejects(fetchSample("basket", () => Promise.resolve(response)), {
      message: `The sample 'basket' cannot be loaded from samples/basket.timeline.gz: ${why}.`,
    });
  }
});

Deno.test("every sample is in the folder, nothing else is, and together they are small", async () => {
  const found = [];
  let bytes = 0;
  for await (const { name } of Deno.readDir(new URL("samples/", WEB))) {
    found.push(`samples/${name}`);
    bytes += (await Deno.stat(new URL(`samples/${name}`, WEB))).size;
  }
  assert.deepEqual(found.sort(), SAMPLES.map(({ name }) => placeOfSample(name)).sort());
  assert.ok(bytes < 1_000_000, `${bytes} bytes`);
});

Deno.test("the table has the lengths of the samples", async () => {
  const counts = [];
  for (const { name } of SAMPLES) {
    const file = new Blob([await Deno.readFile(new URL(`samples/${name}.timeline.gz`, WEB))]);
    const lines = (await (await ungzipped(file)).text()).trimEnd().split("\n");
    // The first line is the header, the second the start: the rest are events.
    counts.push(lines.length - 2);
  }
  const [basket, , long = 0] = counts;
  assert.equal(basket, 29);
  assert.equal(long, 9_999);
});
