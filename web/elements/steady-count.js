/** A number of lines above a pane that stays while the pointer is where it pressed. */

/**
 * The lines would move the pane: the next press, aimed at the next row, would hit another one. They come
 * and go when the pointer leaves the pane, or with a key.
 */
export class SteadyCount {
  #count = 0;
  /** @type {string | undefined} */
  #timeline;
  /** Where the pointer pressed. @type {Element | undefined} */
  #pane;
  #onRelease;

  /** @param {() => void} onRelease */
  constructor(onRelease) {
    this.#onRelease = onRelease;
  }

  /** @param {string} panes a selector of the panes below the lines */
  listen(panes) {
    document.addEventListener("pointerdown", ({ target, pointerType }) => {
      const pane = target instanceof Element ? target.closest(panes) : null;
      // A finger leaves when it is lifted.
      if (pointerType === "mouse" && pane) this.#hold(pane);
      else this.#release();
    }, { capture: true });
    document.addEventListener("keydown", () => this.#release(), { capture: true });
  }

  /** @param {Element} pane */
  #hold(pane) {
    if (this.#pane === pane) return;
    this.#pane = pane;
    pane.addEventListener("pointerleave", () => this.#release(), { once: true });
  }

  #release() {
    if (!this.#pane) return;
    this.#pane = undefined;
    this.#onRelease();
  }

  /**
   * How many lines to show.
   *
   * @param {number} wanted
   * @param {string | undefined} timeline another one has other lines at once
   */
  of(wanted, timeline) {
    if (!this.#pane || timeline !== this.#timeline) this.#count = wanted;
    this.#timeline = timeline;
    return this.#count;
  }
}
