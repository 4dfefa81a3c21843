/** Filters with a name, which the daemon keeps for all recordings of a type of machine. */

import { visible } from "../../base/text.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Inspector } from "./inspector.js" */

/** @typedef {{ name: string, predicate: string }} NamedFilter */

export class NamedFilters {
  #inspector;
  /**
   * The latest list that a daemon sent.
   *
   * @type {{ machine: string | undefined, filters: readonly NamedFilter[] }}
   */
  #latest = { machine: undefined, filters: [] };

  /** @param {Inspector} inspector */
  constructor(inspector) {
    this.#inspector = inspector;
  }

  get #machine() {
    return this.#inspector.summary?.header.machine.type;
  }

  /** The filters of the shown machine by name; none before they have come. */
  get list() {
    return this.#latest.machine === this.#machine ? this.#latest.filters : [];
  }

  /** Why filters have no names here; nothing if they do. */
  get whyNot() {
    const { source, data } = this.#inspector;
    if (source?.kind !== "daemon") return "Only a daemon keeps filters.";
    return data ? undefined : "Open a timeline first.";
  }

  /** Why no filter can be kept or removed; nothing if one can. */
  get whyNotChange() {
    return this.#inspector.source?.capabilities.has("change")
      ? undefined
      : "This session can look, but not edit. To open one that can, run: debugd open";
  }

  /** The predicate of the filter, if there is one that can be kept. */
  get present() {
    const { data } = this.#inspector;
    return data?.filter && !data.filterError ? data.shortPredicate : undefined;
  }

  /** Asks for the filters of the machine. */
  async load() {
    await this.#ask({});
  }

  /**
   * The filter with a name; nothing, with a notice, if there is none.
   *
   * @param {string} name
   */
  async predicateOf(name) {
    const inspector = this.#inspector;
    if (this.whyNot !== undefined) return inspector.notify("info", this.whyNot);
    if (!await this.#ask({})) return;
    const found = this.list.find((one) => one.name === name);
    if (found) return found.predicate;
    const kept = this.list.length === 0
      ? "None is kept for this type of machine."
      : `There are: ${this.list.map((one) => visible(one.name)).join(", ")}.`;
    inspector.notify("info", `No filter is called “${visible(name)}”. ${kept}`);
  }

  /**
   * Keeps the present filter under a name.
   *
   * @param {string} name
   */
  async keep(name) {
    const predicate = this.present;
    if (predicate === undefined || !await this.#ask({ name, predicate })) return;
    this.#inspector.notify("info", `Kept the filter “${visible(name)}”.`);
  }

  /** @param {string} name */
  async remove(name) {
    await this.#ask({ name });
  }

  /**
   * Whether it succeeded.
   *
   * @param {{ name?: string, predicate?: string }} change
   */
  async #ask(change) {
    const { source } = this.#inspector;
    const machine = this.#machine;
    if (!source || machine === undefined) return false;
    try {
      const { filters } = await source.ask({ type: "filters", machine, ...change });
      // Meanwhile, another machine may be shown, whose list may have come first.
      if (machine === this.#machine) this.#latest = { machine, filters };
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#inspector.report(error);
      return false;
    }
  }
}
