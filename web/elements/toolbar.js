/** Where one is, the ways through the recording, the filter, and what is live. */

import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { keyText } from "../model/commands/keys.js";
import { commandOf } from "../model/commands/table.js";
import { hostName, hostOf, placeText } from "../model/branches/hosts.js";
import { PACES } from "../model/inspector/player.js";
import { candidatesOf, completionsAt } from "../model/predicate/completion.js";
import { filterProblem } from "../model/predicate/filter-problem.js";
import { placesOf } from "../model/inspector/palette-places.js";
import { filterExample } from "../model/predicate/plain-filter.js";
import { nameOf } from "../model/sources/source-list.js";
import { CompletionList } from "./completion-list.js";
import { disable } from "./disabling.js";
import { h, icon, setAttribute, setIcon, setText, show } from "./dom.js";
import { View } from "./view.js";

export class ToolbarView extends View {
  static define(name = "tt-toolbar") {
    customElements.define(name, ToolbarView);
  }

  /** Whether the recording is being played; set by the page. */
  isPlaying = false;

  #app = h("span", { class: "crumb-part" });
  #machine = h("span", { class: "crumb-part" });
  #branch = h(
    "button",
    { type: "button", class: "line branch-button" },
    icon("branch", "fork"),
    h("span", {}),
    icon("down"),
  );
  #play = this.#button("play", "play");
  #pace = h(
    "select",
    { class: "pace", "aria-label": "Playback speed" },
    ...PACES.map(({ id, label }) => h("option", { value: id }, label)),
  );
  #filter = h("input", {
    type: "text",
    class: "filter",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Filter the entries",
    placeholder: "Filter",
    title: "A word, or a predicate",
  });
  /** The timeline whose filter is shown. @type {string | undefined} */
  #shown;
  #filterBox = h("label", { class: "filter-box" });
  #clear = h("button", {
    type: "button",
    class: "icon-button filter-clear",
    "aria-label": "Clear the filter",
    title: "Clear the filter (Esc)",
  }, icon("close"));
  #filterError = h("output", { class: "filter-error", role: "status" });
  #completions = new CompletionList(
    this.#filter,
    "filter-completions",
    (isAsked) => this.#findCompletions(isAsked),
    () => this.#typed(),
  );
  #host = h(
    "button",
    { type: "button", class: "host" },
    h("span", { class: "dot" }),
    h("span", {}),
  );
  #live = h(
    "button",
    { type: "button", class: "line live" },
    h("span", { class: "dot" }),
    h("span", {}, "Live"),
    h("span", { class: "chip" }),
  );
  #filters = this.#button("filters", "mark");
  #theme = this.#button("theme", "theme");
  /** @type {HTMLElement[]} */
  #arrows = [];
  /** @type {HTMLButtonElement[]} */
  #ways = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;

  /**
   * @param {string} command
   * @param {string} name
   */
  #button(command, name) {
    const button = h("button", { type: "button", class: `icon-button ${command}` }, icon(name));
    button.addEventListener("click", () => this.context.run(command));
    return button;
  }

  build() {
    const bar = h("span", { class: "bar", role: "group", "aria-label": "Travel" });
    const [first, previous, next, last] = ["first", "previous", "next", "last"].map((id) =>
      this.#button(id, id)
    );
    for (const button of [first, previous, this.#play, next, last]) {
      if (button) this.#ways.push(button);
    }
    bar.append(...this.#ways);
    bar.append(this.#pace);
    const palette = h(
      "button",
      { type: "button", class: "line commands" },
      h("span", { class: "wide-only" }, "Commands "),
      h("kbd", {}, keyText("Mod+K", this.context.isMac)),
    );
    palette.addEventListener("click", () => this.context.run("palette"));
    this.#filterBox.append(
      icon("search"),
      this.#filter,
      h("kbd", { class: "filter-key" }, "/"),
      this.#clear,
      h("div", { class: "filter-below" }, this.#filterError, this.#completions.element),
    );
    describe(this.#filters, "filters", this.context.isMac);
    const arrow = () => h("i", { "aria-hidden": "true" }, "›");
    this.#arrows = [arrow(), arrow()];
    this.setAttribute("role", "banner");
    this.append(
      h("h1", { class: "sr-only" }, "Stateline"),
      h(
        "span",
        { class: "crumb" },
        this.#app,
        this.#arrows[0],
        this.#machine,
        this.#arrows[1],
        this.#branch,
      ),
      bar,
      this.#filterBox,
      this.#filters,
      h("span", { class: "grow" }),
      this.#host,
      this.#live,
      this.#theme,
      palette,
    );
    for (
      const [button, id]
        of /** @type {const} */ ([[first, "first"], [previous, "previous"], [next, "next"], [
          last,
          "last",
        ], [this.#theme, "theme"]])
    ) {
      if (button) describe(button, id, this.context.isMac);
    }
    setAttribute(palette, "aria-label", "Commands");
    this.#branch.addEventListener("click", () => this.context.run("branches"));
    this.#host.addEventListener("click", () => this.context.run("hosts"));
    this.#live.addEventListener("click", () => this.context.run("live"));
    this.#pace.addEventListener("change", () => {
      const pace = PACES.find(({ id }) => id === this.#pace.value);
      if (pace) this.context.settings.set({ pace: pace.id });
    });
    this.#filter.addEventListener("input", () => {
      this.#typed();
      this.#completions.update();
    });
    // What may be meant is said only to a reader who is typing.
    for (const name of ["focus", "blur"]) {
      this.#filter.addEventListener(name, () => this.invalidate());
    }
    this.#filter.addEventListener("keydown", (event) => this.#pressed(event));
    this.#clear.addEventListener("click", () => this.#clearFilter());
  }

  /** Puts the focus into the filter. */
  focusFilter() {
    this.#filter.focus();
    this.#filter.select();
  }

  /** @param {boolean} isAsked */
  #findCompletions(isAsked) {
    const { inspector } = this;
    const { value, selectionStart, selectionEnd } = this.#filter;
    // A named filter is applied as a whole.
    if (value.startsWith("@") || selectionStart !== selectionEnd) return [];
    const events = [...inspector.data?.entries.loaded() ?? []].map(({ event }) => event);
    const candidates = candidatesOf(placesOf(inspector), events);
    return completionsAt(value, selectionStart ?? value.length, candidates, isAsked);
  }

  /** A filter that is still being typed is not searched for with every letter. */
  #typed() {
    this.#stopWaiting();
    // A name is applied with Enter, because a part of it is another name.
    if (this.#filter.value.trim().startsWith("@")) return;
    this.#typing = setTimeout(() => this.#apply(), 180);
  }

  #stopWaiting() {
    clearTimeout(this.#typing);
    this.#typing = undefined;
  }

  #apply() {
    this.#stopWaiting();
    this.inspector.setFilter(this.#filter.value.trim());
  }

  /** @param {string} name */
  async #applyNamed(name) {
    const predicate = await this.inspector.namedFilters.predicateOf(name);
    if (predicate === undefined) return;
    this.#filter.value = predicate;
    this.#apply();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const text = this.#filter.value.trim();
    if (this.#completions.handle(event)) return;
    if (event.key === "/" && isAllSelected(this.#filter)) {
      // No filter begins with it: the key does what it does elsewhere on the page.
      event.preventDefault();
      this.focusFilter();
    } else if (event.key === "Enter" && text.startsWith("@")) {
      this.#stopWaiting();
      void this.#applyNamed(text.slice(1));
    } else if (event.key === "Enter") {
      this.#completions.close();
      this.#apply();
      const problem = filterProblem(this.inspector);
      if (problem?.correction !== undefined) return this.#correct(problem.correction);
      if (problem?.isError) return;
      this.context.run("focus-events");
      if (event.shiftKey) void this.inspector.travel.stepMatch(-1);
      else void this.inspector.travel.goToFirstMatch();
    } else if (event.key === "Escape") {
      if (this.#filter.value === "") return this.#filter.blur();
      // Otherwise the same press closes the event editor.
      event.preventDefault();
      this.#clearFilter();
    }
  }

  /** Deletes the text as the reader would: the browser's undo brings it back. */
  #clearFilter() {
    this.focusFilter();
    if (!document.execCommand("delete")) this.#filter.value = "";
    this.#apply();
  }

  /** Replaces a wrong filter by the one that it must mean. @param {string} filter */
  #correct(filter) {
    this.#filter.value = filter;
    this.inspector.setFilter(filter);
  }

  render() {
    const { inspector } = this;
    const { summary, data } = inspector;
    setText(this.#app, summary ? visible(summary.header.app.name) : "No recording");
    setText(this.#machine, summary ? visible(summary.header.machine.name) : "");
    const parent = summary?.header.parent ? nameOf(summary) : "main";
    setText(this.#branch.children[1] ?? this.#branch, visible(parent));
    for (const part of [this.#machine, this.#branch]) show(part, summary !== undefined);
    for (const arrow of this.#arrows) show(arrow, summary !== undefined);
    setAttribute(this.#branch, "aria-label", `Branch ${visible(parent)}: show the branches`);
    setIcon(this.#play, this.isPlaying ? "pause" : "play");
    describe(this.#play, "play", this.context.isMac, this.isPlaying ? "Pause" : "Play");
    const whyNotGo = data && data.last >= 0 ? undefined : "There are no entries yet.";
    for (const button of this.#ways) disable(button, whyNotGo);
    const { id: pace } = this.context.settings.pace;
    if (this.#pace.value !== pace) this.#pace.value = pace;
    // Text that is not applied yet stays, even if the focus has moved on.
    const isEdited = document.activeElement === this.#filter || this.#typing !== undefined;
    if (!isEdited && this.#filter.value !== inspector.location.filter) {
      this.#filter.value = inspector.location.filter;
    }
    // What is typed is for the timeline in view: another one has a filter of its own, or none.
    if (this.#shown !== undefined && this.#shown !== data?.id) {
      this.#stopWaiting();
      this.#filter.value = inspector.location.filter;
    }
    this.#shown = data?.id;
    const example = filterExample(
      data?.entries.get(inspector.cursor)?.event,
      data?.entries.get(1)?.event,
    );
    setAttribute(this.#filter, "placeholder", example);
    setAttribute(
      this.#filter,
      "title",
      `A word, or a predicate, such as: ${example}, or anywhere contains "text". Enter goes to the first match.`,
    );
    this.#renderProblem();
    this.#renderHost();
    this.#renderLive();
  }

  #renderProblem() {
    const problem = filterProblem(this.inspector);
    const isShown = problem && (problem.isError || document.activeElement === this.#filter);
    this.#filterBox.classList.toggle("wrong", problem?.isError ?? false);
    this.#filterError.classList.toggle("hint", problem?.isError === false);
    setText(this.#filterError, isShown ? problem.text : "");
    setAttribute(this.#filter, "aria-invalid", problem?.isError ? "true" : undefined);
  }

  #renderHost() {
    const { source, hosts, summary, connection } = this.inspector;
    const isAway = source?.kind === "daemon" && connection.is !== "open";
    const host = isAway ? undefined : hostOf(summary, hosts);
    show(this.#host, source !== undefined);
    // A live app's host has no name that says more.
    const name = host?.place === "live" ? "the live program" : host ? hostName(host) : "";
    const text = host
      ? `host: ${name}`
      : source?.kind === "file"
      ? "read-only file"
      : isAway
      ? "host: not known"
      : "no host";
    setText(this.#host.children[1] ?? this.#host, text);
    this.#host.children[0]?.classList.toggle("off", !host);
    this.#host.classList.toggle("risky", host?.place === "live");
    setAttribute(
      this.#host,
      "title",
      host
        ? `The reducer runs ${placeText(host)}. Click to see all hosts.`
        : isAway
        ? "The daemon is not connected, so its hosts are unknown."
        : "Edits and replays need a host that runs the reducer. Click to see how to get one.",
    );
  }

  #renderLive() {
    const { inspector } = this;
    const isLive = inspector.summary?.live ?? false;
    show(this.#live, isLive);
    const isOpen = inspector.connection.is === "open";
    this.#live.classList.toggle("following", inspector.isFollowing && isOpen);
    this.#live.children[0]?.classList.toggle("off", !isOpen);
    setAttribute(this.#live, "aria-pressed", String(inspector.isFollowing));
    setAttribute(
      this.#live,
      "title",
      !isOpen
        ? "No live updates while the daemon is not connected"
        : inspector.isFollowing
        ? "Following live. Click to stop."
        : "Follow live",
    );
    const chip = /** @type {HTMLElement} */ (this.#live.children[2]);
    show(chip, inspector.newCount > 0);
    setText(chip, `${formatCount(inspector.newCount)} new`);
  }
}

/**
 * Whether the next letter would replace all of the text, or begin it.
 *
 * @param {HTMLInputElement} field
 */
function isAllSelected({ selectionStart, selectionEnd, value }) {
  return selectionStart === 0 && selectionEnd === value.length;
}

/**
 * Gives a button the name and the key of its command.
 *
 * @param {HTMLElement} button
 * @param {string} id
 * @param {boolean} isMac
 * @param {string} [title]
 */
export function describe(button, id, isMac, title) {
  const command = commandOf(id);
  const name = title ?? command?.title ?? id;
  const [key] = command?.keys ?? [];
  setAttribute(button, "aria-label", name);
  setAttribute(button, "title", key ? `${name} (${keyText(key, isMac)})` : name);
}
