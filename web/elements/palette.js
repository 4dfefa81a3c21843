/** Finding commands and places by their words, going to an entry, and the help. */

import { formatCount, formatMoment, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { keyText } from "../model/commands/keys.js";
import { COMMANDS } from "../model/commands/table.js";
import { searchTitles } from "../model/commands/title-search.js";
import { whyNotBefore } from "../model/branches/moving.js";
import { readGoal } from "../model/inspector/palette-goal.js";
import { placesOf, visitPlace } from "../model/inspector/palette-places.js";
import { nameOf } from "../model/sources/source-list.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { filtersBy } from "./palette-filter.js";
import { View } from "./view.js";

/**
 * One thing to choose.
 *
 * @typedef {{ title: string, detail: string, key: string, icon: string, choose: () => void,
 *   whyNot?: string | undefined }} Choice
 */

/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { Place } from "../model/inspector/palette-places.js" */

/** @type {Record<Place["is"], string>} */
const PLACE_ICONS = { machine: "states", branch: "branch", event: "send", value: "eye" };

/** What is shown when there is nothing to choose. */
const NOTHING = "No matching command";

/** Choices that are drawn; more are found by typing on. */
const MAXIMUM_CHOICES = 120;

export class PaletteView extends View {
  static define(name = "tt-palette") {
    customElements.define(name, PaletteView);
  }

  #input = h("input", {
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    "aria-autocomplete": "list",
    spellcheck: "false",
    autocomplete: "off",
  });
  #list = h("div", {
    id: "palette-list",
    class: "palette-list",
    role: "listbox",
    "aria-label": "Choices",
  });
  #empty = h("p", { class: "pane-note", hidden: true }, NOTHING);
  #dialog = h("dialog", { class: "palette", "aria-label": "Commands" });
  /** @type {(typed: string) => Choice[]} */
  #choicesFor = () => [];
  /** @type {(typed: string) => string} */
  #whyNone = () => NOTHING;
  /** @type {Choice[]} */
  #choices = [];
  #active = 0;

  build() {
    this.#dialog.append(
      h("label", { class: "palette-line" }, icon("search"), this.#input),
      this.#list,
      this.#empty,
    );
    this.append(this.#dialog);
    this.#input.addEventListener("input", () => this.#refresh());
    this.#dialog.addEventListener("keydown", (event) => this.#pressed(event));
    this.#dialog.addEventListener(
      "click",
      (event) => event.target === this.#dialog && this.#dialog.close(),
    );
    this.#list.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("[role=option]") : null;
      if (row instanceof HTMLElement) this.#choose(Number(row.dataset.place));
    });
  }

  /** Shows a value of the moment; set by the page. @type {(pointer: string) => void} */
  showValue = () => {};

  /** Offers all commands, and the places that fit what is typed. */
  showCommands() {
    const places = placesOf(this.inspector);
    this.#open(
      "Find a command, machine, branch, event, value, or entry",
      (typed) =>
        [
          ...searchTitles(COMMANDS, typed).map(({ id, title, keys, group, whyNot }) => ({
            title,
            detail: group,
            whyNot: whyNot?.(this.context),
            key: keys[0] ? keyText(keys[0], this.context.isMac) : "",
            icon: "",
            choose: () => this.context.run(id),
          })),
          ...(typed.trim() === "" ? [] : this.#places(typed, places)),
        ].slice(0, MAXIMUM_CHOICES - 1).concat(
          filtersBy(this.inspector, typed).map((one) => ({ ...one, key: "", icon: "search" })),
        ),
    );
  }

  /**
   * @param {string} typed
   * @param {Place[]} places
   * @returns {Choice[]}
   */
  #places(typed, places) {
    const found = searchTitles(places, typed).map((place) => ({
      title: place.title,
      detail: place.detail,
      key: "",
      icon: PLACE_ICONS[place.is],
      choose: () => visitPlace(this.inspector, place, this.showValue),
    }));
    return [...this.#goals(typed), ...found];
  }

  /** Asks for the timeline's name. */
  showRename() {
    const { summary, travel } = this.inspector;
    if (!summary) return;
    this.#open("A name for this timeline; leave it empty to remove the name", (typed) => [{
      title: typed.trim() === "" ? "Remove the name" : `Name it “${typed.trim()}”`,
      detail: "",
      key: "⏎",
      icon: "right",
      choose: () => void travel.rename(typed.trim()),
    }]);
  }

  /** Asks whether the timeline is to be deleted. */
  showDelete() {
    const { summary, travel } = this.inspector;
    if (!summary) return;
    const branches = summary.branches ?? 0;
    const what = `${nameOf(summary)}, ${formatNumbered(summary.entries, "entry", "entries")}`;
    const withBranches = branches > 0
      ? ` and its ${formatNumbered(branches, "branch", "branches")}`
      : "";
    const choices = [
      { title: `Keep ${nameOf(summary)}`, detail: "", key: "", icon: "back", choose: () => {} },
      {
        title: `Delete ${what}${withBranches} for good`,
        detail: "",
        key: "",
        icon: "close",
        choose: () => void travel.delete(branches > 0),
      },
    ];
    this.#open("Delete this timeline?", (typed) => searchTitles(choices, typed));
  }

  /** Asks for an entry or a time to go to. */
  showGoTo() {
    this.#open(
      "An entry, such as 1090, or a time, such as 14.02 s or 3:05",
      (typed) => this.#goals(typed),
      { field: "Entry or time" },
    );
  }

  /**
   * The entry or time that was typed.
   *
   * @param {string} typed
   * @returns {Choice[]}
   */
  #goals(typed) {
    const { inspector } = this;
    const goal = readGoal(typed.replace(/^go to\s+/i, ""));
    if (!goal) return [];
    if (goal.seq !== undefined) {
      const { seq } = goal;
      return [{
        title: `Go to entry ${formatCount(seq)}`,
        detail: "",
        key: "⏎",
        icon: "right",
        choose: () => inspector.goTo(seq, { isJump: true }),
      }];
    }
    return [{
      title: `Go to ${formatMoment(goal.t)}`,
      detail: "",
      key: "⏎",
      icon: "clock",
      choose: () => void inspector.travel.goToTime(goal.t),
    }];
  }

  /** Asks before which entry the cursor's is to stand. */
  showMove() {
    const { inspector, timeTravel: { rewriting } } = this;
    const entry = rewriting.entryToMove();
    if (!entry) return;
    const seq = formatCount(entry.seq);
    const here = () => ({ seq: entry.seq, last: inspector.data?.last ?? 0 });
    const end = formatCount(here().last + 1);
    this.#open(
      `Move entry ${seq} before which entry? ${end} moves it to the end`,
      (typed) => {
        const before = readGoal(typed)?.seq;
        if (before === undefined || whyNotBefore(before, here()) !== undefined) return [];
        return [{
          title: before > here().last
            ? `Move ${seq} to the end`
            : `Move ${seq} before ${formatCount(before)}`,
          detail: "",
          key: "⏎",
          icon: "right",
          choose: () => void rewriting.moveBefore(before, entry),
        }];
      },
      {
        field: "Entry",
        whyNone: (typed) => whyNotBefore(readGoal(typed)?.seq, here()) ?? NOTHING,
      },
    );
  }

  /** Offers the named filters of the machine, and keeps the present one under a name. */
  showFilters() {
    const { namedFilters } = this.inspector;
    const label = namedFilters.present === undefined
      ? "Apply a named filter. To keep one, filter the events first"
      : "Type a name to keep the current filter, or apply another one";
    /** @param {string} typed */
    const choices = (typed) => filterChoices(this.inspector, typed.trim());
    this.#open(label, choices, { field: "Name", whyNone: () => label });
    void namedFilters.load().then(() => {
      if (this.#choicesFor === choices) this.#refresh();
    });
  }

  /** Offers all keys to read. */
  showHelp() {
    this.#open(
      "Keys and help",
      (typed) =>
        searchTitles(COMMANDS.filter(({ keys }) => keys.length > 0), typed).map((
          { id, title, keys, group },
        ) => ({
          title,
          detail: group,
          key: keys.map((key) => keyText(key, this.context.isMac)).join("  "),
          icon: "",
          choose: () => this.context.run(id),
        })),
    );
  }

  /**
   * @param {string} label
   * @param {(typed: string) => Choice[]} choicesFor
   * @param {{ field?: string, whyNone?: (typed: string) => string }} [how] what the field is for,
   *   in a word, where the label is below it; what is shown when there are no choices
   */
  #open(label, choicesFor, { field = label, whyNone = () => NOTHING } = {}) {
    this.#choicesFor = choicesFor;
    this.#whyNone = whyNone;
    this.#input.value = "";
    setAttribute(this.#input, "aria-label", label);
    setAttribute(this.#input, "title", label);
    setAttribute(this.#input, "placeholder", field);
    setAttribute(this.#dialog, "aria-label", label);
    this.#input.dataset.label = label;
    this.#refresh();
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#input.focus();
  }

  #refresh() {
    this.#choices = this.#choicesFor(this.#input.value).slice(0, MAXIMUM_CHOICES);
    this.#active = 0;
    this.#list.replaceChildren(
      ...this.#choices.map(({ title, detail, key, icon: name, whyNot }, place) =>
        h(
          "div",
          {
            role: "option",
            id: `choice-${place}`,
            "data-place": place,
            "aria-disabled": whyNot === undefined ? undefined : "true",
          },
          name !== "" && icon(name),
          h("span", { class: "choice-title" }, visible(title)),
          h("span", { class: "muted" }, visible(whyNot ?? detail)),
          h("span", { class: "grow" }),
          key !== "" && h("kbd", {}, key),
        )
      ),
    );
    const isNone = this.#choices.length === 0;
    const typed = this.#input.value;
    show(this.#empty, isNone);
    if (isNone) {
      setText(this.#empty, typed === "" ? this.#input.dataset.label ?? "" : this.#whyNone(typed));
    }
    this.#mark();
  }

  #mark() {
    for (const [place, row] of [...this.#list.children].entries()) {
      setAttribute(row, "aria-selected", String(place === this.#active));
      if (place === this.#active) row.scrollIntoView({ block: "nearest" });
    }
    setAttribute(
      this.#input,
      "aria-activedescendant",
      this.#choices.length > 0 ? `choice-${this.#active}` : undefined,
    );
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    // It may have the focus until the next frame.
    if (!this.#dialog.open) return;
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && this.#choices.length > 0) {
      this.#active = (this.#active + step + this.#choices.length) % this.#choices.length;
      this.#mark();
      event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#choose(this.#active);
    }
  }

  /** @param {number} place */
  #choose(place) {
    const choice = this.#choices[place];
    if (!choice) return;
    this.#dialog.close();
    choice.choose();
  }
}

/**
 * @param {Inspector} inspector
 * @param {string} typed
 * @returns {Choice[]}
 */
function filterChoices(inspector, typed) {
  const { namedFilters } = inspector;
  const { list, present, whyNotChange: whyNot } = namedFilters;
  const change = (/** @type {() => Promise<void>} */ make) =>
    whyNot === undefined ? void make() : inspector.notify("info", whyNot);
  const apply = list.map(({ name, predicate }) => ({
    title: name,
    detail: predicate,
    key: "",
    icon: "search",
    choose: () => inspector.setFilter(predicate),
  }));
  const remove = list.map(({ name, predicate }) => ({
    title: `Delete the filter “${name}”`,
    detail: predicate,
    key: "",
    icon: "trash",
    whyNot,
    choose: () => change(() => namedFilters.remove(name)),
  }));
  const isKnown = list.some(({ name }) => name === typed);
  const keep = typed === "" || present === undefined ? [] : [{
    title: isKnown ? `Replace the filter “${typed}”` : `Keep the filter as “${typed}”`,
    detail: present,
    key: "",
    icon: "mark",
    whyNot,
    choose: () => change(() => namedFilters.keep(typed)),
  }];
  return [...searchTitles(apply, typed), ...keep, ...searchTitles(remove, typed)];
}
