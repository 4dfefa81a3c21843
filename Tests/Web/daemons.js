/** Daemons made up for tests: they answer from files, and note what they are asked. */

import { Emitter } from "../../web/base/emitter.js";
import { Inspector } from "../../web/model/inspector/inspector.js";
import { START } from "../../web/model/inspector/location.js";
import { TimeTravel } from "../../web/model/inspector/time-travel.js";
import { counterLines, HEADER, openLines } from "./files.js";

/** @import { JsonObject } from "../../web/base/json-types.d.ts" */

/** Lets all answers come that are under way. */
export const settle = async () => {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
};

/** @param {string} digit */
export const idOf = (digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

/**
 * A daemon with some counters, each with the members of its header and of its summary.
 *
 * @param {{ id: string, count?: number, header?: JsonObject, rest?: JsonObject }[]} counters
 * @param {Record<string, (request: any) => any>} [answers] in place of the files'
 */
export async function openDaemon(counters, answers = {}) {
  /** @type {Map<string, any>} */
  const files = new Map();
  /** @type {any[]} */
  const summaries = [];
  for (const { id, count = 20, header, rest } of counters) {
    const machine = { type: "Commute.Favorites", name: "counter", make: "Counter()" };
    const file = await openLines(counterLines(count), {
      ...HEADER,
      machine,
      ...header,
      timeline: id,
    });
    const { timelines: [summary] } = await file.ask({ type: "timelines" });
    files.set(id, file);
    summaries.push({ ...summary, ...rest });
  }
  /** @type {any[]} */
  const asked = [];
  const news = new Emitter();
  const source = {
    kind: "daemon",
    capabilities: new Set(["look", "change", "control", "host"]),
    news,
    ask: async (/** @type {any} */ request, /** @type {any} */ options) => {
      asked.push(request);
      if (answers[request.type]) return await answers[request.type]?.(request);
      switch (request.type) {
        case "timelines":
          return { type: "timelines", timelines: summaries };
        case "hosts":
          return { type: "hosts", hosts: [{ name: "h", place: "process", makes: ["Counter()"] }] };
        case "watch":
          return { type: "done" };
        default:
          return await files.get(request.timeline).ask(request, options);
      }
    },
  };
  return {
    source: /** @type {any} */ (source),
    news,
    summaries,
    /** @param {string} type */
    of: (type) => asked.filter((one) => one.type === type),
  };
}

/**
 * The same source, of which some answers wait until they are let go.
 *
 * @param {any} source
 * @param {string} type the requests whose answers wait
 */
export function holding(source, type) {
  /** @type {(() => void)[]} */
  const waiting = [];
  /** @type {(AbortSignal | undefined)[]} */
  const signals = [];
  let isHolding = false;
  const ask = async (/** @type {any} */ request, /** @type {any} */ options) => {
    if (isHolding && request.type === type) {
      signals.push(options?.signal);
      await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    }
    return await source.ask(request, options);
  };
  return {
    source: { ...source, ask },
    hold: () => void (isHolding = true),
    letGo: async () => {
      isHolding = false;
      for (const go of waiting.splice(0)) go();
      await settle();
    },
    /** What can end the questions that were held. */
    signals,
    /** How many answers wait. */
    get count() {
      return waiting.length;
    },
  };
}

/**
 * An inspector of a daemon, with what changes the past.
 *
 * @param {any} source
 * @param {Partial<typeof START>} [location]
 */
export async function inspect(source, location = {}) {
  const inspector = new Inspector();
  inspector.location = { ...START, ...location };
  inspector.setConnection(/** @type {any} */ ({ is: "open" }));
  const timeTravel = new TimeTravel(inspector, {
    now: () => 0,
    later: () => {},
    kept: null,
    keep: () => {},
  });
  await inspector.attach(source);
  await settle();
  const notices = () => inspector.notices.list.map(({ text }) => text);
  return { inspector, timeTravel, notices };
}
