/** The values that the reader follows: the pinned one and the watched ones, at the cursor. */

import { Pin } from "./pin.js";
import { Watch } from "./watch.js";

/** @import { Inspector } from "../inspector/inspector.js" */

export class FollowedValues {
  /** @type {Pin | undefined} */
  pin;
  /** @type {Watch | undefined} */
  watch;
  #inspector;

  /** @param {Pick<Inspector, "source" | "data" | "cursor" | "location" | "changed">} inspector */
  constructor(inspector) {
    this.#inspector = inspector;
  }

  /**
   * Watches values of the timeline that is now in view.
   *
   * @param {readonly string[]} paths
   */
  setWatched(paths) {
    const { source, data } = this.#inspector;
    if (!source || !data) return;
    const watch = new Watch(source, data.id, () => this.watch === watch && this.#changed());
    watch.paths = [...paths];
    this.watch = watch;
  }

  /** @param {string | undefined} path a pointer into the moment, or none */
  setPin(path) {
    const { source, data, cursor } = this.#inspector;
    this.pin = undefined;
    if (path === undefined || !source || !data) return;
    const pin = new Pin(
      source,
      data.id,
      path,
      () => this.pin === pin && this.#changed(),
      // What is not durable yet may be missing in an answer.
      () => Math.min(data.last, data.summary.durable ?? data.last),
    );
    this.pin = pin;
    void pin.load(cursor);
  }

  /** Asks for what the cursor's place lacks; while something is asked for, the newest place waits. */
  keepUp() {
    const { data, cursor, location } = this.#inspector;
    const { pin, watch } = this;
    if (!data) return;
    const isFinal = !data.summary.live && data.summary.computing === undefined;
    if (pin && !pin.isLoading && !pin.covers(cursor, isFinal)) void pin.load(cursor);
    if (location.tab !== "watch" || !watch || watch.isLoading) return;
    if (!watch.covers(cursor, data.last)) void watch.load(cursor);
  }

  /** The connection is back: what failed while it was not is asked for again. */
  retry() {
    this.pin?.retry();
    this.watch?.retry();
    this.keepUp();
  }

  /** The timeline has grown: more may follow. */
  grew() {
    this.pin?.grew();
    this.watch?.grew();
  }

  /** What came may be for a place that the reader has left meanwhile. */
  #changed() {
    this.keepUp();
    this.#inspector.changed.emit();
  }
}
