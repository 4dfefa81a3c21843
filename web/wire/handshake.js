/**
 * What page and daemon prove to each other before the page sends anything: that both know the secret
 * of a code or session. docs/protocol.md, "Connecting", describes it.
 */

import { hexadecimal, hmac, hmacKey } from "../base/hmac.js";

/** @import { HmacKey } from "../base/hmac.js" */
/** @import { Message } from "./to-inspector.js" */

/**
 * The key of proofs, under the name by which the daemon knows it. With a `boot` it is derived for one
 * run of the daemon.
 *
 * @typedef {{ name: string, key: HmacKey, boot?: string }} Credential
 */

/**
 * The texts of one handshake.
 *
 * @typedef {{ credential: Credential, host: string, nonce: string, daemonNonce: string }} Handshake
 */

/** Random digits that were never used before. */
export function newNonce() {
  return hexadecimal(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The credential in a code of `debugd open`, `<name>.<secret>`.
 *
 * @param {string} code
 * @returns {Promise<Credential | undefined>} nothing when it is not a code
 */
export async function credentialOf(code) {
  const [, name, secret] = /^(\w{1,32})\.(\w{32,128})$/.exec(code) ?? [];
  return name && secret ? { name, key: await hmacKey(secret) } : undefined;
}

/**
 * Checks the daemon's proof.
 *
 * @param {Handshake} handshake
 * @param {string} proof the daemon's
 * @returns {Promise<string | undefined>} the page's proof; nothing when it is not the daemon
 */
export async function answerTo(handshake, proof) {
  const expected = await hmac(handshake.credential.key, textOf(handshake, "daemon-to-inspector"));
  if (proof !== expected) return undefined;
  return hmac(handshake.credential.key, textOf(handshake, "inspector-to-daemon"));
}

/**
 * What a welcome entitles to: the session's own key, for as long as the page is open, and the one that
 * the browser may store.
 *
 * @param {Handshake} handshake
 * @param {Message<"welcome">} welcome
 * @returns {Promise<{ session: Credential, stored: Credential } | undefined>} nothing when the page
 *   came with a stored key
 */
export async function sessionOf(handshake, { session: name, boot }) {
  const { credential } = handshake;
  if (!name || !boot || credential.boot) return undefined;
  const key = credential.name === name
    ? credential.key
    : await hmacKey(await hmac(credential.key, textOf(handshake, "session")));
  const stored = await hmacKey(await hmac(key, `states-debugger/1 boot ${boot}`));
  return { session: { name, key }, stored: { name, boot, key: stored } };
}

/**
 * @param {Handshake} handshake
 * @param {string} purpose
 */
function textOf({ credential, host, nonce, daemonNonce }, purpose) {
  return `states-debugger/1 ${purpose} ${host} ${credential.name} ${nonce} ${daemonNonce}`;
}
