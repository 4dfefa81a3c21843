/** Conditions that should always hold, which the daemon keeps and watches for a type of machine. */

import { RequestError } from "../../wire/requests.js";

/** @import { Inspector } from "./inspector.js" */

export class Invariants {
  #inspector;
  /** By name. @type {readonly { name: string, predicate: string }[]} */
  list = [];

  /** @param {Inspector} inspector */
  constructor(inspector) {
    this.#inspector = inspector;
  }

  /** All of them as one condition; nothing without any. */
  get goal() {
    const [first, ...rest] = this.list;
    if (!first || rest.length === 0) return first?.predicate;
    return this.list.map(({ predicate }) => `(${predicate})`).join(" && ");
  }

  /** Why none can be kept or removed; nothing if one can. */
  get whyNotChange() {
    return this.#inspector.source?.capabilities.has("change")
      ? undefined
      : "This session can look, but not edit. To open one that can, run: debugd open";
  }

  /** Asks for those of the machine; whether that succeeded. */
  load() {
    return this.#ask({});
  }

  /**
   * Keeps a condition; its text is its name.
   *
   * @param {string} predicate
   */
  keep(predicate) {
    return this.#ask({ name: predicate, predicate });
  }

  /** @param {string} name */
  remove(name) {
    return this.#ask({ name });
  }

  /** @param {{ name?: string, predicate?: string }} change */
  async #ask(change) {
    const { source, summary } = this.#inspector;
    if (!source || !summary || source.kind !== "daemon") return false;
    const machine = summary.header.machine.type;
    try {
      const { filters } = await source.ask({ type: "filters", machine, always: true, ...change });
      this.list = filters;
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#inspector.report(error);
      return false;
    }
  }
}
