/**
 * Where recordings come from: a daemon, or a file that was dropped on the page. Whoever shows them
 * asks both alike.
 */

/** @import { Emitter } from "../base/emitter.js" */
/** @import { News } from "../wire/connection.js" */
/** @import { AskType, Replies } from "../wire/requests.js" */
/** @import { Request } from "../wire/from-inspector.js" */
/** @import { Capability, Message } from "../wire/to-inspector.js" */

/**
 * @typedef {object} AskOptions
 * @property {AbortSignal} [signal] ends the request
 * @property {(progress: Message<"progress">) => void} [onProgress]
 */

/**
 * @typedef {object} Source
 * @property {"daemon" | "file"} kind
 * @property {ReadonlySet<Capability>} capabilities
 * @property {Emitter<News>} news
 * @property {<Type extends AskType>(
 *   request: Request<Type>, options?: AskOptions) => Promise<Replies[Type]>} ask
 */

export {};
