/** A daemon at the other end of a WebSocket: performs what the connection machine says. */

import { Emitter } from "../base/emitter.js";
import { Connection } from "../wire/connection.js";
import { answerTo, credentialOf, newNonce, sessionOf } from "../wire/handshake.js";
import { RequestError } from "../wire/requests.js";

/** @import { Action, ConnectionState, News } from "../wire/connection-state.js" */
/** @import { Credentials } from "../wire/greeting.js" */
/** @import { Credential, Handshake } from "../wire/handshake.js" */
/** @import { FromInspector, Request } from "../wire/from-inspector.js" */
/** @import { Overview } from "../wire/overview.js" */
/** @import { AskType, Replies } from "../wire/requests.js" */
/** @import { Capability, Message, ToInspector } from "../wire/to-inspector.js" */
/** @import { AskOptions, Source } from "../model/sources/source.js" */

/**
 * What is needed of a `WebSocket`.
 *
 * @typedef {Pick<WebSocket, "send" | "close" | "binaryType" | "onopen" | "onmessage" | "onclose">} Socket
 */

/**
 * The world around the feed; tests give one of their own.
 *
 * @typedef {object} World
 * @property {() => Socket} openSocket
 * @property {() => number} now milliseconds
 * @property {(call: () => void, milliseconds: number) => void} later
 * @property {Sessions} sessions
 */

/**
 * Where the browser stores the key of a session for all of its pages.
 *
 * @typedef {object} Sessions
 * @property {() => Promise<Credential | undefined>} stored
 * @property {(session: Credential) => Promise<void>} keep
 * @property {(session: Credential | undefined) => Promise<void>} forget removes what a daemon refused,
 *   and no other key
 */

/**
 * @typedef {object} Waiting
 * @property {(reply: ToInspector | Overview) => void} settle
 * @property {(error: RequestError) => void} fail
 * @property {AskOptions["onProgress"]} onProgress
 */

/** @implements {Source} */
export class DaemonFeed {
  /** @readonly @type {"daemon"} */
  kind = "daemon";
  /** @type {ReadonlySet<Capability>} */
  capabilities = new Set();
  /** Whether the daemon ends with the command that shows files. */
  isTemporary = false;
  /** @readonly @type {Emitter<News>} */
  news = new Emitter();
  /** @readonly @type {Emitter<ConnectionState>} */
  states = new Emitter();
  /** What the daemon sent that cannot be understood. @readonly @type {Emitter<string>} */
  complaints = new Emitter();
  #connection;
  #world;
  /** @type {Socket | undefined} */
  #socket;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** The key of a new session is being derived and stored. @type {Promise<void>} */
  #keeping = Promise.resolve();

  /**
   * @param {Credentials} credentials
   * @param {World} world
   */
  constructor(credentials, world) {
    this.#connection = new Connection(credentials);
    this.#world = world;
  }

  get state() {
    return this.#connection.state;
  }

  /** How long short answers take, in milliseconds. */
  get roundTrip() {
    return this.#connection.roundTrip;
  }

  /** Connects, or tries again at once. */
  start() {
    this.#perform(this.#connection.start());
  }

  /** Ends the connection and begins another. */
  restart() {
    this.#perform(this.#connection.restart());
  }

  /**
   * Connects with another code or session.
   *
   * @param {Credentials} credentials
   */
  authorize(credentials) {
    this.#perform(this.#connection.authorize(credentials));
  }

