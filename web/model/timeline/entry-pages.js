/** The entries in view and some around them, fetched in pages. */

import { Cache } from "../../base/cache.js";
import { weigh } from "../../base/weigh.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Entry } from "../../wire/entry.js" */
/** @import { Source } from "../sources/source.js" */

/** Entries of one page: three screens of rows, one frame to parse. */
export const PAGE = 128;

/** What pages that are kept may weigh: about 12,000 entries of a usual size. */
const PAGES_WEIGHT = 10_000_000;

/** Pages that may be asked for at the same time; when scrolling on, what waits is replaced. */
const MAXIMUM_REQUESTED = 4;

export class EntryPages {
  #source;
  #timeline;
  #onChange;
  #onGaps;
  /** @type {Cache<number, Map<number, Entry>>} */
  #pages = new Cache(PAGES_WEIGHT);
  /** @type {Set<number>} */
  #asked = new Set();
  /** The pages that are wanted next, the most urgent first. @type {number[]} */
  #wanted = [];
  /** Pages that came before the timeline's end, and may have grown since. @type {Set<number>} */
  #partial = new Set();

  /**
   * @param {Source} source
   * @param {string} timeline
   * @param {() => void} onChange
   * @param {(entries: Entry[]) => void} [onGaps] entries came before which others were lost
   */
  constructor(source, timeline, onChange, onGaps = () => {}) {
    this.#source = source;
    this.#timeline = timeline;
    this.#onChange = onChange;
    this.#onGaps = onGaps;
  }

  /**
   * The entry, when it is at hand.
   *
   * @param {number} seq
   * @returns {Entry | undefined}
   */
  get(seq) {
    return this.#pages.peek(Math.floor(seq / PAGE))?.get(seq);
  }

  /** The entries that are at hand, in no order. */
  *loaded() {
    for (const page of this.#pages.keys()) yield* this.#pages.peek(page)?.values() ?? [];
  }

  /** Whether everything that was asked for has come. */
  get isIdle() {
    return this.#asked.size === 0 && this.#wanted.length === 0;
  }

  /**
   * Says which entries are in view. What was wanted before and has not been asked for is not any
   * more.
   *
   * @param {readonly number[]} seqs
   */
  want(seqs) {
    /** @type {Set<number>} */
    const pages = new Set();
    for (const seq of seqs) {
      const page = Math.floor(seq / PAGE);
      const held = this.#pages.get(page);
      if (!held || this.#partial.has(page) && !held.has(seq)) pages.add(page);
    }
    this.#wanted = [...pages].filter((page) => !this.#asked.has(page));
    this.#ask();
  }

  /**
   * Fetches the entries of a stretch that are not at hand.
   *
   * @param {number} from
   * @param {number} to
   */
  async fetch(from, to) {
    /** @type {Promise<void>[]} */
    const pages = [];
    for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page++) {
      if (!this.#pages.get(page) && !this.#asked.has(page)) pages.push(this.#request(page));
    }
    await Promise.all(pages);
  }

  /**
   * Takes entries that came by another way.
   *
   * @param {readonly Entry[]} entries
   */
  add(entries) {
    /** @type {Set<number>} */
    const touched = new Set();
    for (const entry of entries) {
      const page = Math.floor(entry.seq / PAGE);
      let held = this.#pages.peek(page);
      if (!held) {
        held = new Map();
        this.#pages.set(page, held, OWN_WEIGHT);
        this.#partial.add(page);
      }
      held.set(entry.seq, entry);
      touched.add(page);
    }
    for (const page of touched) this.#keep(page, this.#pages.peek(page) ?? new Map());
  }

  /**
   * @param {number} page
   * @param {Map<number, Entry>} entries
   */
  #keep(page, entries) {
    let weight = OWN_WEIGHT;
    const afterGaps = [];
    for (const entry of entries.values()) {
      weight += weighEntry(entry);
      if (entry.gap) afterGaps.push(entry);
    }
    this.#pages.set(page, entries, weight);
    if (afterGaps.length > 0) this.#onGaps(afterGaps);
  }

  #ask() {
    while (this.#asked.size < MAXIMUM_REQUESTED) {
      const page = this.#wanted.shift();
      if (page === undefined) return;
      void this.#request(page);
    }
  }

  /** @param {number} page */
  async #request(page) {
    this.#asked.add(page);
    const hasCome = await this.#fetch(page).finally(() => {
      this.#asked.delete(page);
      this.#ask();
    });
    // The next frame wants it again: after a failure that would never end.
    if (hasCome) this.#onChange();
  }

  /** @param {number} page @returns {Promise<boolean>} whether there is something to draw */
  async #fetch(page) {
    try {
      const from = page * PAGE;
      const reply = await this.#source.ask({
        type: "entries",
        timeline: this.#timeline,
        from,
        count: PAGE,
      });
      const entries = reply.entries.filter(({ seq }) => seq < from + PAGE);
      const held = new Map(entries.map((entry) => [entry.seq, entry]));
      this.#keep(page, held);
      if (reply.next === undefined) this.#partial.add(page);
      else this.#partial.delete(page);
      return true;
    } catch (error) {
      // The rows stay empty until something else is drawn and wants them again.
      if (!(error instanceof RequestError)) throw error;
      return false;
    }
  }
}

/** A page without entries, and an entry without what it carries. */
const OWN_WEIGHT = 200;
const ENTRY_WEIGHT = 200;

/** @param {Entry} entry */
function weighEntry({ event, patch, outputs, error, at, gap }) {
  return ENTRY_WEIGHT + weigh(event) + weigh(patch) + weigh(outputs) +
    weigh(error) + weigh(at) + weigh(gap?.why);
}
