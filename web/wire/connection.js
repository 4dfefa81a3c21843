/**
 * The connection to a daemon as a machine without sockets and clocks: what happens goes in, what is
 * to be done comes out.
 */

import { unreadableAnswer } from "./answers.js";
import { Greeting } from "./greeting.js";
import { readOverview } from "./overview.js";
import { PendingRequests } from "./pending-requests.js";
import { WireError } from "./shape.js";
import { readToInspector } from "./to-inspector.js";

/** @import { Action, ConnectionState } from "./connection-state.js" */
/** @import { FromInspector } from "./from-inspector.js" */
/** @import { Credentials } from "./greeting.js" */
/** @import { Credential } from "./handshake.js" */
/** @import { ToInspector } from "./to-inspector.js" */

/** How long the daemon may take to accept the connection, and to answer `hello`, in milliseconds. */
const CONNECTING_LIMIT = 20_000;
const GREETING_LIMIT = 10_000;

/** The first and the longest wait before trying again, in milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;

/** The longest message of a program that proved nothing; a challenge has about 200 characters. */
const FIRST_MESSAGE = 65_536;

/** The wait after a refusal by a program that proved nothing, in milliseconds. */
const REFUSED_WAIT = 30_000;

/** What the page says when something else has the daemon's port. */
const IMPOSTOR =
  "The program at this address could not prove that it is your debugd, so nothing was sent to it.";

const CLOSED =
  "The program at this address closed the connection, without a proof that it is your debugd.";
const NEWER = "The program at this address requires a newer page.";

export class Connection {
  /** @type {ConnectionState} */
  #state = { is: "idle" };
  #greeting;
  #random;
  #pending = new PendingRequests();
  /** Whether the daemon ends with the command that shows files. */
  #isTemporary = false;

  /**
   * @param {Credentials} credentials
   * @param {() => number} [random] from 0 to 1, so that many pages do not return at once
   */
  constructor(credentials, random = Math.random) {
    this.#greeting = new Greeting(credentials);
    this.#random = random;
  }

  get state() {
    return this.#state;
  }

  /** The key of the session, once the page has one. */
  get session() {
    return this.#greeting.session;
  }

  /** How long the latest short answers took, in milliseconds; 0 when none has come. */
  get roundTrip() {
    return this.#pending.roundTrip;
  }

  /** How many requests wait for an answer. */
  get pendingCount() {
    return this.#pending.count;
  }

