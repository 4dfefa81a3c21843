/** Whether the pointer is on a row of a list that changes by itself. */

export class PointerHold {
  /** Whether a click now would be aimed at a row. */
  isHeld = false;
  #changed;

  /**
   * @param {HTMLElement} list
   * @param {(target: Element) => unknown} rowOf the row at an element, if there is one
   * @param {() => void} changed
   */
  constructor(list, rowOf, changed) {
    this.#changed = changed;
    for (const name of /** @type {const} */ (["pointerover", "pointermove"])) {
      list.addEventListener(name, ({ target }) => {
        this.#set(target instanceof Element && rowOf(target) !== undefined);
      }, { passive: true });
    }
    list.addEventListener("pointerleave", () => this.release());
    // A reader who types is not about to click, and looks for what the key changed.
    document.addEventListener("keydown", () => this.release(), { capture: true });
  }

  /** Lets the rows move until the pointer does. */
  release() {
    this.#set(false);
  }

  /** @param {boolean} isHeld */
  #set(isHeld) {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    this.#changed();
  }
}
