/** One rendering a frame, however often something changes. */

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
    if (!this.#isPending) return;
    this.#isPending = false;
    this.#render();
  }
}
