/** What the page has to tell the reader beside what it shows. */

import { RequestError } from "../../wire/requests.js";

/** Failures that the reader knows of already, or need not know of. @type {Set<string>} */
const WITHOUT_NOTICE = new Set(["disconnected", "superseded", "cancelled"]);

/** @typedef {{ label: string, run: () => void }} NoticeAction */
/** @typedef {{ id: number, level: "info" | "warning" | "error", text: string, action?: NoticeAction }} Notice */

/** Notices that stand on the page at the same time. */
const MAXIMUM_NOTICES = 4;

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
   * Shows a notice, unless it repeats the last one.
   *
   * @param {Notice["level"]} level
   * @param {string} text
   */
  add(level, text) {
    if (this.list.at(-1)?.text === text) return;
    this.#append({ id: this.#nextId++, level, text });
  }

  /**
   * Shows a notice with a button. An older notice with the same text is replaced.
   *
   * @param {string} text
   * @param {string} label
   * @param {() => void} run
   */
  offer(text, label, run) {
    const id = this.#nextId++;
    const act = () => {
      this.dismiss(id);
      run();
    };
    this.list = this.list.filter((notice) => notice.text !== text);
    this.#append({ id, level: "info", text, action: { label, run: act } });
  }

  /** @param {Notice} notice */
  #append(notice) {
    this.list = [...this.list, notice].slice(-MAXIMUM_NOTICES);
    this.#onChange();
  }

  /**
   * Shows why something failed.
   *
   * @param {unknown} error anything but a failed request is a fault of the page and is thrown on
   */
  report(error) {
    if (!(error instanceof RequestError)) throw error;
    if (!WITHOUT_NOTICE.has(error.code)) this.add("error", error.message);
  }

  /**
   * Removes warnings and errors whose cause is gone.
   *
   * @param {string} [beginning] how those begin; without it, all of them are removed
   */
  clear(beginning = "") {
    const kept = this.list.filter(({ level, text }) =>
      level === "info" || !text.startsWith(beginning)
    );
    if (kept.length === this.list.length) return;
    this.list = kept;
    this.#onChange();
  }

  /** @param {number} id */
  dismiss(id) {
    this.list = this.list.filter((notice) => notice.id !== id);
    this.#onChange();
  }
}
