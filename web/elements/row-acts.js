/** What a row of the list offers under the pointer. */

import { h, icon } from "./dom.js";

/** Command, words, icon. */
const ROW_ACTS = /** @type {const} */ ([
  ["skip", "Skip", "skip"],
  ["undo-to-here", "Drop everything after this", "undo"],
  ["repeat", "Repeat", "repeat"],
  ["edit", "Edit", "edit"],
  ["mark", "Mark", "mark"],
  ["entry-menu", "More", "more"],
]);

/** The buttons of a row. */
export function rowActs() {
  return ROW_ACTS.map(([command, text, name]) =>
    h("button", {
      type: "button",
      tabindex: -1,
      "data-act": command,
      title: text,
      "aria-label": text,
    }, icon(name))
  );
}
