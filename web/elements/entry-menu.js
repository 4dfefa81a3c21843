/** All that can be done with an entry, as a menu: from the row, and from the event's panel. */

import { formatCount } from "../base/format.js";
import { keyText } from "../model/commands/keys.js";
import { commandOf } from "../model/commands/table.js";
import { h, setAttribute, setText } from "./dom.js";
import { openMenu, prepareMenu } from "./menu.js";
import { View } from "./view.js";

/** The commands of the menu, in groups. */
const GROUPS = [
  ["edit", "insert-before", "insert-after", "repeat", "redispatch"],
  ["skip", "skip-caused", "move-earlier", "move-later", "move-before"],
  ["undo-to-here", "start-here", "compute"],
  ["live-restore", "live-send"],
  ["mark", "mute", "verify", "minimise", "explain", "explore", "export", "copy-link"],
];

export class EntryMenuView extends View {
  static define(name = "tt-entry-menu") {
    customElements.define(name, EntryMenuView);
  }

  #menu = h("div", { class: "menu", role: "menu", popover: "auto", "aria-label": "Entry" });
  #title = h("div", { class: "menu-title", "aria-hidden": "true" });

  build() {
    this.#menu.append(this.#title);
    GROUPS.forEach((ids, place) => {
      if (place > 0) this.#menu.append(h("div", { class: "menu-line", role: "separator" }));
      for (const id of ids) {
        const command = commandOf(id);
        if (!command) continue;
        const [key] = command.keys;
        this.#menu.append(
          h(
            "button",
            { type: "button", role: "menuitem", tabindex: -1, "data-command": id },
            h("span", { class: "grow" }, command.title),
            key && h("kbd", {}, keyText(key, this.context.isMac)),
          ),
        );
      }
    });
    // Where one is when the menu is open: outside every other region of the page.
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Menu of the entry");
    this.append(this.#menu);
    this.#menu.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("[data-command]") : null;
      if (item instanceof HTMLElement) this.#choose(item.dataset.command ?? "");
    });
    prepareMenu(this.#menu, () => {
      this.#menu.hidePopover();
      this.context.run("focus-events");
    });
  }

  /** What cannot be done here says why. */
  #allow() {
    for (const item of this.#menu.querySelectorAll("button")) {
      const why = commandOf(item.dataset.command ?? "")?.whyNot?.(this.context);
      setAttribute(item, "aria-disabled", why === undefined ? undefined : "true");
      setAttribute(item, "title", why);
    }
  }

  /** @param {string} id */
  #choose(id) {
    this.#menu.hidePopover();
    this.context.run("focus-events");
    this.context.run(id);
  }

  /**
   * Opens the menu for an entry, and moves the cursor there.
   *
   * @param {number} seq
   * @param {number} x
   * @param {number} y
   */
  open(seq, x, y) {
    const { inspector } = this;
    const { from, to } = inspector.stretch;
    // A selected stretch stays selected: skipping it is one of the reasons to select one.
    if (seq < from || seq > to) inspector.goTo(seq, { isJump: true });
    setText(
      this.#title,
      inspector.stretch.from === inspector.stretch.to
        ? `Entry ${formatCount(inspector.cursor)}`
        : `Entries ${formatCount(inspector.stretch.from)} to ${formatCount(inspector.stretch.to)}`,
    );
    this.#allow();
    openMenu(this.#menu, x, y);
  }
}
