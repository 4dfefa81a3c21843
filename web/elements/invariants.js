/** What held at every entry of recordings of a machine, to keep or to break. */

import { formatCount, formatNumbered } from "../base/format.js";
import { shorten, visible } from "../base/text.js";
import { Invariants } from "../model/inspector/invariants.js";
import { nameOf } from "../model/sources/source-list.js";
import { recordingsToCount } from "../model/verification/coverage-choices.js";
import { disable } from "./disabling.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { ProgressLine } from "./progress.js";
import { actButton, WindowView } from "./window.js";

/** @import { Message } from "../wire/to-inspector.js" */
/** @import { Job } from "../model/timeline/jobs.js" */

/** @typedef {Message<"invariants">} Found */

/** The conditions to list. */
const LIMIT = 50;

export class InvariantsView extends WindowView {
  static define(name = "tt-invariants") {
    customElements.define(name, InvariantsView);
  }

  #all = h("input", { type: "checkbox", checked: true });
  #allText = h("span");
  #line = new ProgressLine();
  #note = h("p", { class: "coverage-note", role: "status" });
  #result = h("div", { class: "found-invariants" });
  /** @type {Invariants | undefined} */
  #invariants;
  /** @type {Job | undefined} */
  #job;
  /** The cells with the buttons of each condition. @type {Map<string, HTMLElement>} */
  #acts = new Map();

  buildBody() {
    this.dialog.classList.add("wide");
    this.#all.addEventListener("change", () => void this.#start());
    this.body.append(
      h("label", { class: "check" }, this.#all, this.#allText),
      this.#line.element,
      this.#note,
      this.#result,
    );
  }

  open() {
    const { summary, summaries } = this.inspector;
    if (!summary) return;
    const others = recordingsToCount(summary, summaries).length - 1;
    show(this.#all.parentElement ?? this.#all, others > 0);
    setText(
      this.#allText,
      `Also search ${formatNumbered(others, "other recording")} of ${
        visible(shorten(summary.header.machine.type, 60))
      }`,
    );
    this.setTitle(`What always held in ${visible(nameOf(summary))}`);
    this.show();
    void this.#start();
  }

  closed() {
    this.#job?.cancel();
  }

  renderBody() {
    const isRunning = this.#job?.is === "running";
    show(this.#line.element, isRunning);
    if (this.#job && isRunning) this.#line.setJob(this.#job);
  }

  async #start() {
    const { source, summary } = this.inspector;
    this.#job?.cancel();
    this.#result.replaceChildren();
    setText(this.#note, "");
    setAttribute(this.#note, "data-tone", undefined);
    if (!source || !summary) return;
    const invariants = new Invariants(this.inspector);
    this.#invariants = invariants;
    const { job, result } = this.timeTravel.jobs.start(
      `Finding what always held in “${visible(nameOf(summary))}”`,
      (options) =>
        source.ask({
          type: "invariants",
          timelines: [summary.header.timeline],
          ...(this.#all.checked ? { others: true } : {}),
          limit: LIMIT,
        }, options),
    );
    this.#job = job;
    this.invalidate();
    const [found] = await Promise.all([result, invariants.load()]);
    if (this.#job !== job) return;
    this.invalidate();
    if (found) this.#showFound(found);
    else this.#showFailed(job);
  }

  /** @param {Job} job */
  #showFailed(job) {
    setAttribute(this.#note, "data-tone", "warn");
    setText(this.#note, job.is === "cancelled" ? "Canceled" : visible(job.error?.message ?? ""));
  }

  /** @param {Found} found */
  #showFound(found) {
    setText(this.#note, coverageOf(found));
    this.#acts.clear();
    if (found.invariants.length === 0) return;
    const head = ["Kind", "What held, the most surprising first", "To do"];
    this.#result.append(
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, ...found.invariants.map((one) => this.#row(one))),
      ),
    );
  }

  /** @param {Found["invariants"][number]} found */
  #row({ kind, predicate }) {
    const acts = h("td", { class: "acts" });
    this.#acts.set(predicate, acts);
    this.#fill(acts, predicate);
    return h("tr", {}, h("td", {}, kind), h("td", {}, h("code", {}, visible(predicate))), acts);
  }

  /**
   * @param {HTMLElement} acts
   * @param {string} predicate
   */
  #fill(acts, predicate) {
    const kept = this.#invariants?.list.find((one) => one.predicate === predicate);
    const why = this.#invariants?.whyNotChange;
    const text = visible(predicate);
    const keep = kept
      ? actButton("Remove", () => void this.#change(predicate, kept.name), {})
      : actButton("Keep", () => void this.#change(predicate), {});
    keep.setAttribute("aria-label", `${kept ? "Remove" : "Keep"} ${text}`);
    disable(keep, why);
    const explore = actButton("Try to break it", () => {
      this.close();
      this.context.windows.explore(predicate);
    }, { title: "Explore from the entry at the cursor" });
    explore.setAttribute("aria-label", `Try to break ${text}`);
    acts.replaceChildren(keep, explore);
  }

  /**
   * Keeps a condition, or removes a kept one.
   *
   * @param {string} predicate
   * @param {string} [kept] its name
   */
  async #change(predicate, kept) {
    const done = kept === undefined
      ? await this.#invariants?.keep(predicate)
      : await this.#invariants?.remove(kept);
    const acts = this.#acts.get(predicate);
    if (!done || !acts) return;
    const hadFocus = acts.contains(document.activeElement);
    this.#fill(acts, predicate);
    if (hadFocus) acts.querySelector("button")?.focus();
    const text = visible(shorten(predicate, 120));
    this.inspector.notify("info", kept === undefined ? `Kept: ${text}` : `Removed: ${text}`);
  }
}

/**
 * What the conditions were tried at, in words.
 *
 * @param {Found} found
 */
function coverageOf({ invariants, entries, unknown, recordings, skipped }) {
  const where = `${formatNumbered(entries, "entry", "entries")} of ${
    formatNumbered(recordings, "recording")
  }`;
  return [
    invariants.length === 0
      ? `No condition worth listing held at all ${where}.`
      : `Each was tried at ${where}.`,
    ...(unknown === undefined ? [] : [
      `Of ${
        formatNumbered(unknown, "entry", "entries")
      }, the recordings do not say whether it held there.`,
    ]),
    ...(skipped === undefined ? [] : [`${formatCount(skipped)} older ones were not searched.`]),
    ...(invariants.length < LIMIT ? [] : [`These are the first ${formatCount(LIMIT)}.`]),
  ].join(" ");
}