  /**
   * @template {AskType} Type
   * @param {Request<Type>} request
   * @param {AskOptions} [options]
   * @returns {Promise<Replies[Type]>}
   */
  ask(request, { signal, onProgress } = {}) {
    const message = /** @type {FromInspector} */ (/** @type {unknown} */ (request));
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        return reject(new RequestError("cancelled", "The request was canceled."));
      }
      const { id, actions } = this.#connection.request(message, this.#world.now());
      const parts = new Parts();
      this.#waiting.set(id, {
        settle: (reply) => {
          const whole = parts.add(reply);
          if (!whole) return;
          this.#waiting.delete(id);
          resolve(/** @type {Replies[Type]} */ (whole));
        },
        fail: (error) => {
          this.#waiting.delete(id);
          reject(error);
        },
        onProgress,
      });
      signal?.addEventListener("abort", () => this.#perform(this.#connection.cancel(id)), {
        once: true,
      });
      this.#perform(actions);
    });
  }

  /** @param {Action[]} actions */
  #perform(actions) {
    for (const action of actions) {
      switch (action.do) {
        case "connect":
          this.#connect();
          break;
        case "send":
          this.#socket?.send(action.frame);
          break;
        case "close":
          this.#leave(action.code, action.reason);
          break;
        case "wake":
          this.#world.later(
            () => this.#perform(this.#connection.woke(this.#world.now())),
            Math.max(0, action.at - this.#world.now()),
          );
          break;
        case "prepare":
          void this.#prepare(action.attempt, action.code);
          break;
        case "check":
          void this.#check(action.attempt, action.handshake, action.proof);
          break;
        case "keep":
          this.#keeping = this.#keep(action.handshake, action.welcome);
          break;
        case "recall":
          void this.#recall(action.attempt, action.why);
          break;
        case "forget":
          void this.#world.sessions.forget(action.session);
          break;
        case "settle":
          this.#waiting.get(action.id)?.settle(action.reply);
          break;
        case "fail":
          this.#waiting.get(action.id)?.fail(action.error);
          break;
        case "progress":
          this.#waiting.get(action.id)?.onProgress?.(action.progress);
          break;
        case "tell":
          this.news.emit(action.message);
          break;
        case "complain":
          this.complaints.emit(action.message);
          break;
        case "changed":
          if (action.state.is === "open") {
            this.capabilities = new Set(action.state.welcome.capabilities);
            this.isTemporary = action.state.welcome.temporary ?? false;
          }
          this.states.emit(action.state);
          break;
      }
    }
  }

  /**
   * @param {number} attempt
   * @param {string | undefined} code
   */
  async #prepare(attempt, code) {
    await this.#keeping;
    const credential = code === undefined
      ? this.#connection.session ?? await this.#world.sessions.stored()
      : await credentialOf(code);
    this.#perform(this.#connection.prepared(attempt, credential, newNonce()));
  }

  /**
   * @param {number} attempt
   * @param {Handshake} handshake
   * @param {string} proof
   */
  async #check(attempt, handshake, proof) {
    const answer = await answerTo(handshake, proof);
    this.#perform(this.#connection.checked(attempt, answer, this.#world.now()));
  }

  /**
   * @param {Handshake} handshake
   * @param {Message<"welcome">} welcome
   */
  async #keep(handshake, welcome) {
    const derived = await sessionOf(handshake, welcome);
    if (!derived) return;
    this.#connection.keyed(derived.session);
    await this.#world.sessions.keep(derived.stored);
  }

  /**
   * @param {number} attempt
   * @param {string} why
   */
  async #recall(attempt, why) {
    await this.#keeping;
    const stored = await this.#world.sessions.stored();
    this.#perform(this.#connection.recalled(attempt, stored, why, this.#world.now()));
  }

  #connect() {
    const { now } = this.#world;
    const socket = this.#world.openSocket();
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      if (this.#socket === socket) this.#perform(this.#connection.opened(now()));
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#perform(
        typeof data === "string"
          ? this.#connection.received(data, now())
          : this.#connection.receivedBinary(data, now()),
      );
    };
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#perform(this.#connection.closed(code, reason, now()));
    };
    this.#socket = socket;
    this.#perform(this.#connection.began(now()));
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  #leave(code, reason) {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = undefined;
    socket.close(code, reason);
    // A peer that does not answer may not answer the close either, so a reconnect does not wait.
    if (this.state.is === "greeting") {
      this.#perform(this.#connection.closed(1006, reason, this.#world.now()));
    }
  }
}

/** An export that comes in parts, as one: the first file, and those that belong to it. */
class Parts {
  /** @type {Message<"export">[]} */
  #parts = [];

  /**
   * @param {ToInspector | Overview} reply
   * @returns {ToInspector | Overview | undefined} nothing while more is to come
   */
  add(reply) {
    if (reply.type !== "export") return reply;
    this.#parts.push(reply);
    if (reply.more) return undefined;
    if (this.#parts.length === 1) return reply;
    /** @type {Message<"export">[][]} */
    const files = [];
    for (const part of this.#parts) {
      const file = files.at(-1);
      if (file && file[0]?.name === part.name && part.offset > 0) file.push(part);
      else files.push([part]);
    }
    const [first = [reply], ...others] = files;
    const { more: _, ...rest } = first[0] ?? reply;
    const whole = { ...rest, data: joined(first) };
    if (reply.note !== undefined) whole.note = reply.note;
    if (others.length === 0) return whole;
    const further = others.map((parts) => {
      const { name, media } = parts[0] ?? reply;
      return { name, media, data: joined(parts) };
    });
    return /** @type {ToInspector} */ ({ ...whole, further });
  }
}

/**
 * Each part is base64 of its own; together they are that of the whole only as bytes.
 *
 * @param {Message<"export">[]} parts
 */
function joined(parts) {
  return parts.length === 1
    ? parts[0]?.data ?? ""
    : btoa(parts.map(({ data }) => atob(data)).join(""));
}
