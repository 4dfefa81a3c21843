/** The timeline of a file with branches, which were computed when the file was written. */

import { difference } from "../../base/difference.js";
import { equalJson, isObject, member, parseJson } from "../../base/json.js";
import { unpackZstd } from "../../base/zstd.js";
import { entry } from "../../wire/entry.js";
import { header as readHeader } from "../../wire/header.js";
import { RequestError } from "../../wire/requests.js";
import { branchEnd } from "../../wire/shape.js";
import { LocalTimeline } from "./local-timeline.js";
import { whatIfWords } from "./what-if.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { AskType, Replies } from "../../wire/requests.js" */
/** @import { FromInspector, Request } from "../../wire/from-inspector.js" */
/** @import { AskOptions, Source } from "../sources/source.js" */
/** @import { WhatIf } from "./what-if.js" */
/** @import { Lines } from "./moments.js" */

/** Where a branch is in the unpacked text. @typedef {{ edits: Json, start: number, bytes: number, ended: string | undefined, isFewest: boolean }} Place */

/** @implements {Source} */
export class LocalTimelines {
  /** @readonly @type {"file"} */
  kind = "file";
  #main;
  #packed;
  /** @readonly */
  whatIf;
  /** The branches that were opened, by their ids. @type {Map<string, LocalTimeline>} */
  #branches = new Map();
  /** @type {Promise<{ places: Place[], body: Uint8Array }> | undefined} */
  #index;
  /** The branches by their places. @type {Map<Place, string>} */
  #ids = new Map();

  /**
   * @param {LocalTimeline} main
   * @param {Pick<Blob, "arrayBuffer">} packed the branches, as `debugd export` writes them
   * @param {WhatIf} whatIf
   */
  constructor(main, packed, whatIf) {
    this.#main = main;
    this.#packed = packed;
    this.whatIf = whatIf;
  }

  get capabilities() {
    return this.#main.capabilities;
  }

  get news() {
    return this.#main.news;
  }

  /**
   * @template {AskType} Type
   * @param {Request<Type>} request
   * @param {AskOptions} [options]
   * @returns {Promise<Replies[Type]>}
   */
  async ask(request, options = {}) {
    const asked = /** @type {FromInspector} */ (/** @type {unknown} */ (request));
    const reply = await this.#answer(asked, options);
    return /** @type {Replies[Type]} */ (reply);
  }

