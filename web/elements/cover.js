/** What stands in place of a recording when there is none to show: what, why, and what to do next. */

import { visible } from "../base/text.js";
import { coverFor } from "../model/cover.js";
import { SAMPLES } from "../model/samples.js";
import { h, icon, passFocus, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Opening } from "../model/cover.js" */

export class CoverView extends View {
  static define(name = "tt-cover") {
    customElements.define(name, CoverView);
  }

  /** What is done with a file; set by the page. @type {Opening | undefined} */
  opening;

  #title = h("h2");
  #text = h("p");
  #code = h("pre", {
    class: "cover-code",
    tabindex: 0,
    role: "group",
    "aria-label": "Code to add to the program",
  });
  #progress = h("progress", { max: 1 });
  #retry = h("button", { type: "button", class: "main" }, "Try again now");
  #open = h("button", { type: "button", class: "line" }, icon("file"), "Open a timeline file…");
  #cancel = h("button", { type: "button", class: "line" }, "Cancel");
  #drop = h(
    "p",
    { class: "muted cover-drop" },
    icon("drop"),
    "A .timeline file can also be dropped anywhere on this page.",
  );
  #samples = h(
    "div",
    { class: "cover-samples" },
    h("h3", {}, "Or look at a recording that comes with this page"),
    h(
      "ul",
      {},
      ...SAMPLES.map(({ name, title, text }) =>
        h("li", {}, h("a", { href: `?sample=${name}` }, title), `: ${text}`)
      ),
    ),
  );
  #timer = 0;

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "State of the page");
    this.#retry.addEventListener("click", () => this.context.run("reconnect"));
    this.#cancel.addEventListener("click", () => this.context.run("cancel-opening"));
    this.#open.addEventListener("click", () => this.context.run("open-file"));
    this.append(
      h(
        "div",
        { class: "cover-box" },
        icon("states", "cover-icon"),
        this.#title,
        this.#text,
        this.#code,
        this.#progress,
        h("div", { class: "acts" }, this.#retry, this.#open, this.#cancel),
        this.#drop,
        this.#samples,
      ),
    );
  }

  render() {
    // Who pressed a button that went goes on where there is something to do.
    passFocus(this, () => this.#render(), () => {
      if (this.#open.checkVisibility()) this.#open.focus();
      else this.context.run("focus-events");
    });
  }

  #render() {
    const { inspector } = this;
    const cover = coverFor({
      connection: inspector.connection,
      hasSource: inspector.source !== undefined,
      hasList: inspector.hasList,
      hasTimeline: inspector.data !== undefined,
      opening: this.opening,
      now: Date.now(),
    });
    show(this, cover !== undefined);
    clearTimeout(this.#timer);
    if (!cover) return;
    setText(this.#title, cover.title);
    setText(this.#text, visible(cover.text));
    show(this.#code, cover.code !== undefined);
    setText(this.#code, cover.code ?? "");
    show(this.#progress, this.opening !== undefined);
    setAttribute(this.#progress, "aria-label", cover.title);
    setAttribute(this.#progress, "value", this.opening?.share);
    show(this.#retry, cover.canRetry);
    show(this.#open, this.opening === undefined);
    show(this.#cancel, this.opening !== undefined);
    // Another file would take the place of the one that is read or given.
    show(this.#drop, this.opening === undefined);
    show(this.#samples, this.opening === undefined);
    // The countdown of the next attempt.
    if (inspector.connection.is === "waiting") {
      this.#timer = Number(setTimeout(() => this.invalidate(), 500));
    }
  }
}
