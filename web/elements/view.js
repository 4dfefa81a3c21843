/** What all elements of the page have in common: a context, and one rendering a frame. */

import { Frames, FrameTask } from "../base/frame.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { TimeTravel } from "../model/inspector/time-travel.js" */
/** @import { LaneColors } from "../model/timeline/lane-colors.js" */
/** @import { Settings } from "./settings.js" */
/** @import { Windows } from "./window.js" */

/**
 * What an element knows of the page.
 *
 * @typedef {object} Context
 * @property {Inspector} inspector
 * @property {TimeTravel} timeTravel
 * @property {Settings} settings
 * @property {LaneColors} laneColors
 * @property {Windows} windows the dialogs above the page
 * @property {(command: string) => void} run performs a command of the table
 * @property {boolean} isMac whether keys are shown as on a Mac
 */

/** All elements are rendered in one callback of a frame. */
export const frames = new Frames();

/** An element that shows a part of the model. Its class registers nothing; `app.js` does. */
export class View extends HTMLElement {
  /** @type {Context | undefined} */
  #context;
  #task = new FrameTask(
    () => this.isConnected && this.render(),
    (call) => frames.request(call, () => this.isConnected && this.prepare()),
  );
  /** @type {(() => void)[]} */
  #endings = [];
  #isBuilt = false;

  /** @returns {Context} */
  get context() {
    if (!this.#context) throw new Error(`${this.localName} was used without a context`);
    return this.#context;
  }

  set context(context) {
    this.#context = context;
  }

  get inspector() {
    return this.context.inspector;
  }

  get timeTravel() {
    return this.context.timeTravel;
  }

  connectedCallback() {
    if (!this.#isBuilt) this.build();
    this.#isBuilt = true;
    this.#endings = [
      this.inspector.changed.listen(() => this.#task.request()),
      this.context.settings.changed.listen(() => this.#task.request()),
    ];
    this.#task.request();
  }

  disconnectedCallback() {
    for (const end of this.#endings) end();
    this.#endings = [];
  }

  /** Asks for a rendering in the next frame. */
  invalidate() {
    this.#task.request();
  }

  /**
   * Its size has changed, as an observer hears: what had none is rendered in the same frame.
   *
   * @param {number} before
   */
  resized(before) {
    if (before > 0 || frames.isHeld || !this.isConnected) return this.invalidate();
    this.prepare();
    this.#task.now();
  }

  /** Makes what stays; called once. */
  build() {}

  /**
   * Scrolls, before any element of the page has changed in this frame: afterwards that would have
   * the browser lay the page out twice.
   */
  prepare() {}

  /** Shows what is true now. */
  render() {}
}
