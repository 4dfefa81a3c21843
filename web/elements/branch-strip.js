/** That a branch is shown and not what happened: what it changes, where it ends, and the ways out. */

import { visible } from "../base/text.js";
import { BranchOutcome } from "../model/branches/branch-outcome.js";
import { endOf } from "../model/branches/branches.js";
import { minimizedWords, readEdits, wordsWithNames } from "../model/branches/edits.js";
import { LeftEffects } from "../model/branches/left-effects.js";
import { commandOf } from "../model/commands/table.js";
import { nameOf } from "../model/sources/source-list.js";
import { awayNote, isAway } from "../model/sources/source.js";
import { describe } from "./toolbar.js";
import { disable } from "./disabling.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { TimelineSummary } from "../wire/to-inspector.js" */

const EFFECTS = "Effects do not run again.";

/** What a reader may want to skip, too. */
const EFFECTS_IN_FULL = "Effects do not run again: events that an effect of a skipped event sent " +
  "stay in the branch. To skip them, too, select them with it, or press Shift+X where causes are recorded.";

/** Between two texts of the strip; at the end of a line it takes no room. */
const SPACE = "\u2002 ";

export class BranchStripView extends View {
  static define(name = "tt-branch-strip") {
    customElements.define(name, BranchStripView);
  }

  #parent = h("button", { type: "button", class: "link" });
  #words = h("b");
  #outcomeText = h("span", { class: "strip-outcome" });
  #condition = h("button", {
    type: "button",
    class: "condition",
    title: "Filter by the condition that the branch reproduces",
  });
  #conditionText = h("span", { class: "strip-condition" }, "Reproduces ", this.#condition);
  #effects = h("span", { class: "strip-effects muted" });
  #outcome = new BranchOutcome(() => this.invalidate());
  #left = new LeftEffects(() => this.invalidate());
  #end = h("span", { class: "strip-end" });
  #compare = this.#button("compare-parent", "Compare", "compare");
  #again = this.#button("recompute", "Compute again", "repeat");

  /**
   * @param {string} command
   * @param {string} text
   * @param {string} name
   */
  #button(command, text, name) {
    const made = h(
      "button",
      { type: "button", class: "line" },
      icon(name),
      h("span", {}, text),
    );
    made.dataset.command = command;
    made.addEventListener("click", () => this.context.run(command));
    return made;
  }

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Branch");
    this.#parent.addEventListener("click", () => {
      const parent = this.inspector.summary?.header.parent;
      if (parent) this.inspector.open(parent.timeline, this.#seqInParent());
    });
    this.#condition.addEventListener("click", () => {
      const failure = this.inspector.summary?.header.parent?.failure;
      if (failure !== undefined) this.inspector.setFilter(failure);
    });
    this.append(
      icon("branch", "fork"),
      h(
        "span",
        { class: "strip-texts" },
        h("span", { class: "strip-what" }, this.#words, " — a branch of ", this.#parent),
        SPACE,
        this.#conditionText,
        SPACE,
        this.#outcomeText,
        SPACE,
        this.#effects,
        SPACE,
        this.#end,
      ),
      h(
        "span",
        { class: "strip-acts" },
        this.#button("undo", "Undo", "undo"),
        this.#compare,
        this.#again,
        this.#button("branches", "Branches", "branch"),
      ),
    );
    for (const button of this.querySelectorAll("button[data-command]")) {
      if (button instanceof HTMLElement) {
        describe(
          button,
          button.dataset.command ?? "",
          this.context.isMac,
          button.textContent ?? "",
        );
      }
    }
  }

  /** The entry of the parent that stands for the cursor's, as far as it is known. */
  #seqInParent() {
    const { data, cursor } = this.inspector;
    const start = data?.summary.header.parent?.start ?? 0;
    return cursor < start ? cursor : data?.entries.get(cursor)?.was ?? start;
  }

  render() {
    const { summary, summaries } = this.inspector;
    const parent = summary?.header.parent;
    show(this, parent !== undefined);
    if (!summary || !parent) {
      this.#left.update(undefined, undefined);
      return this.#outcome.update(undefined, undefined, undefined);
    }
    const above = summaries.get(parent.timeline);
    const edits = readEdits(parent.edits);
    const words = parent.failure === undefined
      ? wordsWithNames(edits, parent.name)
      : minimizedWords(edits, parent.through);
    show(this.#conditionText, parent.failure !== undefined);
    setText(this.#condition, visible(parent.failure ?? ""));
    this.#outcome.update(this.inspector.source, summary, above);
    const skips = parent.failure === undefined && edits.some(({ is }) => is === "drop");
    this.#left.update(skips ? this.inspector.source : undefined, skips ? summary : undefined);
    setText(this.#effects, skips ? `${EFFECTS} ${this.#left.text}`.trimEnd() : "");
    setAttribute(this.#effects, "title", skips ? EFFECTS_IN_FULL : undefined);
    setText(this.#outcomeText, this.#outcome.text);
    setAttribute(this.#outcomeText, "title", this.#outcome.text || undefined);
    setText(this.#words, visible(`${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`));
    setText(
      this.#parent,
      above ? visible(above.header.parent ? nameOf(above) : "main") : "a deleted timeline",
    );
    disable(this.#parent, above ? undefined : "The timeline of this branch was deleted.");
    const end = endOf(summary);
    const standIns = parent.standIns === undefined
      ? ""
      : "Computed from stand-ins for redacted values.";
    const text = isAway(this.inspector)
      ? awayNote(this.inspector.source)
      : end
      ? `${end.text} ${end.advice} ${standIns}`
      : standIns;
    setText(this.#end, text);
    setAttribute(this.#end, "title", text || undefined);
    disable(this.#compare, commandOf("compare-parent")?.whyNot?.(this.context));
    disable(this.#again, whyNoRecompute(this.timeTravel.forking.whyNot, summary));
  }
}

/**
 * Why a branch cannot be computed again.
 *
 * @param {string | undefined} whyNoFork
 * @param {TimelineSummary} summary
 */
export function whyNoRecompute(whyNoFork, { computing }) {
  return whyNoFork ?? (computing === undefined ? undefined : "The branch is being computed.");
}
