/** Which events occurred in which states, over the recordings of a type of machine. */

import { formatNumbered } from "../base/format.js";
import { shorten, shortenMiddle, visible } from "../base/text.js";
import { nameOf } from "../model/sources/source-list.js";
import {
  coverageLists,
  coverageText,
  recordingsToCount,
  stateChoices,
} from "../model/verification/coverage-choices.js";
import { readCoverage } from "../model/verification/machine-coverage.js";
import { coverageTable } from "./coverage-table.js";
import { h, icon, keep, setAttribute, setText, show } from "./dom.js";
import { ProgressLine } from "./progress.js";
import { labeled, WindowView } from "./window.js";

/** @import { Job } from "../model/timeline/jobs.js" */
/** @import { MachineCoverage } from "../model/verification/machine-coverage.js" */

/** Characters of the path of a value. */
const MAXIMUM_TITLE = 80;

/** Characters of the names in a list below the table. */
const MAXIMUM_LIST = 600;

export class CoverageView extends WindowView {
  static define(name = "tt-coverage") {
    customElements.define(name, CoverageView);
  }

  #path = h("select");
  #all = h("input", { type: "checkbox", checked: true });
  #allText = h("span");
  #line = new ProgressLine();
  #note = h("p", { class: "coverage-note", role: "status" });
  #scroll = h("div", { class: "coverage-scroll" });
  #legend = h(
    "p",
    { class: "note" },
    "7/12: of 12 events, 7 changed the state or an output. Empty: the event never occurred there. " +
      "To go to the first event of a cell, click its number.",
  );
  #lists = h("dl", { class: "coverage-lists" });
  /** @type {Job | undefined} */
  #job;

  buildBody() {
    this.dialog.classList.add("wide");
    for (const input of [this.#path, this.#all]) {
      input.addEventListener("change", () => void this.#start());
    }
    this.body.append(
      h(
        "div",
        { class: "coverage-bar" },
        labeled("The state is", this.#path),
        h("label", { class: "check" }, this.#all, this.#allText),
      ),
      this.#line.element,
      this.#note,
      this.#scroll,
      this.#legend,
      this.#lists,
    );
  }

  open() {
    const { summary, moment: { shown }, pin, summaries } = this.inspector;
    if (!summary) return;
    const choices = stateChoices(
      summary.header,
      shown?.is === "known" ? shown : undefined,
      pin?.path,
    );
    this.#path.replaceChildren(
      ...choices.map(({ path, title }) =>
        h("option", { value: path }, shortenMiddle(visible(title), MAXIMUM_TITLE))
      ),
    );
    const others = recordingsToCount(summary, summaries).length - 1;
    show(this.#all.parentElement ?? this.#all, others > 0);
    setText(
      this.#allText,
      `Also count ${formatNumbered(others, "other recording")} of ${
        visible(shorten(summary.header.machine.type, 60))
      }`,
    );
    this.setTitle(`Coverage of ${visible(nameOf(summary))}`);
    this.show();
    this.#path.focus();
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
    const { source, summary, summaries } = this.inspector;
    const path = this.#path.value;
    this.#job?.cancel();
    this.#clear();
    if (!source || !summary) return;
    if (path === "") {
      return setText(
        this.#note,
        "No value of this moment can name the state. Go to another entry.",
      );
    }
    const recordings = recordingsToCount(summary, summaries).slice(
      0,
      this.#all.checked ? undefined : 1,
    );
    const { job, result } = this.timeTravel.jobs.start(
      `Counting the events of “${visible(nameOf(summary))}”`,
      (options) => readCoverage(source, recordings, path, options),
    );
    this.#job = job;
    this.invalidate();
    const found = await result;
    if (this.#job !== job) return;
    this.invalidate();
    if (found) this.#showFound(found, recordings.length);
    else this.#showFailed(job);
  }

  #clear() {
    this.#scroll.replaceChildren();
    this.#lists.replaceChildren();
    for (const part of [this.#scroll, this.#legend, this.#lists]) show(part, false);
    setText(this.#note, "");
    setAttribute(this.#note, "data-tone", undefined);
  }

  /** @param {Job} job */
  #showFailed(job) {
    setAttribute(this.#note, "data-tone", "warn");
    setText(this.#note, job.is === "cancelled" ? "Canceled" : visible(job.error?.message ?? ""));
    this.#note.prepend(icon("warning"));
  }

  /**
   * @param {MachineCoverage} coverage
   * @param {number} recordings how many were counted
   */
  #showFound(coverage, recordings) {
    const { summary } = this.inspector;
    if (!summary) return;
    const { table, hidden } = coverageTable(coverage, ({ timeline, seq }) => {
      this.close();
      this.inspector.open(timeline, seq);
    });
    const isEmpty = coverage.states.length === 0;
    setText(this.#note, coverageText(coverage, recordings, hidden));
    show(this.#scroll, !isEmpty);
    show(this.#legend, !isEmpty);
    this.#scroll.replaceChildren(table);
    const lists = coverageLists(coverage, summary.header);
    show(this.#lists, lists.length > 0);
    keep(
      this.#lists,
      lists,
      ({ title }) => title,
      ({ title }) => h("div", {}, h("dt", {}, title), h("dd", {})),
      (element, { names }) => {
        const text = shorten(names.map(visible).join(", "), MAXIMUM_LIST);
        if (element.lastElementChild) setText(element.lastElementChild, text);
      },
    );
  }
}