  /**
   * @param {FromInspector} request
   * @param {AskOptions} options
   * @returns {Promise<Replies[AskType]>}
   */
  async #answer(request, options) {
    switch (request.type) {
      case "timelines": {
        const branches = [...this.#branches.values()].map(({ summary }) => summary);
        return { type: "timelines", timelines: [this.#main.summary, ...branches] };
      }
      case "fork":
        return await this.#fork(request);
      case "diff": {
        const [a, b] = await Promise.all([request.a, request.b].map(async ({ timeline, seq }) => {
          const path = request.path === undefined ? {} : { path: request.path };
          return await this.#of(timeline).ask({ type: "state", timeline, seq, ...path });
        }));
        const patch = difference(a?.value ?? null, b?.value ?? null)
          .map(({ tokens: _, ...operation }) => operation);
        return { type: "diff", patch };
      }
      default: {
        const timeline = "timeline" in request ? request.timeline : undefined;
        return await this.#of(timeline).ask(/** @type {never} */ (request), options);
      }
    }
  }

  /** @param {string | undefined} timeline */
  #of(timeline) {
    return (timeline === undefined ? undefined : this.#branches.get(timeline)) ?? this.#main;
  }

  /** Opens the branch with the fewest events, if there is one. */
  async openFewest() {
    const { places, body } = await this.#read();
    const fewest = places.find(({ isFewest }) => isFewest);
    if (!fewest) return;
    const timeline = this.#open(fewest, body);
    this.news.emit({ type: "timeline", timeline: timeline.summary });
  }

  /**
   * @param {Request<"fork">} request
   * @returns {Promise<Replies["fork"]>}
   */
  async #fork({ timeline, edits, name }) {
    const parent = this.#main.summary.header.timeline;
    if (timeline !== parent) {
      throw new RequestError("no-host", "This file has branches only of its recording.");
    }
    const { places, body } = await this.#read();
    const wanted = normalized(edits);
    const place = places.find((one) => equalJson(normalized(one.edits), wanted));
    if (!place) {
      const words = `This file has no branch for this edit. ${whatIfWords(this.whatIf)}`;
      throw new RequestError("no-host", words);
    }
    const branch = this.#open(place, body);
    branch.name = name;
    const { header } = branch.summary;
    return { type: "fork", timeline: header.timeline, start: header.parent?.start ?? 0, parent };
  }

  /**
   * @param {Place} place
   * @param {Uint8Array} body
   */
  #open(place, body) {
    const known = this.#branches.get(this.#ids.get(place) ?? "");
    if (known) return known;
    const text = new TextDecoder().decode(body.subarray(place.start, place.start + place.bytes));
    const [head = {}, ...own] = text.split("\n").filter((line) => line !== "").map(readObject);
    const header = readHeader(head, "");
    const lines = branchLines(this.#main.lines, header.parent?.start ?? 0, head, own);
    const ended = place.ended === undefined ? undefined : branchEnd(place.ended, "ended");
    const branch = new LocalTimeline(header, lines, place.bytes, ended);
    this.#branches.set(header.timeline, branch);
    this.#ids.set(place, header.timeline);
    return branch;
  }

  #read() {
    this.#index ??= this.#packed.arrayBuffer().then((packed) => {
      const bytes = unpackZstd(new Uint8Array(packed));
      const end = bytes.indexOf(10);
      const list = parseJson(new TextDecoder().decode(bytes.subarray(0, end)));
      let start = 0;
      const places = (Array.isArray(list) ? list : []).map((one) => {
        const [size, ended] = [member(one, "bytes"), member(one, "ended")];
        const place = {
          edits: member(one, "edits") ?? null,
          start,
          bytes: typeof size === "number" ? size : 0,
          ended: typeof ended === "string" ? ended : undefined,
          isFewest: member(one, "fewest") === true,
        };
        start += place.bytes;
        return place;
      });
      return { places, body: bytes.subarray(end + 1) };
    });
    return this.#index;
  }
}

/** @param {string} line @returns {JsonObject} */
function readObject(line) {
  const json = parseJson(line);
  return isObject(json) ? json : {};
}

/**
 * The script, in which an event that is moved later is its neighbor that is moved earlier.
 *
 * @param {Json} edits
 * @returns {Json}
 */
function normalized(edits) {
  if (!Array.isArray(edits)) return edits;
  return edits.map((edit) => {
    const [seq, before] = [member(edit, "move"), member(edit, "before")];
    const isLater = typeof seq === "number" && typeof before === "number" && before === seq + 2;
    return isLater ? { move: seq + 1, before: seq } : edit;
  });
}

/**
 * The parent's lines up to where a branch starts, and then the branch's own.
 *
 * @param {Lines} parent
 * @param {number} start the first seq that is not shared
 * @param {JsonObject} header
 * @param {JsonObject[]} own
 * @returns {Lines}
 */
function branchLines(parent, start, header, own) {
  const shared = parent.index.placeOf(start);
  const index = parent.index.head(shared);
  let offset = parent.index.offsets[shared] ?? 0;
  for (const line of own) {
    index.add(entry(line, ""), offset);
    // About as many bytes as its text had: only distances matter.
    offset += JSON.stringify(line).length + 1;
  }
  return {
    index,
    async read(first, end) {
      const heads = first < 0 ? [header] : [];
      const low = Math.max(first, 0);
      const lines = low < shared ? await parent.read(low, Math.min(end, shared)) : [];
      return [
        ...heads,
        ...lines,
        ...own.slice(Math.max(0, low - shared), Math.max(0, end - shared)),
      ];
    },
  };
}
