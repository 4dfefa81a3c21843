/** Searching for events that lead to a failure from the entry at the cursor. */

import { formatCount, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { areKin } from "../model/branches/branches.js";
import { explainPredicate } from "../model/predicate/plain-filter.js";
import { Invariants } from "../model/inspector/invariants.js";
import { nameOf } from "../model/sources/source-list.js";
import { excludedProblem, readExcluded } from "../model/verification/excluded-events.js";
import { readSchema } from "../wire/header.js";
import { coverageGaps, exploreVerdict, findingWords } from "../model/verification/exploration.js";
import { disable } from "./disabling.js";
import { focusField, h, icon, keep, setAttribute, setText, show } from "./dom.js";
import { ProgressLine } from "./progress.js";
import { actButton, labeled, WindowView } from "./window.js";

/** @import { Job } from "../model/timeline/jobs.js" */
/** @import { Exploration, Finding } from "../model/verification/exploration.js" */

/** The events that may be sent, at most, and the default. */
const DEPTH = "64";

export class ExploreView extends WindowView {
  static define(name = "tt-explore") {
    customElements.define(name, ExploreView);
  }

  #kind = h(
    "select",
    {},
    h("option", { value: "until" }, "makes this true"),
    h("option", { value: "always" }, "breaks this"),
    h("option", { value: "invariants" }, "breaks a kept invariant"),
    h("option", { value: "" }, "traps, or throws an error"),
  );
  #predicate = h("input", { type: "text", spellcheck: "false", placeholder: "state.total < 0" });
  #predicateLine = labeled("Condition", this.#predicate);
  #predicateError = h("p", { class: "problem", role: "status" });
  /** @type {Invariants | undefined} */
  #invariants;
  #keep = actButton("Keep as an invariant", () => void this.#keepInvariant(), {});
  #find = actButton("Find invariants…", () => this.#findInvariants(), {});
  #kept = h("ul", { class: "kept-invariants", "aria-label": "Kept invariants" });
  #keptNote = h("p", { class: "note" });
  #exclude = h("input", { type: "text", spellcheck: "false", placeholder: "scrolled, moved" });
  #excludeError = h("p", { class: "problem", role: "status" });
  #depth = h("input", { type: "text", inputmode: "numeric", value: DEPTH });
  #seconds = h("input", { type: "text", inputmode: "numeric", value: "60" });
  #ignore = h("input", { type: "checkbox" });
  #go = actButton("Explore", () => void this.#start(), { main: true, icon: "play" });
  #line = new ProgressLine();
  #result = h("div", { class: "verdict", role: "status" });
  #note = h("p", { class: "note warn" });
  /** @type {Job | undefined} */
  #job;
  #about = h("p", { class: "note about" });
  /** What the result is about, to compare and in words. */
  #subject = { place: "", timeline: "", name: "" };

  buildBody() {
    const form = h(
      "div",
      { class: "prove-form" },
      h(
        "p",
        { class: "note" },
        "Sends recorded events and small changes of them, shorter sequences first. Each finding becomes a branch.",
      ),
      labeled("Find what", this.#kind),
      this.#predicateLine,
      this.#predicateError,
      h("div", { class: "acts" }, this.#keep, this.#find),
      this.#kept,
      this.#keptNote,
      labeled("Events not to send, by name", this.#exclude),
      this.#excludeError,
      h(
        "div",
        { class: "pair" },
        labeled("Maximum number of events", this.#depth),
        labeled("Time limit in seconds", this.#seconds),
      ),
      h("label", { class: "check" }, this.#ignore, "Errors that the reducer throws are expected"),
    );
    const inputs = [this.#kind, this.#predicate, this.#exclude, this.#depth, this.#seconds];
    for (const input of inputs) {
      input.addEventListener("input", () => this.invalidate());
    }
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) void this.#start();
    });
    this.body.append(
      form,
      h("div", { class: "acts" }, this.#go),
      this.#line.element,
      this.#about,
      this.#result,
      this.#note,
    );
    show(this.#line.element, false);
  }

  /** @param {string} [condition] to break */
  open(condition) {
    if (condition !== undefined) {
      this.#kind.value = "always";
      this.#predicate.value = condition;
    }
    this.#invariants = new Invariants(this.inspector);
    void this.#invariants.load().then(() => this.invalidate());
    if (this.#predicate.value === "") {
      this.#predicate.value = this.inspector.data?.shortPredicate ?? "";
    }
    this.show();
    focusField(this.#predicate);
  }

  get #place() {
    return `${this.inspector.data?.id} ${this.inspector.cursor}`;
  }

  get #hasGoal() {
    return this.#kind.value !== "";
  }

  /** Whether a condition is typed, and not one of those that are kept. */
  get #isTyped() {
    return this.#hasGoal && this.#kind.value !== "invariants";
  }

  async #keepInvariant() {
    const text = this.#predicate.value.trim();
    if (this.#problem === undefined && await this.#invariants?.keep(text)) {
      this.inspector.notify("info", `Kept: ${visible(text)}`);
    }
    this.invalidate();
  }

  #findInvariants() {
    this.close();
    this.context.windows.invariants();
  }

  /** @param {string} name */
  async #removeInvariant(name) {
    await this.#invariants?.remove(name);
    this.invalidate();
  }

  #renderInvariants() {
    const isChosen = this.#kind.value === "invariants";
    const list = this.#invariants?.list ?? [];
    const why = this.#invariants?.whyNotChange;
    show(this.#keep, this.#kind.value === "always");
    show(this.#find, isChosen || this.#kind.value === "always");
    disable(this.#keep, why ?? this.#problem);
    show(this.#kept, isChosen && list.length > 0);
    show(this.#keptNote, isChosen);
    setText(
      this.#keptNote,
      list.length > 0
        ? "The daemon marks the first entry of a live machine that breaks one of these."
        : "No invariant is kept for this type of machine. To keep one, choose “breaks this”.",
    );
    // A button that is replaced while it is pressed does nothing.
    keep(
      this.#kept,
      list,
      ({ name, predicate }) => JSON.stringify([name, predicate]),
      ({ name, predicate }) => {
        const remove = actButton("Remove", () => void this.#removeInvariant(name), {});
        setAttribute(remove, "aria-label", `Remove ${visible(predicate)}`);
        return h("li", {}, h("code", {}, visible(predicate)), remove);
      },
      (element) => {
        const remove = element.querySelector("button");
        if (remove) disable(remove, why);
      },
    );
  }

  /** @returns {string | undefined} */
  get #problem() {
    const text = this.#predicate.value.trim();
    if (this.#kind.value === "invariants" && this.#invariants?.goal === undefined) {
      return "No invariant is kept.";
    }
    if (this.#isTyped) {
      if (text === "") return "Enter a condition, such as state.total < 0.";
      const { shown } = this.inspector.moment;
      const problem = explainPredicate(text, shown?.is === "known" ? shown : undefined);
      if (problem !== undefined) return problem;
    }
    const areNumbers = [this.#depth, this.#seconds]
      .every((input) => /^[1-9]\d{0,3}$/.test(input.value.trim()));
    return areNumbers ? undefined : "Enter the limits as whole numbers from 1 to 9999.";
  }

  get #excludedProblem() {
    const names = readExcluded(this.#exclude.value);
    return excludedProblem(names, readSchema(this.inspector.summary?.header.schema));
  }

  /** Why it cannot start now; nothing when it can. */
  get #whyNotStart() {
    if (this.#job?.is === "running") return "The exploration is running.";
    return this.timeTravel.forking.whyNot ?? this.#problem ?? this.#excludedProblem;
  }

  renderBody() {
    const { inspector, timeTravel } = this;
    const { data, summary, summaries, cursor } = inspector;
    const name = summary ? visible(nameOf(summary)) : "";
    this.setTitle(`Explore ${name} from ${formatCount(cursor)}`);
    show(this.#predicateLine, this.#isTyped);
    this.#renderInvariants();
    const problem = this.#problem;
    const isTyped = this.#isTyped ? this.#predicate.value.trim() !== "" : !this.#hasGoal;
    setText(this.#predicateError, isTyped ? problem ?? "" : "");
    setAttribute(this.#predicate, "aria-invalid", isTyped && problem ? "true" : undefined);
    const unknown = this.#excludedProblem;
    setText(this.#excludeError, visible(unknown ?? ""));
    setAttribute(this.#exclude, "aria-invalid", unknown ? "true" : undefined);
    const why = timeTravel.forking.whyNot;
    setText(this.#note, why ?? "");
    show(this.#note, why !== undefined);
    disable(this.#go, this.#whyNotStart);
    const isRunning = this.#job?.is === "running";
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
    const typed = this.#isTyped ? this.#predicate.value.trim() : "";
    const isKept = this.#kind.value === "invariants";
    const goal = isKept ? this.#invariants?.goal ?? "" : typed;
    const kind = isKept ? "always" : this.#kind.value;
    const excluded = readExcluded(this.#exclude.value);
    const { job, result } = this.timeTravel.jobs.start(
      `Exploring “${visible(nameOf(summary))}”`,
      (options) =>
        source.ask({
          type: "explore",
          timeline: data.id,
          from: cursor,
          ...(kind === "until" ? { until: goal } : {}),
          ...(kind === "always" ? { always: goal } : {}),
          ...(excluded.length > 0 ? { exclude: excluded } : {}),
          depth: Number(this.#depth.value.trim()),
          seconds: Number(this.#seconds.value.trim()),
          ...(this.#ignore.checked ? { ignoreErrors: true } : {}),
        }, options),
    );
    this.#job = job;
    const name = `${job.title} from ${formatCount(cursor)}`;
    this.#subject = { place: this.#place, timeline: data.id, name };
    this.reveal(this.#line.element);
    const found = await result;
    if (found) this.#showFound(found, goal, kind);
    else this.#showFailed(job);
    this.reveal(this.#result);
  }

  /** @param {Job} job */
  #showFailed(job) {
    const isCanceled = job.is === "cancelled";
    setAttribute(this.#result, "data-tone", isCanceled ? "warn" : "err");
    this.#result.replaceChildren(
      h("h3", {}, icon("warning"), isCanceled ? "Canceled" : "Failed"),
      h(
        "p",
        {},
        isCanceled
          ? `${formatNumbered(job.progress.done, "state")} were reached before that.`
          : visible(job.error?.message ?? ""),
      ),
    );
  }

  /**
   * @param {Exploration} found
   * @param {string} goal
   * @param {string} kind of what was searched; the field may show another one by now
   */
  #showFound(found, goal, kind) {
    const { tone, title, text } = exploreVerdict(found, goal !== "");
    setAttribute(this.#result, "data-tone", tone);
    this.#result.replaceChildren(
      h("h3", {}, icon(tone === "ok" ? "check" : "warning"), visible(title)),
      ...found.findings.map((finding) => this.#findingElement(finding, goal, kind)),
      h("p", {}, visible(text)),
      coverageTable(found),
      ...coverageGaps(found).map((gap) =>
        h("p", { class: "note" }, visible(`${gap.title}: ${gap.text}`))
      ),
    );
  }

  /**
   * @param {Finding} finding
   * @param {string} goal
   * @param {string} kind
   */
  #findingElement(finding, goal, kind) {
    const { what, note, events } = findingWords(finding, goal);
    const branch = finding.timeline;
    const visit = async () => {
      this.close();
      if (branch !== undefined) await this.timeTravel.forking.visit(branch);
    };
    const failure = kind === "always" ? `!(${finding.broken ?? goal})` : goal;
    const never = finding.cause === "predicate" ? failure : undefined;
    const acts = branch === undefined ? [] : [
      actButton("Show the branch", () => void visit(), { icon: "branch" }),
      ...(finding.cause === "predicate" || finding.cause === "error"
        ? [actButton(
          "Export it as a test",
          () => void visit().then(() => this.context.windows.exporting(never)),
          { icon: "download" },
        )]
        : []),
    ];
    return h(
      "div",
      { class: "finding" },
      h("p", { class: "finding-what" }, visible(what)),
      h("ol", {}, ...events.map((event) => h("li", {}, h("code", {}, visible(event))))),
      ...(note === undefined ? [] : [h("p", { class: "note" }, visible(note))]),
      ...(acts.length > 0 ? [h("div", { class: "acts" }, ...acts)] : []),
    );
  }
}

/** @param {Exploration} found */
function coverageTable({ events }) {
  const row = (/** @type {"th" | "td"} */ kind, /** @type {string[]} */ cells) =>
    h("tr", {}, ...cells.map((cell) => h(kind, {}, cell)));
  return h(
    "table",
    { class: "coverage" },
    h("caption", {}, "Events sent"),
    h("thead", {}, row("th", ["Event", "Sent", "Effects", "Failures"])),
    h(
      "tbody",
      {},
      ...events.map(({ name, sent, effects, failures }) =>
        row("td", [visible(name), formatCount(sent), formatCount(effects), formatCount(failures)])
      ),
    ),
  );
}
