/**
 * The commands of the page in one table: what each is called, its keys, when it is available, and
 * what it does. The keys, the palette, the menus, the buttons, and the help are made from it.
 */

import { CHANGING } from "./changing.js";
import { LOOKING } from "./looking.js";
import { PAGE } from "./page.js";

/** @import { Command, CommandPage } from "./command.js" */

/** @type {readonly Command[]} */
export const COMMANDS = [...LOOKING, ...CHANGING, ...PAGE];

/**
 * What buttons do that are shown only where it applies; neither listed nor on a key.
 *
 * @type {Record<string, (page: CommandPage) => unknown>}
 */
const UNLISTED = {
  "cancel-opening": ({ opened }) => opened.cancel(),
  "reconnect": ({ reconnect }) => reconnect(),
  "focus-events": ({ details, events }) => {
    details.reveal("events");
    events.focus();
  },
};

const BY_ID = new Map(COMMANDS.map((command) => [command.id, command]));

/**
 * @param {string} id
 * @returns {Command | undefined}
 */
export function commandOf(id) {
  return BY_ID.get(id);
}

/**
 * @param {string} id
 * @param {CommandPage} page
 */
export function runCommand(id, page) {
  (BY_ID.get(id)?.run ?? UNLISTED[id])?.(page);
}
