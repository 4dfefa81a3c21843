/** Which command a key means, and how keys are shown. */

import { COMMANDS } from "./table.js";

/** @import { Command } from "./command.js" */

/**
 * A key that was pressed; what is needed of a `KeyboardEvent`.
 *
 * @typedef {{ key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean }} Pressed
 */

/**
 * The command of a key that was pressed.
 *
 * @param {Pressed} pressed
 * @param {{ isTyping: boolean, allowsLetters: boolean }} where whether a text field has the focus;
 *   whether keys without Ctrl or ⌘ may be commands
 * @returns {Command | undefined}
 */
export function commandFor(pressed, { isTyping, allowsLetters }) {
  if (pressed.altKey) return undefined;
  return COMMANDS.find(({ keys }) =>
    keys.some((key) => {
      if (!matchesKey(key, pressed)) return false;
      if (key.startsWith("Mod+")) return true;
      return !isTyping && (allowsLetters || isNamedKey(key));
    })
  );
}

/**
 * Keys that write nothing may be commands even for those who speak to their computer.
 *
 * @param {string} key
 */
function isNamedKey(key) {
  return /(?:^|\+)(?:Arrow\w+|Home|End|Space|Escape)$/.test(key);
}

/**
 * @param {string} key such as `Shift+ArrowLeft`, `Mod+K` (Ctrl or ⌘), `Space`, `?`
 * @param {Pressed} pressed
 * @returns {boolean}
 */
function matchesKey(key, pressed) {
  const parts = key.split("+").filter((part) => part !== "");
  const name = key.endsWith("+") ? "+" : parts.at(-1) ?? "";
  const wantsMod = parts.length > 1 && parts[0] === "Mod";
  const wantsShift = parts.slice(0, -1).includes("Shift");
  if (wantsMod !== (pressed.ctrlKey || pressed.metaKey)) return false;
  const given = pressed.key === " " ? "Space" : pressed.key;
  if (name.length === 1) {
    // Signs come with or without Shift, depending on the keyboard; letters with it are other keys.
    const isLetter = /^[a-z]$/i.test(name);
    if (isLetter) {
      return given.toLowerCase() === name.toLowerCase() && pressed.shiftKey === wantsShift;
    }
    return given === name;
  }
  return given === name && pressed.shiftKey === wantsShift;
}

/**
 * A key as it is shown.
 *
 * @param {string} key
 * @param {boolean} isMac
 * @returns {string}
 */
export function keyText(key, isMac) {
  if (key === "+") return key;
  return key.split("+").map((part) => KEY_NAMES[part] ?? part).join("").replace(
    "⌃",
    isMac ? "⌘" : "⌃",
  );
}

/** @type {Record<string, string>} */
const KEY_NAMES = {
  Mod: "⌃",
  Shift: "⇧",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "⏎",
  Escape: "Esc",
};
