/** Disabled controls: each says in its title why it is disabled. */

import { setAttribute } from "./dom.js";

/** @typedef {HTMLButtonElement | HTMLInputElement} Control */

/** The reasons that are shown, and the titles that they replaced. @type {WeakMap<Control, { own: string, whyNot: string }>} */
const replaced = new WeakMap();

/**
 * Disables a control, with the reason as its title; without a reason, enables it and restores its title.
 *
 * @param {Control} control
 * @param {string | undefined} whyNot
 */
export function disable(control, whyNot) {
  const before = replaced.get(control);
  // Its owner may have given it another title since.
  const own = before && control.title === before.whyNot ? before.own : control.title;
  control.disabled = whyNot !== undefined;
  setAttribute(control, "title", whyNot ?? (own || undefined));
  if (whyNot === undefined) replaced.delete(control);
  else replaced.set(control, { own, whyNot });
}
