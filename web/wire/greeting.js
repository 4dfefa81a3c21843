/**
 * How a connection to a daemon begins, as a machine: the daemon proves itself first, and until then
 * the page sends a name and random digits only.
 */

import { writeFromInspector } from "./from-inspector.js";

/** @import { Action } from "./connection-state.js" */
/** @import { Credential, Handshake } from "./handshake.js" */
/** @import { Message } from "./to-inspector.js" */

/** The protocol that this page speaks. */
export const PROTOCOL = "1.0";

const USED_CODE = "The code was used or has expired, or another program has the daemon's port.";
const UNKNOWN_SESSION =
  "The daemon does not know this page's session, or another program has its port.";
/** A page that was loaded again has only the key that expires with the daemon. */
const EXPIRED_KEY =
  "The daemon was probably started again since this page was loaded, so the page has to sign in again. If not, another program has its port.";
const NO_SESSION = "This page has no session.";

/**
 * @typedef {object} Credentials
 * @property {string} [code] good once
 * @property {string} [client] how the page calls itself
 * @property {string} [host] the page's host and port, to which proofs are bound
 */

export class Greeting {
  #credentials;
  /** The session's own key, once the page has one. @type {Credential | undefined} */
  #session;
  /** Which connection it is, to know late results of another one. */
  #attempt = 0;
  /** @type {{ credential: Credential | undefined, nonce: string } | undefined} */
  #first;
  #isProved = false;
  /** @type {Handshake | undefined} */
  #handshake;
  #usedCode = false;
  /** Whether the next key is the one that the browser stores, instead of the session's own. */
  #triesStored = false;
  /** @type {Credential | undefined} */
  #failed;

  /** @param {Credentials} credentials */
  constructor(credentials) {
    this.#credentials = { ...credentials };
  }

  /** Whether the daemon proved itself on this connection. */
  get isProved() {
    return this.#isProved;
  }

  /** @param {Credentials} credentials */
  authorize(credentials) {
    this.#credentials = { ...this.#credentials, ...credentials };
  }

  /** @param {number} attempt */
  isAt(attempt) {
    return attempt === this.#attempt;
  }

  /** The socket is open: which key is it to be? @returns {Action[]} */
  begin() {
    this.#attempt += 1;
    this.#first = this.#handshake = undefined;
    this.#isProved = false;
    // A code is newer than any session that this page still knows.
    return [{ do: "prepare", attempt: this.#attempt, code: this.#credentials.code }];
  }

  /**
   * @param {Credential | undefined} credential
   * @param {string} nonce
   * @returns {Action[]}
   */
  prepared(credential, nonce) {
    this.#first = { credential, nonce };
    const { name, boot } = credential ?? {};
    return hello(credential ? { key: name, boot, nonce } : {});
  }

  /** @param {Message<"challenge">} challenge @returns {Action[]} */
  challenged({ nonce: daemonNonce, proof }) {
    const { credential, nonce = "" } = this.#first ?? {};
    if (!credential || this.#handshake) return [];
    const { host = "" } = this.#credentials;
    this.#handshake = { credential, host, nonce, daemonNonce };
    return [{ do: "check", attempt: this.#attempt, handshake: this.#handshake, proof }];
  }

  /** The daemon proved itself. @param {string} proof the page's own @returns {Action[]} */
  checked(proof) {
    this.#isProved = true;
    return hello({ proof, client: this.#credentials.client });
  }

  /** @param {Message<"welcome">} welcome @returns {Action[]} */
  welcomed(welcome) {
    delete this.#credentials.code;
    if (this.#triesStored) this.#session = undefined;
    this.#triesStored = false;
    return this.#handshake ? [{ do: "keep", handshake: this.#handshake, welcome }] : [];
  }

  /** The page has the key of a session. @param {Credential} session */
  keyed(session) {
    this.#session = session;
  }

  /**
   * The daemon does not let the page in. The browser may know a session that does: of another page that
   * signed in meanwhile, or the one from before a code that was used up.
   *
   * @param {string} why
   * @returns {Action[]}
   */
  refused(why) {
    this.#attempt += 1;
    this.#usedCode = this.#credentials.code !== undefined;
    delete this.#credentials.code;
    return [{ do: "recall", attempt: this.#attempt, why }];
  }

  /**
   * Whether there is something else to try. Only a daemon that proved itself ends the session of
   * this page; a program that proved nothing may have taken over the port.
   *
   * @param {Credential | undefined} stored what the browser stores by now
   */
  recalled(stored) {
    if (this.#credentials.code !== undefined) return true;
    if (this.#usedCode && this.#session) return true;
    const failed = this.#usedCode ? undefined : this.session ?? this.#first?.credential;
    this.#failed = failed;
    const isNew = stored !== undefined && (!failed || stored.name !== failed.name ||
      (failed.boot !== undefined && stored.boot !== failed.boot));
    if (this.#isProved) this.#session = undefined;
    this.#triesStored = isNew && !this.#isProved;
    return isNew;
  }

  /** Why the page is not let in, when the daemon has not proved itself: a stranger's words are not shown. */
  get reason() {
    if (this.#usedCode) return USED_CODE;
    if (!this.#failed) return NO_SESSION;
    return this.#failed.boot === undefined ? UNKNOWN_SESSION : EXPIRED_KEY;
  }

  /** What the daemon refused last. */
  get failed() {
    return this.#failed;
  }

  /** The session's own key, unless another one is to be tried. */
  get session() {
    return this.#triesStored ? undefined : this.#session;
  }
}

/**
 * @param {{ key?: string | undefined, boot?: string | undefined, nonce?: string,
 *   proof?: string, client?: string | undefined }} members
 * @returns {Action[]}
 */
function hello(members) {
  const known = Object.fromEntries(Object.entries(members).filter(([, value]) => value));
  return [{
    do: "send",
    frame: writeFromInspector({ type: "hello", version: PROTOCOL, ...known }),
  }];
}