  /** Begins, or tries again at once. @returns {Action[]} */
  start() {
    if (
      this.#state.is === "open" || this.#state.is === "greeting" || this.#state.is === "connecting"
    ) {
      return [];
    }
    const attempt = this.#state.is === "waiting" ? this.#state.attempt : 0;
    return [this.#go({ is: "connecting", attempt }), { do: "connect" }];
  }

  /**
   * Connects again with new credentials.
   *
   * @param {Credentials} credentials
   * @returns {Action[]}
   */
  authorize(credentials) {
    this.#greeting.authorize(credentials);
    return this.start();
  }

  /**
   * Ends the connection and begins another: the daemon forgets what it was in the middle of.
   *
   * @returns {Action[]}
   */
  restart() {
    return this.#state.is === "open" ? [...this.#pending.failAll(), ...this.#again()] : [];
  }

  /**
   * The browser is opening a socket. Something that accepts the connection and never answers, such
   * as a stopped process, must not keep the page from trying again.
   *
   * @param {number} now
   * @returns {Action[]}
   */
  began(now) {
    if (this.#state.is !== "connecting") return [];
    const limit = now + CONNECTING_LIMIT;
    this.#state = { ...this.#state, limit };
    return [{ do: "wake", at: limit }];
  }

  /** The socket is open. @param {number} now @returns {Action[]} */
  opened(now) {
    if (this.#state.is !== "connecting") return [];
    const until = now + GREETING_LIMIT;
    return [
      this.#go({ is: "greeting", attempt: this.#state.attempt, until }),
      { do: "wake", at: until },
      ...this.#greeting.begin(),
    ];
  }

  /**
   * The key to greet with is there, if there is one.
   *
   * @param {number} attempt
   * @param {Credential | undefined} credential
   * @param {string} nonce
   * @returns {Action[]}
   */
  prepared(attempt, credential, nonce) {
    return this.#isGreeting(attempt) ? this.#greeting.prepared(credential, nonce) : [];
  }

  /**
   * The daemon's proof was checked.
   *
   * @param {number} attempt
   * @param {string | undefined} proof the page's own; nothing when it is not the daemon
   * @param {number} now
   * @returns {Action[]}
   */
  checked(attempt, proof, now) {
    if (!this.#isGreeting(attempt)) return [];
    return proof === undefined ? this.#impostor(now) : this.#greeting.checked(proof);
  }

  /** The page has the key of its session. @param {Credential} session */
  keyed(session) {
    this.#greeting.keyed(session);
  }

  /**
   * The session that the browser stores was looked up, after the daemon refused another one.
   *
   * @param {number} attempt
   * @param {Credential | undefined} stored
   * @param {string} why
   * @param {number} now
   * @returns {Action[]}
   */
  recalled(attempt, stored, why, now) {
    if (!this.#greeting.isAt(attempt)) return [];
    if (this.#greeting.recalled(stored)) return this.#again();
    if (!this.#greeting.isProved) {
      const state = /** @type {const} */ ({
        is: "refused",
        reason: "unauthorized",
        why: this.#greeting.reason,
      });
      return this.#greeting.failed ? this.#refusedFor(state, now) : [this.#go(state)];
    }
    return [
      { do: "forget", session: this.#greeting.failed },
      this.#go({ is: "refused", reason: "unauthorized", why }),
    ];
  }

  /**
   * A text frame came.
   *
   * @param {string} frame
   * @param {number} now
   * @returns {Action[]}
   */
  received(frame, now) {
    const isUnproved = this.#state.is === "greeting" && !this.#greeting.isProved;
    if (isUnproved && frame.length > FIRST_MESSAGE) return this.#impostor(now);
    let message;
    try {
      message = readToInspector(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      // It quotes the program.
      return isUnproved ? [] : this.#pending.unreadable(frame, error.message);
    }
    if (!message) return [];
    if (this.#state.is === "greeting") return this.#greeted(message, now);
    if (this.#state.is !== "open" || message.type === "welcome") return [];
    if (message.type === "challenge") return [];
    if (message.re !== undefined) return this.#pending.answered(message.re, message, now);
    if (message.type === "error") return [{ do: "complain", message: message.message }];
    return [{ do: "tell", message }];
  }

  /**
   * A binary frame came.
   *
   * @param {ArrayBuffer} frame
   * @param {number} now
   * @returns {Action[]}
   */
  receivedBinary(frame, now) {
    if (this.#state.is !== "open") return [];
    try {
      const overview = readOverview(frame);
      return this.#pending.answered(overview.re, overview, now);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return [{ do: "complain", message: unreadableAnswer(error.message).message }];
    }
  }

  /**
   * The socket is closed, or could not be opened.
   *
   * @param {number} code
   * @param {string} reason
   * @param {number} now
   * @returns {Action[]}
   */
  closed(code, reason, now) {
    const actions = this.#pending.failAll();
    if (["idle", "refused", "waiting", "ended"].includes(this.#state.is)) return actions;
    if (code === 4001 || code === 4005) {
      return [...actions, ...this.#refused("unauthorized", reason, now)];
    }
    if (code === 4002) return [...actions, ...this.#refused("version", reason, now)];
    // A peer cannot send 1006: that reason is the page's own.
    const isStranger = this.#state.is === "greeting" && !this.#greeting.isProved && code !== 1006;
    const why = isStranger ? CLOSED : reason || "No program answers at this address.";
    return [...actions, ...this.#wait(why, now)];
  }

  /**
   * Tries again later.
   *
   * @param {string} why
   * @param {number} now
   * @param {boolean} [isImpostor] whether something answered that is not the daemon
   * @returns {Action[]}
   */
  #wait(why, now, isImpostor = false) {
    const attempt = "attempt" in this.#state ? this.#state.attempt : 0;
    // It does not come back. The first attempt shows that not only the connection was lost.
    if (this.#isTemporary && attempt > 0) return [this.#go({ is: "ended" })];
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt, 10));
    const until = now + Math.round(wait * (0.75 + 0.25 * this.#random()));
    return [
      this.#go({
        is: "waiting",
        attempt: attempt + 1,
        until,
        why,
        ...(isImpostor ? { isImpostor } : {}),
      }),
      { do: "wake", at: until },
    ];
  }

  /**
   * A time that was asked for has come.
   *
   * @param {number} now
   * @returns {Action[]}
   */
  woke(now) {
    if (this.#state.is === "waiting" && now >= this.#state.until) return this.start();
    if (this.#state.is === "refused" && now >= (this.#state.until ?? Infinity)) return this.start();
    if (this.#state.is === "connecting" && now >= (this.#state.limit ?? Infinity)) {
      const close = /** @type {const} */ ({ do: "close", code: 1000, reason: "" });
      return [...this.#wait("No program answers at this address.", now), close];
    }
    if (this.#state.is === "greeting" && now >= this.#state.until) {
      return [{ do: "close", code: 4001, reason: "no welcome in time" }];
    }
    return [];
  }

  /**
   * Sends a request.
   *
   * @param {FromInspector} message
   * @param {number} now
   * @returns {{ id: number, actions: Action[] }}
   */
  request(message, now) {
    return this.#pending.begin(message, now, this.#state.is === "open");
  }

  /** Ends a request that is under way. @param {number} id @returns {Action[]} */
  cancel(id) {
    return this.#pending.cancel(id, this.#state.is === "open");
  }

  /**
   * @param {ConnectionState} state
   * @returns {Action}
   */
  #go(state) {
    this.#state = state;
    return { do: "changed", state };
  }

  /** @param {number} attempt */
  #isGreeting(attempt) {
    return this.#state.is === "greeting" && this.#greeting.isAt(attempt);
  }

  /**
   * @param {ToInspector} message
   * @param {number} now
   * @returns {Action[]}
   */
  #greeted(message, now) {
    if (message.type === "challenge") return this.#greeting.challenged(message);
    if (message.type === "welcome") {
      // Any program on the port can claim it; the daemon proves it.
      if (!this.#greeting.isProved) return this.#impostor(now);
      this.#isTemporary = message.temporary ?? false;
      return [...this.#greeting.welcomed(message), this.#go({ is: "open", welcome: message })];
    }
    if (message.type !== "error") return [];
    if (message.code === "version") return this.#refused("version", message.message, now);
    if (message.code === "unauthorised") {
      return this.#refused("unauthorized", message.message, now);
    }
    return this.#greeting.isProved ? [{ do: "complain", message: message.message }] : [];
  }

  /** @param {number} now @returns {Action[]} */
  #impostor(now) {
    return [...this.#wait(IMPOSTOR, now, true), { do: "close", code: 4001, reason: "no proof" }];
  }

  /**
   * @param {"unauthorized" | "version"} reason
   * @param {string} why
   * @param {number} now
   * @returns {Action[]}
   */
  #refused(reason, why, now) {
    if (this.#state.is === "refused") return [];
    if (reason === "version") {
      if (this.#greeting.isProved) return [this.#go({ is: "refused", reason, why })];
      const close = /** @type {const} */ ({ do: "close", code: 1000, reason: "" });
      return [...this.#refusedFor({ is: "refused", reason, why: NEWER }, now), close];
    }
    return [
      this.#go({ is: "connecting", attempt: 0 }),
      { do: "close", code: 1000, reason: "" },
      ...this.#greeting.refused(why),
    ];
  }

  /**
   * Refused by a program that proved nothing: the daemon may be back later.
   *
   * @param {Extract<ConnectionState, { is: "refused" }>} state
   * @param {number} now
   * @returns {Action[]}
   */
  #refusedFor(state, now) {
    const until = now + Math.round(REFUSED_WAIT * (0.75 + 0.25 * this.#random()));
    return [this.#go({ ...state, until }), { do: "wake", at: until }];
  }

  /** @returns {Action[]} */
  #again() {
    this.#state = { is: "idle" };
    return [{ do: "close", code: 1000, reason: "" }, ...this.start()];
  }
}
