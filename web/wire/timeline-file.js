/**
 * Reads a `.timeline` file: a header, then an entry on each line.
 *
 * Nothing but an index is kept of the entries, in typed arrays, so that long files fit. A line is
 * read again when it is needed.
 */

import { LineSplitter } from "../base/bytes.js";
import { eventName } from "../base/event-name.js";
import { member, parseJson } from "../base/json.js";
import { entry, isKeyframe, isThinned } from "./entry.js";
import { header } from "./header.js";
import { WireError } from "./shape.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Entry } from "./entry.js" */
/** @import { Header } from "./header.js" */

/** Why a file is not a timeline, with the line, counted from 1. */
export class TimelineFileError extends Error {
  /**
   * @param {string} message
   * @param {number} line
   */
  constructor(message, line) {
    super(line > 0 ? `Line ${line}: ${message}` : message);
    this.name = "TimelineFileError";
    /** @readonly */
    this.line = line;
  }
}

/** What the index says of an entry, as bits. */
export const FLAGS = { keyframe: 1, thinned: 2, error: 4, gap: 8, restored: 16, hasPatch: 32 };

/** As for files and recorders in a daemon. */
const MAXIMUM_HEADER_BYTES = 1 << 20;

/** More names than this share one lane anyway. */
const MAXIMUM_NAMES = 65_535;

/** Typed arrays that grow together, one place an entry. */
export class EntryIndex {
  count = 0;
  seqs = new Float64Array(64);
  times = new Float64Array(64);
  offsets = new Float64Array(64);
  flags = new Uint8Array(64);
  nameIds = new Uint16Array(64);
  /** The lost entries before an entry, by its place. @type {Map<number, number>} */
  lost = new Map();
  /** The events' names by their ids; 0 is of those without a name. */
  names = [""];
  /** How many entries each name has. */
  nameCounts = [0];
  /** @type {Map<string, number>} */
  #ids = new Map([["", 0]]);

  /**
   * @param {Entry} entry
   * @param {number} offset where its line begins
   */
  add(entry, offset) {
    if (this.count === this.seqs.length) this.#grow();
    const place = this.count++;
    this.seqs[place] = entry.seq;
    this.times[place] = entry.t;
    this.offsets[place] = offset;
    this.flags[place] = (isKeyframe(entry) ? FLAGS.keyframe : 0) |
      (isThinned(entry) ? FLAGS.thinned : 0) |
      (entry.error !== undefined ? FLAGS.error : 0) |
      (entry.gap ? FLAGS.gap : 0) |
      (entry.restored ? FLAGS.restored : 0) |
      (entry.patch !== undefined ? FLAGS.hasPatch : 0);
    const id = this.#idOf(eventName(entry.event) ?? "");
    this.nameIds[place] = id;
    this.nameCounts[id] = (this.nameCounts[id] ?? 0) + 1;
    if (entry.gap) this.lost.set(place, entry.gap.lost);
  }

  /** @param {string} name */
  #idOf(name) {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    if (this.names.length >= MAXIMUM_NAMES) return 0;
    this.#ids.set(name, this.names.length);
    this.nameCounts.push(0);
    return this.names.push(name) - 1;
  }

  #grow() {
    const size = this.seqs.length * 2;
    this.seqs = enlarged(this.seqs, new Float64Array(size));
    this.times = enlarged(this.times, new Float64Array(size));
    this.offsets = enlarged(this.offsets, new Float64Array(size));
    this.flags = enlarged(this.flags, new Uint8Array(size));
    this.nameIds = enlarged(this.nameIds, new Uint16Array(size));
  }

  /**
   * A copy of the first entries, to which others can be added.
   *
   * @param {number} count
   * @returns {EntryIndex}
   */
  head(count) {
    const copy = new EntryIndex();
    const size = Math.max(64, count);
    copy.count = count;
    copy.seqs = enlarged(this.seqs.subarray(0, count), new Float64Array(size));
    copy.times = enlarged(this.times.subarray(0, count), new Float64Array(size));
    copy.offsets = enlarged(this.offsets.subarray(0, count), new Float64Array(size));
    copy.flags = enlarged(this.flags.subarray(0, count), new Uint8Array(size));
    copy.nameIds = enlarged(this.nameIds.subarray(0, count), new Uint16Array(size));
    copy.lost = new Map([...this.lost].filter(([place]) => place < count));
    copy.names = [...this.names];
    copy.nameCounts = this.names.map(() => 0);
    for (const id of copy.nameIds.subarray(0, count)) {
      copy.nameCounts[id] = (copy.nameCounts[id] ?? 0) + 1;
    }
    copy.#ids = new Map(this.#ids);
    return copy;
  }

  /**
   * The place of the first entry with that seq or a later one; `count` when there is none.
   *
   * @param {number} seq
   * @returns {number}
   */
  placeOf(seq) {
    return lowerBound(this.seqs, this.count, seq);
  }

  /**
   * The place of the first entry at that time or later; `count` when there is none.
   *
   * @param {number} t
   * @returns {number}
   */
  placeAt(t) {
    return lowerBound(this.times, this.count, t);
  }
}

/**
 * @template {Float64Array | Uint8Array | Uint16Array} Column
 * @param {Column} from
 * @param {Column} to
 * @returns {Column}
 */
