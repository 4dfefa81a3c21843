/** A daemon at the other end of a WebSocket: performs what the connection machine says. */

import { Emitter } from "../base/emitter.js";
import { Connection } from "../wire/connection.js";
import { RequestError } from "../wire/requests.js";

/** @import { Action, ConnectionState, Credentials, News } from "../wire/connection.js" */
/** @import { FromInspector, Request } from "../wire/from-inspector.js" */
/** @import { Overview } from "../wire/overview.js" */
/** @import { AskType, Replies } from "../wire/requests.js" */
/** @import { Capability, Message, ToInspector } from "../wire/to-inspector.js" */
/** @import { AskOptions, Source } from "../model/source.js" */

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
 * The place where the token of a session is kept, for all pages of a browser.
 *
 * @typedef {object} Sessions
 * @property {() => string | undefined} stored the token that is kept by now
 * @property {(session: string) => void} keep
 * @property {(session: string | undefined) => void} forget takes away what a daemon refused, and no
 *   other token
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

  /**
   * @param {Credentials} credentials
   * @param {World} world
   */
  constructor(credentials, world) {
    this.#connection = new Connection(credentials, Math.random, world.sessions.stored);
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
  authorise(credentials) {
    this.#perform(this.#connection.authorise(credentials));
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
      if (signal?.aborted) return reject(new RequestError("cancelled", "It was cancelled."));
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
        case "keep":
          this.#world.sessions.keep(action.session);
          break;
        case "forget":
          this.#world.sessions.forget(action.session);
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
          }
          this.states.emit(action.state);
          break;
      }
    }
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
    // A peer that does not answer may also not answer the close. Who connects anew awaits no end.
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
