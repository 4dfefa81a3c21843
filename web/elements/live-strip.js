/** One line that shows who controls the live machine, and offers what this page can do with it. */

import { visible } from "../base/text.js";
import { stripOf } from "../model/live/control.js";
import { describe } from "./toolbar.js";
import { disable } from "./disabling.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

export class LiveStripView extends View {
  static define(name = "tt-live-strip") {
    customElements.define(name, LiveStripView);
  }

  #text = h("b");
  #detail = h("span", { class: "strip-detail" });
  #spoken = h("span", { class: "sr-only", role: "status" });
  #free = h("span", { class: "strip-acts" });
  #mine = h("span", { class: "strip-acts" });
  #other = h("span", { class: "strip-acts" });
  #step = this.#button("live-step", "Deliver one", "step");
  #record = this.#button("go-on-recording", "Resume recording", "play");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #countdown;

  /**
   * @param {string} command
   * @param {string} text
   * @param {string} name
   * @param {boolean} [isMain]
   */
  #button(command, text, name, isMain = false) {
    const made = h(
      "button",
      { type: "button", class: isMain ? "main" : "line" },
      icon(name),
      h("span", {}, text),
    );
    made.dataset.command = command;
    made.addEventListener("click", () => this.context.run(command));
    return made;
  }

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Live machine");
    this.#free.append(
      this.#button("hold", "Pause (queue events)", "hold"),
      this.#button("hold-refuse", "Pause (drop events)", "close"),
    );
    this.#mine.append(
      this.#button("live-restore", "Move it to this moment", "restore"),
      this.#step,
      this.#button("live-send", "Send this event", "send"),
      this.#button("live-resume", "Resume", "play", true),
    );
    this.#other.append(this.#button("take-over", "Take over", "hold"));
    this.append(
      h("span", { class: "strip-sign", "aria-hidden": "true" }),
      this.#text,
      this.#detail,
      h("span", { class: "grow" }),
      this.#record,
      this.#free,
      this.#mine,
      this.#other,
      this.#spoken,
    );
    for (const button of this.querySelectorAll("button")) {
      const title = button.textContent ?? "";
      describe(button, button.dataset.command ?? "", this.context.isMac, title);
    }
  }

  render() {
    const { timeTravel, inspector } = this;
    const { driving, control, now } = timeTravel;
    const strip = stripOf(control, driving.summary, now);
    const isOpen = inspector.connection.is === "open";
    const mayControl = isOpen && (inspector.source?.capabilities.has("control") ?? false);
    show(this, strip !== undefined);
    clearTimeout(this.#countdown);
    if (!strip) return;
    setAttribute(this, "data-is", strip.is);
    const isUnknown = !isOpen && strip.is === "free";
    const text = isUnknown ? "The daemon cannot be reached" : strip.text;
    const detail = isUnknown
      ? "The machine keeps running. You can pause it when the daemon is back."
      : strip.detail;
    setText(this.#text, visible(text));
    setText(this.#detail, visible(detail));
    setAttribute(this.#detail, "title", visible(detail) || undefined);
    setAttribute(this.#text, "title", isUnknown ? undefined : strip.lease);
    const timeline = driving.summary?.header.timeline ?? "";
    const spoken = visible(`${strip.text}. ${strip.detail}`);
    setText(this.#spoken, strip.is === "free" ? "" : spoken);
    show(this.#free, mayControl && (strip.is === "free" || strip.is === "lost"));
    show(this.#record, mayControl && control.isPaused(timeline));
    show(this.#mine, strip.is === "mine");
    show(this.#other, mayControl && strip.is === "other");
    const hasQueued = (control.statusOf(timeline)?.queued ?? 0) > 0;
    disable(this.#step, hasQueued ? undefined : "No event is queued.");
    if (strip.is === "mine") this.#countdown = setTimeout(() => this.invalidate(), 500);
  }
}
