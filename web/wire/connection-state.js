/** The states of the connection to a daemon, and what its machine wants done: types alone. */

/** @import { Credential, Handshake } from "./handshake.js" */
/** @import { Overview } from "./overview.js" */
/** @import { RequestError } from "./requests.js" */
/** @import { Message, ToInspector } from "./to-inspector.js" */

/**
 * Where the connection stands; `ended` after the command that the daemon belonged to has ended.
 *
 * @typedef {{ is: "idle" }
 *   | { is: "connecting", attempt: number, limit?: number }
 *   | { is: "greeting", attempt: number, until: number }
 *   | { is: "open", welcome: Message<"welcome"> }
 *   | { is: "ended" }
 *   | { is: "waiting", attempt: number, until: number, why: string, isImpostor?: true }
 *   | { is: "refused", reason: "unauthorized" | "version", why: string,
 *     until?: number }} ConnectionState
 */

/** A message that belongs to no request. @typedef {Exclude<ToInspector, Message<"challenge" | "welcome" | "error">>} News */

/**
 * What is to be done.
 *
 * @typedef {{ do: "connect" }
 *   | { do: "send", frame: string }
 *   | { do: "close", code: number, reason: string }
 *   | { do: "wake", at: number }
 *   | { do: "prepare", attempt: number, code: string | undefined }
 *   | { do: "check", attempt: number, handshake: Handshake, proof: string }
 *   | { do: "keep", handshake: Handshake, welcome: Message<"welcome"> }
 *   | { do: "recall", attempt: number, why: string }
 *   | { do: "forget", session: Credential | undefined }
 *   | { do: "settle", id: number, reply: ToInspector | Overview }
 *   | { do: "fail", id: number, error: RequestError }
 *   | { do: "progress", id: number, progress: Message<"progress"> }
 *   | { do: "tell", message: News }
 *   | { do: "complain", message: string }
 *   | { do: "changed", state: ConnectionState }} Action
 */

export {};
