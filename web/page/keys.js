/** Runs the commands of keys, wherever the focus is. */

import { commandFor } from "../model/commands/keys.js";

/**
 * @param {object} page
 * @param {() => void} page.open shows the page, if it is not shown yet
 * @param {(id: string) => void} page.run
 * @param {() => boolean} page.allowsLetters
 */
export function listenToKeys({ open, run, allowsLetters }) {
  /**
   * The buttons that the pointer pressed last, since the last Tab. A window that one of them opens
   * gives the focus back to it when it closes.
   *
   * @type {WeakSet<Element>}
   */
  let pressed = new WeakSet();
  document.addEventListener("click", ({ target, detail }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    // Keys press a button with detail 0.
    if (detail > 0) pressed.add(button);
    else pressed.delete(button);
  }, { capture: true });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Tab") pressed = new WeakSet();
  }, { capture: true });
  document.addEventListener("keydown", (event) => {
    // What opens by a key is to get the focus.
    open();
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    // What was hidden, such as a window that was closed, has the focus until the next frame: keys
    // that are pressed before are meant for the page.
    const isShown = target.checkVisibility();
    const isTyping = isShown && target.matches("input, textarea, select, [contenteditable]");
    // A button that has the focus keeps the keys that press it, unless it has it from the mouse:
    // then Space would only repeat the last click.
    const isButton = isShown && target.matches("button, summary");
    if (event.key === " " && isButton && !pressed.has(target)) return;
    const command = commandFor(event, { isTyping, allowsLetters: allowsLetters() });
    if (!command) return;
    event.preventDefault();
    run(command.id);
  });
}
