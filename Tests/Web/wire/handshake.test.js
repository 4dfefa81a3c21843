import assert from "node:assert/strict";
import { hmac, hmacKey } from "../../../web/base/hmac.js";
import { answerTo, credentialOf, newNonce, sessionOf } from "../../../web/wire/handshake.js";

// The example of docs/protocol.md, computed by Python's hmac.
const SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const DAEMON = "af132748bad898ab5ece8de6f876fe9e31dd407c33b3a966b9e52275953070d0";
const PAGE = "5c844ecf866e36ee539d91a797b3d39ab8f20bae05b02b8298656e85b1cc5d7c";
const SESSION = "a7435fdbeb56b6699d31b3de0ae030f67d55327f5bbd8944bcedc7a3f25f3249";
const BOOT = "7df2aac766529c27a8b1b6c87f2de137126c6c0174ba56671ed0ac08b3fc0c3e";

const welcome = {
  type: /** @type {const} */ ("welcome"),
  version: "1.0",
  daemon: "0.1.0",
  session: "s3",
  boot: "202122232425262728292a2b2c2d2e2f",
  capabilities: [],
  maxMessage: 1,
};

async function handshake(code = `c1.${SECRET}`) {
  const credential = await credentialOf(code);
  assert.ok(credential);
  return {
    credential,
    host: "127.0.0.1:7357",
    nonce: "000102030405060708090a0b0c0d0e0f",
    daemonNonce: "101112131415161718191a1b1c1d1e1f",
  };
}

Deno.test("answers the daemon's proof with its own, as docs/protocol.md shows", async () => {
  assert.equal(await answerTo(await handshake(), DAEMON), PAGE);
});

Deno.test("refuses any other proof: a wrong one, its own, one for another host, nonce, or key", async () => {
  const right = await handshake();
  const { credential } = right;
  for (
    const [texts, proof] of /** @type {[typeof right, string][]} */ ([
      [right, ""],
      [right, PAGE],
      [right, DAEMON.toUpperCase()],
      [{ ...right, host: "127.0.0.1:7358" }, DAEMON],
      [{ ...right, nonce: right.daemonNonce }, DAEMON],
      [{ ...right, daemonNonce: right.nonce }, DAEMON],
      [{ ...right, credential: { ...credential, name: "c2" } }, DAEMON],
      [await handshake(`c1.${SECRET.replace("0", "1")}`), DAEMON],
    ])
  ) assert.equal(await answerTo(texts, proof), undefined);
});

Deno.test("derives the session's key, and from it the one that is stored", async () => {
  const derived = await sessionOf(await handshake(), welcome);
  assert.ok(derived);
  const { session, stored } = derived;
  const text = "anything";
  assert.equal(await hmac(session.key, text), await hmac(await hmacKey(SESSION), text));
  assert.equal(await hmac(stored.key, text), await hmac(await hmacKey(BOOT), text));
  assert.deepEqual([session.name, session.boot], ["s3", undefined]);
  assert.deepEqual([stored.name, stored.boot], ["s3", welcome.boot]);
  const again = await sessionOf({ ...await handshake(), credential: session }, welcome);
  assert.equal(again?.session.key, session.key);
  const loaded = await sessionOf({ ...await handshake(), credential: stored }, welcome);
  assert.equal(loaded, undefined);
});

Deno.test("accepts only a valid code", async () => {
  for (const text of ["", "c1", `.${SECRET}`, `c1.${SECRET}.`, `c 1.${SECRET}`, "c1.short"]) {
    assert.equal(await credentialOf(text), undefined);
  }
});

Deno.test("makes nonces of 32 bytes, and no two alike", () => {
  const nonces = Array.from({ length: 8 }, newNonce);
  assert.ok(nonces.every((nonce) => /^[\da-f]{64}$/.test(nonce)));
  assert.equal(new Set(nonces).size, 8);
});
