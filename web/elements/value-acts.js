/** What can be done with a value of the state or an output: by its row's buttons, by keys, by the palette. */

import { pathText, readPointer } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { copyText } from "./clipboard.js";
import { h, icon, setAttribute, setText } from "./dom.js";
import { describe } from "./toolbar.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */

/** @typedef {typeof ACTS[number]["id"] | "ask"} ValueAct */

/** Each with its command, its sign and what its button is called. */
const ACTS = /** @type {const} */ ([
  { id: "who", command: "who-set", icon: "back", title: "Who set this" },
  { id: "pin", command: "pin-value", icon: "pin", title: "Pin this value" },
  { id: "watch", command: "watch-value", icon: "eye", title: "Watch this value" },
  { id: "copy", command: "copy-path", icon: "copy", title: "Copy the path" },
]);

/**
 * The buttons of a value's row.
 *
 * @param {boolean} isMac
 */
export function valueButtons(isMac) {
  return ACTS.map(({ id, command, icon: sign, title }) => {
    const props = { type: "button", tabindex: -1, "data-act": id };
    const button = id === "who"
      ? h("button", { ...props, class: "who" }, icon(sign), h("span", {}, "who set this"))
      : h("button", props, icon(sign));
    describe(button, command, isMac, title);
    return button;
  });
}

/**
 * Says at a value's row whether the entry at the cursor set the value: then the question leads nowhere.
 *
 * @param {HTMLElement} button the first one of the row
 * @param {boolean} isSetHere
 * @param {boolean} isMac
 */
export function showWhoSet(button, isSetHere, isMac) {
  const { title, command } = ACTS[0];
  setText(button.lastElementChild ?? button, isSetHere ? "set here" : "who set this");
  setAttribute(button, "aria-disabled", isSetHere ? "true" : undefined);
  describe(button, command, isMac, isSetHere ? "This entry set it" : title);
}

/**
 * Does it.
 *
 * @param {string} act
 * @param {string} pointer into the moment
 * @param {Inspector} inspector
 */
export async function actOnValue(act, pointer, inspector) {
  if (act === "who") await inspector.travel.whoSet(pointer);
  else if (act === "pin") inspector.setPin(inspector.pin?.path === pointer ? undefined : pointer);
  else if (act === "watch") inspector.watch?.toggle(pointer, inspector.cursor);
  else if (act === "copy") {
    const text = pathText(readPointer(pointer) ?? []);
    if (await copyText(text)) inspector.notify("info", `Copied the path: ${visible(text)}`);
    else {inspector.notify(
        "warning",
        `The browser does not allow copying. The path is ${visible(text)}`,
      );}
  }
}
