/** Verifying that a reducer still does what was recorded, and finding the fewest events for something. */

import { formatCount } from "../base/format.js";
import { PatchError, readPatch } from "../base/patch.js";
import { visible } from "../base/text.js";
import { explainPredicate } from "../model/predicate/plain-filter.js";
import { isSamePredicate } from "../model/predicate/same-predicate.js";
import { nameOf } from "../model/sources/source-list.js";
import { offeredCondition } from "../model/inspector/offered-condition.js";
import { areKin } from "../model/branches/branches.js";
import { minimizedBefore } from "../model/branches/minimized-branches.js";
import {
  endVerdict,
  knownVerdict,
  minimizeVerdict,
  verifyVerdict,
} from "../model/verification/verdicts.js";
import { linesOf } from "./diff.js";
import { disable } from "./disabling.js";
import { focusField, h, icon, setAttribute, setText, show } from "./dom.js";
import { ProgressLine } from "./progress.js";
import { actButton, labeled, WindowView } from "./window.js";

/** @import { Job } from "../model/timeline/jobs.js" */
/** @import { TimelineSummary } from "../wire/to-inspector.js" */
/** @import { MinimizedSearch } from "../model/branches/minimized-branches.js" */
/** @import { Verdict } from "../model/verification/verdicts.js" */

/** What is offered in how many processes a timeline is replayed. */
const PROCESSES = [1, 2, 4, 8];

export class ProveView extends WindowView {
  static define(name = "tt-prove") {
    customElements.define(name, ProveView);
  }

  /** @type {"verify" | "minimise"} */
  #what = "verify";
  #verify = h("div", { class: "prove-form" });
  #minimize = h("div", { class: "prove-form" });
  #processes = h("select");
  #stretch = h("input", { type: "checkbox" });
  #stretchText = h("span");
  #stretchLine = h("label", { class: "check" }, this.#stretch, this.#stretchText);
  #predicate = h("input", { type: "text", spellcheck: "false", placeholder: "error != null" });
  #predicateError = h("p", { class: "problem", role: "status" });
  #seconds = h("input", { type: "text", inputmode: "numeric", value: "60" });
  #through = h("input", { type: "checkbox", checked: true });
  #throughText = h("span");
  #later = h("input", { type: "checkbox" });
  #keeps = h("input", { type: "checkbox" });
  #go = actButton("Verify", () => void this.#start(), { main: true, icon: "play" });
  #line = new ProgressLine();
  #result = h("div", { class: "verdict", role: "status" });
  #note = h("p", { class: "note" });
  /** @type {Job | undefined} */
  #job;
  #about = h("p", { class: "note about" });
  /** What the result is about, to compare and in words. */
  #subject = { what: "", timeline: "", place: "", name: "" };
  /** Where the condition was filled in, and the filter it was filled in from. */
  #offered = { timeline: "", filter: "" };

