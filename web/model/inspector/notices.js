/** What the page has to tell the reader beside what it shows. */

import { RequestError } from "../../wire/requests.js";

/** Failures that the reader knows of already, or need not know of. @type {Set<string>} */
const WITHOUT_NOTICE = new Set(["disconnected", "superseded", "cancelled"]);

/** @typedef {{ label: string, run: () => void }} NoticeAction */
/**
 * What a notice is about: a timeline, or without one the whole page; and what made it, of which a new
 * attempt makes it obsolete.
 *
 * @typedef {{ timeline?: string | undefined, cause?: "fork" | "drive" | "connection" }} NoticeSubject
 */

/**
 * @typedef {{ id: number, level: "info" | "warning" | "error", text: string, action?: NoticeAction }
 *   & NoticeSubject} Notice
 */

/** Notices that stand on the page at the same time. */
const MAXIMUM_NOTICES = 4;

export class Notices {
  /** The oldest first. @type {Notice[]} */
  list = [];
  #nextId = 1;
  #onChange;
  /** The timeline in view. @type {string | undefined} */
  #shown;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Shows a notice, unless it repeats the last one.
   *
   * @param {Notice["level"]} level
   * @param {string} text
   * @param {NoticeSubject} [subject] the timeline in view when absent
   */
  add(level, text, subject = { timeline: this.#shown }) {
    const last = this.list.at(-1);
    if (last?.text === text && last.timeline === subject.timeline) return;
    this.#append({ id: this.#nextId++, level, text, ...subject });
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
    this.#append({
      id,
      level: "info",
      text,
      action: { label, run: act },
      timeline: this.#shown,
    });
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
   * @param {NoticeSubject} [subject]
   */
  report(error, subject) {
    if (!(error instanceof RequestError)) throw error;
    if (!WITHOUT_NOTICE.has(error.code)) this.add("error", error.message, subject);
  }

  /**
   * Another timeline is in view: the notices about the one before are removed.
   *
   * @param {string | undefined} timeline
   */
  show(timeline) {
    const left = this.#shown;
    this.#shown = timeline;
    if (left !== undefined && left !== timeline) this.forget(left);
  }

  /** @param {string} timeline */
  forget(timeline) {
    this.#keep((notice) => notice.timeline !== timeline);
  }

  /**
   * Removes what an earlier attempt reported: a new one begins, or succeeded.
   *
   * @param {NoticeSubject} subject
   */
  retract({ timeline, cause }) {
    this.#keep((notice) => notice.cause !== cause || notice.timeline !== timeline);
  }

  /**
   * Removes warnings and errors whose cause is gone.
   *
   * @param {string} [beginning] how those begin; without it, all of them are removed
   */
  clear(beginning = "") {
    this.#keep(({ level, text }) => level === "info" || !text.startsWith(beginning));
  }

  /** The daemon accepted the page. */
  connected() {
    this.clear("The daemon is not connected.");
    this.retract({ cause: "connection" });
  }

  /** @param {(notice: Notice) => boolean} isKept */
  #keep(isKept) {
    const kept = this.list.filter(isKept);
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
