/** What the page shows when there is no recording: what happened, why, and what to do next. */

import { visible } from "../base/text.js";
import { coverFor } from "../model/inspector/cover.js";
import { SAMPLES } from "../model/files/samples.js";
import { keyText } from "../model/commands/keys.js";
import { h, icon, keep, passFocus, setAttribute, setIcon, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Opening } from "../model/inspector/cover.js" */

/** What a new reader should know: keys, and what they do. */
const HINTS = [
  {
    id: "step",
    key: "ArrowRight",
    text: "steps to the next entry. The state of that moment is shown.",
  },
  { id: "set", key: "w", text: "goes to the entry that set the selected value." },
  { id: "palette", key: "Mod+K", text: "finds every command, machine, event, and value." },
];

export class CoverView extends View {
  static define(name = "tt-cover") {
    customElements.define(name, CoverView);
  }

  /** What is done with a file; set by the page. @type {Opening | undefined} */
  opening;
  /** Whether the page's server only sends files; set by the page. */
  isFileServer = false;

  #icon = h("div", { class: "cover-icon" }, icon("branch"));
  #title = h("h2");
  #text = h("p");
  #code = h("pre", {
    class: "cover-code",
    tabindex: 0,
    role: "group",
    "aria-label": "Code to add to the program",
  });
  #hint = h("p", { class: "muted" });
  #progress = h("progress", { max: 1 });
  #retry = h("button", { type: "button", class: "main" }, "Try again now");
  #newest = h("button", { type: "button", class: "main" }, "Show the newest timeline");
  #open = h("button", { type: "button", class: "line" }, icon("file"), "Open a timeline file…");
  #cancel = h("button", { type: "button", class: "line" }, "Cancel");
  #drop = h(
    "p",
    { class: "muted cover-drop" },
    icon("drop"),
    "You can also drop a .timeline file anywhere on this page.",
  );
  #samples = h(
    "div",
    { class: "cover-samples" },
    h("h3", {}, "Or open a sample recording"),
    h(
      "ul",
      {},
      ...SAMPLES.map(({ name, title, text }) =>
        h("li", {}, h("a", { href: `?sample=${name}` }, title), `: ${text}`)
      ),
    ),
  );
  #hints = h("ul", { class: "cover-hints", "aria-label": "Hints" });
  #timer = 0;

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "State of the page");
    this.#retry.addEventListener("click", () => this.context.run("reconnect"));
    this.#newest.addEventListener("click", () => this.inspector.showNewest());
    this.#cancel.addEventListener("click", () => this.context.run("cancel-opening"));
    this.#open.addEventListener("click", () => this.context.run("open-file"));
    this.append(
      h(
        "div",
        { class: "cover-box" },
        this.#icon,
        this.#title,
        this.#text,
        this.#code,
        this.#hint,
        this.#progress,
        h("div", { class: "acts" }, this.#retry, this.#newest, this.#open, this.#cancel),
        this.#drop,
        this.#samples,
        this.#hints,
      ),
    );
  }

  render() {
    // If the button that was pressed disappears, the focus moves to where the reader can continue.
    passFocus(this, () => this.#render(), () => {
      if (this.#open.checkVisibility()) this.#open.focus();
      else this.context.run("focus-events");
    });
  }

  #render() {
    const { inspector } = this;
    const cover = coverFor({
      connection: inspector.connection,
      isOnDisk: location.protocol === "file:",
      isFileServer: this.isFileServer,
      hasSource: inspector.source !== undefined,
      hasList: inspector.hasList,
      hasTimeline: inspector.data !== undefined,
      ...(inspector.missing === undefined ? {} : { missing: inspector.missing }),
      opening: this.opening,
      now: Date.now(),
    });
    show(this, cover !== undefined);
    clearTimeout(this.#timer);
    if (!cover) return;
    setIcon(this.#icon, cover.icon ?? "branch");
    setText(this.#title, cover.title);
    setText(this.#text, visible(cover.text));
    show(this.#code, cover.code !== undefined);
    setText(this.#code, cover.code ?? "");
    show(this.#hint, cover.hint !== undefined);
    setText(this.#hint, cover.hint ?? "");
    show(this.#progress, this.opening !== undefined);
    setAttribute(this.#progress, "aria-label", cover.title);
    setAttribute(this.#progress, "value", this.opening?.share);
    show(this.#retry, cover.canRetry);
    show(this.#newest, cover.offersNewest ?? false);
    const offersFiles = this.opening === undefined && !cover.offersNoFiles;
    show(this.#open, offersFiles);
    show(this.#cancel, this.opening !== undefined);
    // Another file would take the place of the one that is read or given.
    show(this.#drop, offersFiles);
    show(this.#samples, offersFiles);
    this.#renderHints();
    // The countdown of the next attempt.
    if (inspector.connection.is === "waiting") {
      this.#timer = Number(setTimeout(() => this.invalidate(), 500));
    }
  }
  /** The hints that the reader has not dismissed yet. */
  #renderHints() {
    const { settings } = this.context;
    const { dismissedHints } = settings.values;
    const hints = HINTS.filter(({ id }) => !dismissedHints.includes(id));
    show(this.#hints, hints.length > 0 && this.opening === undefined);
    const dismiss = (/** @type {string} */ id) =>
      settings.set({ dismissedHints: [...settings.values.dismissedHints, id] });
    keep(this.#hints, hints, ({ id }) => id, ({ id, key, text }) => {
      const shown = keyText(key, this.context.isMac);
      const close = h("button", {
        type: "button",
        class: "icon-button",
        title: "Dismiss this hint",
        "aria-label": `Dismiss the hint: ${shown} ${text}`,
      }, icon("close"));
      close.addEventListener("click", () => dismiss(id));
      return h("li", {}, h("kbd", {}, shown), h("span", {}, text), close);
    }, () => {});
  }
}