  buildBody() {
    for (const count of PROCESSES) {
      this.#processes.append(
        h(
          "option",
          { value: count },
          count === 1
            ? "once, on the running host"
            : `in ${count} fresh processes, with other hash seeds, time zones and locales`,
        ),
      );
    }
    this.#verify.append(
      h(
        "p",
        { class: "note" },
        "Replays the events and compares each state and output with the recording. With several processes, it can distinguish an impure reducer from a changed one.",
      ),
      labeled("Replay", this.#processes),
      this.#stretchLine,
    );
    this.#minimize.append(
      h(
        "p",
        { class: "note" },
        "Finds the shortest sequence of events that makes a condition true. The result is a branch.",
      ),
      labeled("Condition", this.#predicate),
      this.#predicateError,
      labeled("Time limit in seconds", this.#seconds),
      h("label", { class: "check" }, this.#through, this.#throughText),
      h(
        "label",
        { class: "check" },
        this.#later,
        "Allow starting from a later state",
      ),
      h("label", { class: "check" }, this.#keeps, "Keep the payloads as they were recorded"),
    );
    this.#predicate.addEventListener("input", () => this.invalidate());
    for (const form of [this.#verify, this.#minimize]) {
      form.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
        // Otherwise the same press activates the button that gets the focus.
        event.preventDefault();
        void this.#start();
      });
    }
    this.body.append(
      this.#verify,
      this.#minimize,
      h("div", { class: "acts" }, this.#go),
      this.#line.element,
      this.#about,
      this.#result,
      this.#note,
    );
    show(this.#line.element, false);
  }

  /** @param {"verify" | "minimise"} what */
  open(what) {
    const { inspector } = this;
    this.#what = what;
    if (what === "minimise") this.#offerCondition();
    this.#stretch.checked = inspector.anchor !== undefined;
    this.show();
    focusField(what === "verify" ? this.#processes : this.#predicate);
  }

  /** Fills in the condition that the reader filters by; what was typed stays while that is the same. */
  #offerCondition() {
    const { inspector } = this;
    const filter = inspector.data?.shortPredicate ?? "";
    const typed = this.#predicate.value;
    const offered = offeredCondition(inspector, { typed, ...this.#offered });
    this.#predicate.value = offered;
    this.#offered = { timeline: inspector.data?.id ?? "", filter };
    // The verdict on another condition would look like that on this one.
    const isOther = typed !== "" && typed !== offered;
    if (isOther && this.#subject.what === "minimise") this.#result.replaceChildren();
  }

  /** @returns {string | undefined} */
  get #problem() {
    if (this.#what === "verify") return undefined;
    const text = this.#predicate.value.trim();
    if (text === "") return "Enter a condition, such as error != null.";
    const { shown } = this.inspector.moment;
    const problem = explainPredicate(text, shown?.is === "known" ? shown : undefined);
    if (problem !== undefined) return problem;
    return /^\d{1,5}$/.test(this.#seconds.value.trim())
      ? undefined
      : "Enter the time limit as a whole number of seconds.";
  }

  /** Why it cannot start. Asked when a key comes, too: what is drawn may be of the frame before it. */
  get #whyNotStart() {
    if (this.#job?.is === "running") return "This is running already.";
    return this.timeTravel.forking.whyNotRun ?? this.#problem;
  }

  renderBody() {
    const { inspector, timeTravel } = this;
    const { data, summary, summaries, cursor, stretch } = inspector;
    const isVerify = this.#what === "verify";
    const name = summary ? visible(nameOf(summary)) : "";
    this.setTitle(isVerify ? `Verify ${name}` : `Minimize ${name}`);
    show(this.#verify, isVerify);
    show(this.#minimize, !isVerify);
    setText(this.#go.lastElementChild ?? this.#go, isVerify ? "Verify" : "Minimize");
    show(this.#stretchLine, stretch.from !== stretch.to);
    setText(
      this.#stretchText,
      `Only the selected range, ${formatCount(stretch.from)} to ${formatCount(stretch.to)}`,
    );
    setText(this.#throughText, `Only events up to the cursor (${formatCount(cursor)})`);
    const problem = this.#problem;
    const isRunning = this.#job?.is === "running";
    const isTyped = this.#predicate.value.trim() !== "";
    setText(this.#predicateError, isTyped ? problem ?? "" : "");
    setAttribute(this.#predicate, "aria-invalid", isTyped && problem ? "true" : undefined);
    const why = timeTravel.forking.whyNotRun;
    setText(this.#note, why ?? "");
    show(this.#note, why !== undefined);
    this.#note.classList.add("warn");
    disable(this.#go, this.#whyNotStart);
    show(this.#line.element, isRunning);
    if (this.#job && isRunning) this.#line.setJob(this.#job);
    const { what, timeline, place } = this.#subject;
    // That of another task or machine would look like an answer.
    const isOurs = what === this.#what && areKin(timeline, data?.id ?? "", summaries);
    show(this.#result, isOurs);
    show(this.#about, isOurs && place !== this.#place && this.#result.childElementCount > 0);
    setText(this.#about, `The last result: ${this.#subject.name}`);
  }

  async #start() {
    if (this.#whyNotStart !== undefined) return;
    this.#result.replaceChildren();
    if (this.#what === "verify") await this.#runVerify();
    else await this.#runMinimize();
    this.#present();
  }

  /** Shows the result, and moves the focus there: Enter would otherwise run the search again. */
  #present() {
    this.reveal(this.#result);
    const started = [this.#predicate, this.#seconds, this.#go, document.body];
    if (!started.some((one) => one === document.activeElement)) return;
    const next = this.#result.querySelector("button");
    if (next instanceof HTMLElement) next.focus();
  }

  async #runVerify() {
    const { source, data, stretch, summary } = this.inspector;
    if (!source || !data || !summary) return;
    const timeline = data.id;
    const processes = Number(this.#processes.value);
    const { job, result } = this.timeTravel.jobs.start(
      `Verifying “${visible(nameOf(summary))}”`,
      (options) =>
        source.ask({
          type: "verify",
          timeline,
          ...(this.#stretch.checked && stretch.from !== stretch.to ? stretch : {}),
          ...(processes > 1 ? { processes } : {}),
        }, options),
    );
    this.#begin(job);
    const found = await result;
    if (!found) return this.#fail(job);
    const verdict = verifyVerdict(found, processes);
    /** @type {HTMLElement[]} */
    const lines = [];
    try {
      lines.push(
        ...readPatch(found.patch ?? []).slice(0, 50).flatMap((one) => linesOf(one, undefined)),
      );
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
    }
    this.#tell(verdict, lines, [
      ...(verdict.seq === undefined ? [] : [
        this.#leave(
          `Go to ${formatCount(verdict.seq)}`,
          "right",
          () => this.inspector.open(timeline, verdict.seq),
        ),
      ]),
    ]);
  }

  /** @param {{ isAgain?: boolean }} [how] whether a known result is not enough */
  async #runMinimize({ isAgain = false } = {}) {
    const { source, data, cursor, summary } = this.inspector;
    if (!source || !data || !summary) return;
    const parent = data.id;
    const failure = this.#predicate.value.trim();
    const through = this.#through.checked ? cursor : undefined;
    const search = {
      timeline: parent,
      failure,
      through,
      laterStart: this.#later.checked,
      keepPayloads: this.#keeps.checked,
    };
    const known = isAgain
      ? undefined
      : minimizedBefore(search, this.inspector.summaries.values(), isSamePredicate);
    if (known !== undefined) return this.#showKnown(known, search);
    const hint = through === undefined
      ? ""
      : "To include later events, clear “Only events up to the cursor”.";
    const { job, result } = this.timeTravel.jobs.start(
      `Minimizing “${visible(nameOf(summary))}” to ${visible(failure)}`,
      (options) =>
        source.ask({
          type: "minimise",
          timeline: parent,
          predicate: failure,
          seconds: Number(this.#seconds.value.trim()),
          ...(through === undefined ? {} : { through }),
          ...(search.laterStart ? { laterStart: true } : {}),
          ...(search.keepPayloads ? { keepPayloads: true } : {}),
        }, options),
    );
    this.#begin(job);
    const found = await result;
    if (!found) return this.#fail(job, hint);
    this.#tell(minimizeVerdict(found), [], this.#leaveTo(found.timeline, parent, failure));
  }

  /**
   * Shows the branch that the same search made before.
   *
   * @param {TimelineSummary} branch
   * @param {MinimizedSearch} search
   */
  #showKnown(branch, { timeline, failure }) {
    this.#setSubject(`Minimizing to ${visible(failure)}`);
    this.#tell(knownVerdict(nameOf(branch), branch.entries), [], [
      ...this.#leaveTo(branch.header.timeline, timeline, failure),
      actButton("Minimize again", () => void this.#minimizeAgain(), { icon: "repeat" }),
    ]);
  }

  async #minimizeAgain() {
    if (this.#whyNotStart !== undefined) return;
    this.#result.replaceChildren();
    await this.#runMinimize({ isAgain: true });
    this.#present();
  }

  /**
   * The ways from a result to its branch.
   *
   * @param {string} branch
   * @param {string} parent
   * @param {string} failure
   */
  #leaveTo(branch, parent, failure) {
    const show = async () => {
      await this.timeTravel.forking.visit(branch);
    };
    return [
      this.#leave("Show the branch", "branch", () => void show()),
      this.#leave(
        "Export it as a test",
        "download",
        () => void show().then(() => this.context.windows.exporting(failure)),
      ),
      this.#leave("Compare", "compare", () => this.context.windows.compare(parent, branch)),
    ];
  }

  get #place() {
    const condition = this.#what === "verify" ? "" : this.#predicate.value.trim();
    return `${this.#what} ${this.inspector.data?.id} ${condition}`;
  }

  /** @param {Job} job */
  #begin(job) {
    this.#job = job;
    this.#setSubject(job.title);
    this.reveal(this.#line.element);
  }

  /** @param {string} name */
  #setSubject(name) {
    const timeline = this.inspector.data?.id ?? "";
    this.#subject = { what: this.#what, timeline, place: this.#place, name };
  }

  /**
   * A button that leads from the result to where it can be seen.
   *
   * @param {string} text
   * @param {string} name
   * @param {() => void} act
   */
  #leave(text, name, act) {
    return actButton(text, () => {
      this.close();
      act();
    }, { icon: name });
  }

  /**
   * @param {Job} job
   * @param {string} [hint] what to look at first
   */
  #fail(job, hint = "") {
    this.#tell(endVerdict(job), [], []);
    // In a line of its own: a message may end with a command.
    if (job.is !== "cancelled" && hint !== "") this.#result.append(h("p", {}, hint));
  }

  /**
   * @param {Verdict} verdict
   * @param {HTMLElement[]} lines
   * @param {HTMLElement[]} acts
   */
  #tell({ tone, title, text }, lines, acts) {
    setAttribute(this.#result, "data-tone", tone);
    this.#result.replaceChildren(
      h("h3", {}, icon({ ok: "check", warn: "warning", err: "warning" }[tone]), visible(title)),
      h("p", {}, visible(text)),
      ...(lines.length > 0
        ? [
          h("div", { class: "verdict-diff", role: "list", "aria-label": "What differs" }, ...lines),
        ]
        : []),
      ...(acts.length > 0 ? [h("div", { class: "acts" }, ...acts)] : []),
    );
  }
}
