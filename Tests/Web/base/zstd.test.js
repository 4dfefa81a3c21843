import assert from "node:assert/strict";
import { isZstd, unpackZstd, ZstdError } from "../../../web/base/zstd.js";
import { Buffer } from "node:buffer";
import { Random } from "../random.js";

/**
 * What the program `zstd` makes of bytes.
 *
 * @param {Uint8Array} bytes
 * @param {string[]} options
 */
async function pack(bytes, ...options) {
  const zstd = new Deno.Command("zstd", {
    args: ["-q", "-c", ...options],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = zstd.stdin.getWriter();
  void input.write(bytes).then(() => input.close());
  const { stdout, success } = await zstd.output();
  assert.ok(success);
  return stdout;
}

const sample = await new Response(
  (await Deno.open(new URL("../../../web/samples/long.timeline.gz", import.meta.url)))
    .readable.pipeThrough(new DecompressionStream("gzip")),
).bytes();

/** Bytes of many kinds: even, repeating, random, short, and longer than a block. */
function kinds() {
  const random = new Random(5);
  const words = ["add", "remove", "checkout", "🛒", "\0", "aaaaaaaaaaaaaaaaaaaaaaaa"];
  const encoder = new TextEncoder();
  return [
    new Uint8Array(),
    encoder.encode("x"),
    encoder.encode("Stateline ".repeat(3)),
    new Uint8Array(300_000),
    sample.subarray(0, 700_000),
    Uint8Array.from({ length: 200_000 }, () => random.below(256)),
    Uint8Array.from({ length: 200_000 }, () => random.below(3) * random.below(90)),
    ...Array.from({ length: 12 }, (_, place) => {
      const size = place * 3;
      const texts = Array.from(
        { length: size * size * 7 },
        () => words[random.below(words.length)] + String(random.below(2 + size)),
      );
      return encoder.encode(texts.join(size % 2 === 0 ? "," : ""));
    }),
  ];
}

Deno.test("unpacks what the program zstd packs, at every kind of level", async () => {
  for (
    const options of [["-1"], ["-3"], ["--fast=5"], ["-12", "--no-check"], ["-19", "--long=27"]]
  ) {
    for (const [kind, bytes] of kinds().entries()) {
      const packed = await pack(bytes, ...options);
      assert.ok(isZstd(packed));
      const unpacked = unpackZstd(packed);
      assert.ok(Buffer.compare(unpacked, bytes) === 0, `${options.join(" ")}, kind ${kind}`);
    }
  }
});

Deno.test("unpacks frames with a length in the header, several frames, and skips unknown ones", async () => {
  for (const size of [5, 255, 256, 65_791, 65_792, 200_000]) {
    const bytes = sample.subarray(0, size);
    const packed = await pack(bytes, "-3", `--stream-size=${size}`);
    assert.ok(Buffer.compare(unpackZstd(packed), bytes) === 0);
    const skipped = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
    const several = new Uint8Array(Buffer.concat([packed, skipped, packed]));
    assert.ok(Buffer.compare(unpackZstd(several), Buffer.concat([bytes, bytes])) === 0);
  }
});

Deno.test("refuses damaged, cut off, and too large frames", async () => {
  const bytes = sample.subarray(0, 30_000);
  const packed = await pack(bytes, "-3", `--stream-size=${bytes.length}`);
  let unchanged = 0;
  for (let at = 0; at < packed.length; at++) {
    const damaged = packed.slice();
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    // Some bits do not change what is unpacked.
    if (isUnpackedTo(damaged, bytes)) unchanged += 1;
    if (at > 0) assert.throws(() => unpackZstd(packed.subarray(0, at)), ZstdError, `${at} bytes`);
  }
  assert.ok(unchanged < packed.length / 100, `${unchanged} of ${packed.length}`);
  assert.throws(() => unpackZstd(packed, bytes.length - 1), /more than the page can hold/);
  assert.deepEqual(unpackZstd(packed, bytes.length), bytes);
});

/**
 * Whether it unpacks to the same bytes; false if it is refused.
 *
 * @param {Uint8Array} packed
 * @param {Uint8Array} bytes
 */
function isUnpackedTo(packed, bytes) {
  try {
    assert.ok(Buffer.compare(unpackZstd(packed), bytes) === 0, "other bytes without an error");
    return true;
  } catch (error) {
    if (error instanceof ZstdError) return false;
    throw error;
  }
}
