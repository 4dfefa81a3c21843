/** What the page has to tell the reader beside what it shows. */

import { RequestError } from "../wire/requests.js";

/** Failures that the reader knows of already, or need not know of. @type {Set<string>} */
const WITHOUT_NOTICE = new Set(["disconnected", "superseded", "cancelled"]);

/** @typedef {{ id: number, level: "info" | "warning" | "error", text: string }} Notice */

/** Notices that stand on the page at the same time. */
const MOST_NOTICES = 4;

export class Notices {
  /** The oldest first. @type {Notice[]} */
  list = [];
  #nextId = 1;
  #onChange;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Tells something; what was told last is not told twice.
   *
   * @param {Notice["level"]} level
   * @param {string} text
   */
  add(level, text) {
    if (this.list.at(-1)?.text === text) return;
    this.list = [...this.list, { id: this.#nextId++, level, text }].slice(-MOST_NOTICES);
    this.#onChange();
  }

  /**
   * Tells why something failed.
   *
   * @param {unknown} error anything but a failed request is a fault of the page and is thrown on
   */
  report(error) {
    if (!(error instanceof RequestError)) throw error;
    if (!WITHOUT_NOTICE.has(error.code)) this.add("error", error.message);
  }

  /** @param {number} id */
  dismiss(id) {
    this.list = this.list.filter((notice) => notice.id !== id);
    this.#onChange();
  }
}
