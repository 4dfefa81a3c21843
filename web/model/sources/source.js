/**
 * Where recordings come from: a daemon, or a file that was dropped on the page. A view of them
 * asks both alike.
 */

/** @import { Emitter } from "../../base/emitter.js" */
/** @import { News } from "../../wire/connection-state.js" */
/** @import { WhatIf } from "../files/what-if.js" */
/** @import { AskType, Replies } from "../../wire/requests.js" */
/** @import { Request } from "../../wire/from-inspector.js" */
/** @import { Capability, Message } from "../../wire/to-inspector.js" */

/**
 * @typedef {object} AskOptions
 * @property {AbortSignal} [signal] ends the request
 * @property {(progress: Message<"progress">) => void} [onProgress]
 */

/**
 * @typedef {object} Source
 * @property {"daemon" | "file"} kind
 * @property {ReadonlySet<Capability>} capabilities
 * @property {boolean} [isTemporary] whether the daemon ends with the command that shows files
 * @property {string} [fileName] what the file is called
 * @property {WhatIf} [whatIf] the edits of which a file has branches
 * @property {Emitter<News>} news
 * @property {<Type extends AskType>(
 *   request: Request<Type>, options?: AskOptions) => Promise<Replies[Type]>} ask
 */

/**
 * Whether what is in view is a daemon's that is not connected.
 *
 * @param {{ source?: Pick<Source, "kind"> | undefined, connection?: { is: string } }} inspector
 */
export function isAway({ source, connection }) {
  return source?.kind === "daemon" && connection !== undefined && connection.is !== "open";
}

/**
 * What is said after the command that the daemon belonged to has ended.
 *
 * @param {string} [also] a sentence before the remedy
 */
export function viewEnded(also) {
  const advice = "To continue, run again: debugd view FILE";
  return `debugd view has ended. ${also === undefined ? "" : `${also} `}${advice}`;
}

/** What is true of a recording and its branches while the daemon is away. */
const AWAY_NOTE =
  "The daemon is not connected. What is loaded can be looked at; branches can be made when it is back.";

/** The same of the daemon of a command that does not come back. */
const ENDED_NOTE =
  "debugd view has ended. What is loaded can be looked at. To make branches, run again: debugd view FILE --host EXE";

/** @param {Pick<Source, "isTemporary"> | undefined} source */
export function awayNote(source) {
  return source?.isTemporary ? ENDED_NOTE : AWAY_NOTE;
}
