/** One rendering a frame, however often something changes, and all of them in one callback. */

/**
 * What is to be done in the next frame, in the order in which it was asked for. What is early comes
 * before all else: it finds the layout as the last frame left it.
 */
export class Frames {
  #nextFrame;
  #report;
  /** @type {{ call: () => void, early: (() => void) | undefined }[]} */
  #waiting = [];
  #isHeld = false;

  /**
   * @param {(call: () => void) => void} [nextFrame] how to wait for a frame
   * @param {(error: unknown) => void} [report] hears of what failed, which stops nothing else
   */
  constructor(
    nextFrame = (call) => void requestAnimationFrame(call),
    report = (error) => globalThis.reportError(error),
  ) {
    this.#nextFrame = nextFrame;
    this.#report = report;
  }

  /**
   * @param {() => void} call
   * @param {() => void} [early]
   */
  request(call, early) {
    this.#waiting.push({ call, early });
    if (this.#waiting.length === 1 && !this.#isHeld) this.#nextFrame(() => this.#run());
  }

  /** Whether everything waits for `release`. */
  get isHeld() {
    return this.#isHeld;
  }

  /** Lets everything wait. */
  hold() {
    this.#isHeld = true;
  }

  /** Does at once what was held. */
  release() {
    this.#isHeld = false;
    this.#run();
  }

  #run() {
    const due = this.#waiting;
    this.#waiting = [];
    for (const { early } of due) if (early) this.#try(early);
    for (const { call } of due) this.#try(call);
  }

  /** @param {() => void} call */
  #try(call) {
    try {
      call();
    } catch (error) {
      this.#report(error);
    }
  }
}

/**
 * Calls `render` once in the next frame after any number of calls of `request`.
 */
export class FrameTask {
  #render;
  #nextFrame;
  #isPending = false;

  /**
   * @param {() => void} render
   * @param {(call: () => void) => void} [nextFrame] how to wait for a frame
   */
  constructor(render, nextFrame = (call) => void requestAnimationFrame(call)) {
    this.#render = render;
    this.#nextFrame = nextFrame;
  }

  /** Asks for a rendering. */
  request() {
    if (this.#isPending) return;
    this.#isPending = true;
    this.#nextFrame(() => this.flush());
  }

  /** Renders now when it was asked for. */
  flush() {
    if (this.#isPending) this.now();
  }

  /** Renders now, in place of what was asked for. */
  now() {
    this.#isPending = false;
    this.#render();
  }
}
