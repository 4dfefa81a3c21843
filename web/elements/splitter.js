/** The borders between the panes, which can be moved by pointer and by keys. */

import { h, setAttribute } from "./dom.js";
import { View } from "./view.js";

/** @typedef {import("./settings.js").Values["shares"]} Shares */

/** No pane is narrower than this share, in percent. */
const LEAST = 12;

export class SplitterView extends View {
  static define(name = "tt-splitter") {
    customElements.define(name, SplitterView);
  }

  #handle = h("div", { class: "splitter-handle", "aria-hidden": "true" });
  /** @type {{ x: number, shares: Shares } | undefined} */
  #drag;

  /** The panes on both sides. @returns {[keyof Shares, keyof Shares]} */
  get #sides() {
    return this.dataset.between === "state side" ? ["state", "side"] : ["events", "state"];
  }

  build() {
    const [left] = this.#sides;
    for (
      const [name, value] of Object.entries({
        role: "separator",
        tabindex: 0,
        "aria-orientation": "vertical",
        "aria-label": left === "events" ? "Width of the events" : "Width of the state",
        "aria-valuemin": LEAST,
        "aria-valuemax": 100 - 2 * LEAST,
      })
    ) {
      setAttribute(this, name, value);
    }
    this.append(this.#handle);
    this.addEventListener("pointerdown", (event) => {
      this.setPointerCapture(event.pointerId);
      this.#drag = { x: event.clientX, shares: this.context.settings.values.shares };
    });
    this.addEventListener("pointermove", (event) => {
      if (!this.#drag) return;
      const width = (this.parentElement?.clientWidth ?? 1) - 212;
      this.#move(this.#drag.shares, (event.clientX - this.#drag.x) / width * 100);
    });
    this.addEventListener("pointerup", () => this.#drag = undefined);
    this.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#move(this.context.settings.values.shares, step);
    });
  }

  /**
   * @param {Shares} shares
   * @param {number} by
   */
  #move(shares, by) {
    const [left, right] = this.#sides;
    const step = Math.min(Math.max(by, LEAST - shares[left]), shares[right] - LEAST);
    this.context.settings.set({
      shares: { ...shares, [left]: shares[left] + step, [right]: shares[right] - step },
    });
  }

  render() {
    setAttribute(
      this,
      "aria-valuenow",
      Math.round(this.context.settings.values.shares[this.#sides[0]]),
    );
  }
}