function enlarged(from, to) {
  to.set(from);
  return to;
}

/**
 * @param {Float64Array} sorted
 * @param {number} count
 * @param {number} least
 */
function lowerBound(sorted, count, least) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Takes a file's bytes as they come, and makes its index. */
export class TimelineFileReader {
  /** @type {Header | undefined} */
  header;
  index = new EntryIndex();
  /** The bytes of whole lines so far: where the file ends for its reader. */
  bytes = 0;
  /** The bytes of a last line that a stopped writer left unfinished. */
  tornBytes = 0;

  #lines = new LineSplitter();
  #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #line = 0;
  #lastSeq = -1;
  #lastTime = 0;

  /**
   * Takes the next bytes.
   *
   * @param {Uint8Array} chunk
   * @throws {TimelineFileError}
   */
  push(chunk) {
    /** @type {Uint8Array[]} */
    let lines;
    try {
      lines = this.#lines.push(chunk);
    } catch (error) {
      if (error instanceof RangeError) throw this.#error(error.message, this.#line + 1);
      throw error;
    }
    if (!this.header && (lines[0]?.length ?? this.#lines.waitingBytes) > MAXIMUM_HEADER_BYTES) {
      throw this.#error("the header is longer than 1 MiB", 1);
    }
    const texts = this.#texts(chunk, lines);
    lines.forEach((line, place) => {
      this.#take(line, texts?.[place]);
      this.bytes += line.length + 1;
    });
  }

  /**
   * The texts of a chunk's lines, decoded at once, which is several times as fast as one by one. The
   * first line may have begun in an earlier chunk.
   *
   * @param {Uint8Array} chunk
   * @param {Uint8Array[]} lines
   * @returns {(string | undefined)[] | undefined} nothing when they are not UTF-8
   */
  #texts(chunk, lines) {
    const [, second] = lines;
    const last = lines.at(-1);
    if (!second || !last) return undefined;
    const start = second.byteOffset - chunk.byteOffset;
    const end = last.byteOffset - chunk.byteOffset + last.length;
    try {
      return [undefined, ...this.#decoder.decode(chunk.subarray(start, end)).split("\n")];
    } catch {
      return undefined;
    }
  }

  /**
   * Ends the file. A last line without its end is taken when it is whole, else it is a torn tail.
   *
   * @returns {{ header: Header, index: EntryIndex, tornBytes: number }}
   * @throws {TimelineFileError}
   */
  finish() {
    const rest = this.#lines.rest();
    if (rest.length > 0) {
      try {
        this.#take(rest);
        this.bytes += rest.length;
      } catch (error) {
        if (!(error instanceof TimelineFileError)) throw error;
        if (!this.header) throw this.#error("the file ends inside its header", 1);
        this.tornBytes = rest.length;
      }
    }
    if (!this.header) throw this.#error("the file is empty; a timeline begins with its header", 0);
    return { header: this.header, index: this.index, tornBytes: this.tornBytes };
  }

  /**
   * @param {string} message
   * @param {number} line
   */
  #error(message, line) {
    return new TimelineFileError(message, line);
  }

  /**
   * @param {Uint8Array} line
   * @param {string} [text] the line, if it is decoded
   */
  #take(line, text) {
    const number = ++this.#line;
    if (number === 1) this.#refuseOther(line);
    if (line.length === 0) throw this.#error("the line is blank", number);
    const json = this.#parse(line, text, number);
    try {
      if (this.header) this.#takeEntry(json, number);
      else this.header = header(json, "");
    } catch (error) {
      if (error instanceof WireError) throw this.#error(error.message, number);
      throw error;
    }
  }

  /** @param {Uint8Array} line */
  #refuseOther(line) {
    const [first, second, third] = line;
    if (first === 0xef && second === 0xbb && third === 0xbf) {
      throw this.#error("the file begins with a byte order mark; save it as UTF-8 without one", 1);
    }
  }

  /**
   * @param {Uint8Array} line
   * @param {string | undefined} text
   * @param {number} number
   * @returns {Json}
   */
  #parse(line, text, number) {
    try {
      return parseJson(text ?? this.#decoder.decode(line));
    } catch {
      const what = number === 1 ? "not a .timeline file: there is no header" : "this is not JSON";
      throw this.#error(what, number);
    }
  }

  /**
   * @param {Json} json
   * @param {number} line
   */
  #takeEntry(json, line) {
    if (member(json, "format") !== undefined && member(json, "seq") === undefined) {
      throw this.#error("a second header; a file holds one timeline", line);
    }
    const read = entry(json, "");
    const isFirst = this.#lastSeq < 0;
    if (!isFirst && read.seq <= this.#lastSeq) {
      throw this.#error(`${read.seq} cannot follow ${this.#lastSeq}`, line);
    }
    const lost = read.seq - this.#lastSeq - 1;
    if (lost > 0 && read.gap?.lost !== lost) {
      throw this.#error(`${read.seq} follows ${this.#lastSeq} without a gap that says so`, line);
    }
    if (read.t < this.#lastTime) throw this.#error("the time goes back", line);
    this.index.add(read, this.bytes);
    this.#lastSeq = read.seq;
    this.#lastTime = read.t;
  }
}
