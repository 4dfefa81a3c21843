/** What the reader chose for this browser: looks and habits, never anything recorded. */

import { Emitter } from "../base/emitter.js";
import { PACES } from "../model/inspector/player.js";

/** @import { Pace } from "../model/inspector/player.js" */

/** @typedef {"system" | "light" | "dark"} Theme */

const KEY = "inspector.settings";

/** The columns between the splitters, in shares of the width. */
export const SHARES = { events: 35, state: 39, side: 26 };

/** @typedef {{ theme: Theme, allowsLetters: boolean, pace: Pace["id"], showsDelta: boolean, showsOutputs: boolean, shares: typeof SHARES, dismissedHints: readonly string[] }} Values */

/** @type {Readonly<Values>} */
const DEFAULTS = {
  theme: "system",
  allowsLetters: true,
  pace: "recorded",
  showsDelta: true,
  showsOutputs: true,
  shares: SHARES,
  dismissedHints: [],
};

export class Settings {
  /** @readonly @type {Emitter<void>} */
  changed = new Emitter();
  #storage;
  /** @type {Values} */
  #values;

  /** @param {Pick<Storage, "getItem" | "setItem">} storage */
  constructor(storage) {
    this.#storage = storage;
    this.#values = { ...DEFAULTS, ...read(storage) };
  }

  get values() {
    return this.#values;
  }

  /** @param {Partial<Values>} values */
  set(values) {
    this.#values = { ...this.#values, ...values };
    try {
      // Another tab may have stored other choices since: only these here are to change.
      const stored = { ...this.#values, ...read(this.#storage), ...values };
      this.#storage.setItem(KEY, JSON.stringify(stored));
    } catch {
      // A full or forbidden storage: the choice holds until the page is left.
    }
    this.changed.emit();
  }

  get pace() {
    return PACES.find(({ id }) => id === this.#values.pace) ?? PACES[0];
  }
}

/**
 * What was stored, as far as it is still a choice.
 *
 * @param {Pick<Storage, "getItem">} storage
 * @returns {Partial<Values>}
 */
function read(storage) {
  /** @type {Partial<Values>} */
  const values = {};
  /** @type {Record<string, unknown>} */
  let stored;
  try {
    stored = Object(JSON.parse(storage.getItem(KEY) ?? "{}"));
  } catch {
    return values;
  }
  const { theme, allowsLetters, pace, showsDelta, showsOutputs, shares, dismissedHints } = stored;
  if (theme === "light" || theme === "dark" || theme === "system") values.theme = theme;
  if (typeof allowsLetters === "boolean") values.allowsLetters = allowsLetters;
  const known = PACES.find(({ id }) => id === pace);
  if (known) values.pace = known.id;
  if (typeof showsDelta === "boolean") values.showsDelta = showsDelta;
  if (typeof showsOutputs === "boolean") values.showsOutputs = showsOutputs;
  if (Array.isArray(dismissedHints)) {
    values.dismissedHints = dismissedHints.filter((id) => typeof id === "string").slice(0, 20);
  }
  const { events, state, side } = Object(shares);
  if (
    [events, state, side].every((share) => typeof share === "number" && share >= 10 && share <= 80)
  ) {
    values.shares = { events, state, side };
  }
  return values;
}
