/** Names that keep their ends when there is little room. */

import { shortenMiddle, visible } from "../base/text.js";
import { h, setText } from "./dom.js";

/** Characters of a name that fit the list. */
const NAME = 26;

/** Characters that stay: the end distinguishes branches. */
const END = 9;

/**
 * Shows a name in two parts, of which the first is cut when there is no room for both.
 *
 * @param {HTMLElement} element
 * @param {string} name
 */
export function showName(element, name) {
  if (element.children.length === 0) {
    element.append(h("span", { class: "name-start" }), h("span", { class: "name-end" }));
  }
  const [start, end] = element.children;
  const characters = [...visible(shortenMiddle(name, NAME))];
  const cut = characters.length > 2 * END ? characters.length - END : characters.length;
  if (start) setText(start, characters.slice(0, cut).join(""));
  if (end) setText(end, characters.slice(cut).join(""));
}
