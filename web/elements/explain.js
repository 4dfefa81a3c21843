/** What led to the entry at the cursor. */

import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { areKin } from "../model/branches/branches.js";
import { explainPredicate } from "../model/predicate/plain-filter.js";
import { nameOf } from "../model/sources/source-list.js";
import { explanationSections, explanationTitle } from "../model/verification/explanation.js";
import { disable } from "./disabling.js";
import { focusField, h, icon, setAttribute, setText, show } from "./dom.js";
import { ProgressLine } from "./progress.js";
import { actButton, labeled, WindowView } from "./window.js";

/** @import { Job } from "../model/timeline/jobs.js" */
/** @import { Explanation, Line, Section } from "../model/verification/explanation.js" */

export class ExplainView extends WindowView {
  static define(name = "tt-explain") {
    customElements.define(name, ExplainView);
  }

  #predicate = h("input", { type: "text", spellcheck: "false", placeholder: "state.total < 0" });
  #predicateError = h("p", { class: "problem", role: "status" });
  #fewest = h("input", { type: "checkbox", checked: true });
  #go = actButton("Explain", () => void this.#start(), { main: true, icon: "search" });
  #line = new ProgressLine();
  #about = h("p", { class: "note about" });
  #result = h("div", { class: "verdict", role: "status" });
  /** @type {Job | undefined} */
  #job;
  /** What the result is about, to compare and in words. */
  #subject = { place: "", timeline: "", name: "" };

  buildBody() {
    const form = h(
      "div",
      { class: "prove-form" },
      labeled("Condition, if it is about one", this.#predicate),
      this.#predicateError,
      h(
        "label",
        { class: "check" },
        this.#fewest,
        "Find the fewest events, which runs the reducer",
      ),
    );
    this.#predicate.addEventListener("input", () => this.invalidate());
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) void this.#start();
    });
    this.body.append(
      form,
      h("div", { class: "acts" }, this.#go),
      this.#line.element,
      this.#about,
      this.#result,
    );
    show(this.#line.element, false);
  }

  open() {
    if (!this.#job) this.#result.replaceChildren();
    if (this.#predicate.value === "") {
      this.#predicate.value = this.inspector.data?.shortPredicate ?? "";
    }
    this.#fewest.checked = this.#mayRun;
    disable(
      this.#fewest,
      this.#mayRun
        ? undefined
        : "This session can look, but not edit. To open one that can, run: debugd open",
    );
    this.show();
    focusField(this.#predicate);
  }

  get #place() {
    return `${this.inspector.data?.id} ${this.inspector.cursor}`;
  }

  get #mayRun() {
    return this.inspector.source?.capabilities.has("change") === true;
  }

  /** @returns {string | undefined} */
  get #problem() {
    const text = this.#predicate.value.trim();
    if (text === "") return undefined;
    const { shown } = this.inspector.moment;
    return explainPredicate(text, shown?.is === "known" ? shown : undefined);
  }

  /** Why it cannot start now; nothing when it can. */
  get #whyNotStart() {
    return this.#job?.is === "running" ? "The explanation is being made." : this.#problem;
  }

  renderBody() {
    const { data, summary, summaries, cursor } = this.inspector;
    this.setTitle(`Explain ${summary ? visible(nameOf(summary)) : ""} at ${formatCount(cursor)}`);
    const problem = this.#problem;
    setText(this.#predicateError, problem ?? "");
    setAttribute(this.#predicate, "aria-invalid", problem ? "true" : undefined);
    const isRunning = this.#job?.is === "running";
    disable(this.#go, this.#whyNotStart);
    show(this.#line.element, isRunning);
    if (this.#job && isRunning) this.#line.setJob(this.#job);
    const { place, timeline } = this.#subject;
    // That of another machine would look like an answer.
    const isOurs = areKin(timeline, data?.id ?? "", summaries);
    show(this.#result, isOurs);
    show(this.#about, isOurs && place !== this.#place && this.#result.childElementCount > 0);
    setText(this.#about, `The last result: ${this.#subject.name}`);
  }

  async #start() {
    const { source, data, cursor, summary } = this.inspector;
    if (this.#whyNotStart !== undefined || !source || !data || !summary) return;
    this.#result.replaceChildren();
    const predicate = this.#predicate.value.trim();
    const { job, result } = this.timeTravel.jobs.start(
      `Explaining “${visible(nameOf(summary))}”`,
      (options) =>
        source.ask({
          type: "explain",
          timeline: data.id,
          seq: cursor,
          ...(predicate === "" ? {} : { predicate }),
          ...(this.#fewest.checked ? { fewest: true } : {}),
        }, options),
    );
    this.#job = job;
    this.#subject = {
      place: this.#place,
      timeline: data.id,
      name: `${job.title} at ${formatCount(cursor)}`,
    };
    this.invalidate();
    const found = await result;
    if (found) this.#showFound(found);
    else this.#showFailed(job);
    this.invalidate();
  }

  /** @param {Job} job */
  #showFailed(job) {
    const isCanceled = job.is === "cancelled";
    setAttribute(this.#result, "data-tone", isCanceled ? "warn" : "err");
    this.#result.replaceChildren(
      h("h3", {}, icon("warning"), isCanceled ? "Canceled" : "Failed"),
      ...(isCanceled ? [] : [h("p", {}, visible(job.error?.message ?? ""))]),
    );
  }

  /** @param {Explanation} found */
  #showFound(found) {
    setAttribute(this.#result, "data-tone", undefined);
    this.#result.replaceChildren(
      h("h3", {}, visible(explanationTitle(found))),
      ...explanationSections(found).map((section) => this.#sectionElement(section)),
    );
  }

  /** @param {Section} section */
  #sectionElement({ title, lines }) {
    return h(
      "section",
      { class: "explained" },
      h("h4", {}, visible(title)),
      h("ul", {}, ...lines.map((line) => this.#lineElement(line))),
    );
  }

  /** @param {Line} line */
  #lineElement({ text, label, seq }) {
    return h(
      "li",
      {},
      seq === undefined ? h("span", {}, visible(text)) : this.#entryButton(text, seq),
      label && h("span", { class: "edge-label", "data-label": label }, label),
    );
  }

  /**
   * @param {string} text
   * @param {number} seq
   */
  #entryButton(text, seq) {
    const go = h("button", {
      type: "button",
      class: "entry-link",
      title: `Go to entry ${formatCount(seq)}`,
    }, visible(text));
    go.addEventListener("click", () => {
      this.close();
      this.inspector.open(this.#subject.timeline, seq);
    });
    return go;
  }
}
