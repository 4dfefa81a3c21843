/** Plays a recording, frame by frame. */

import { isAtEnd, nextToPlay, Player } from "../model/inspector/player.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { Settings } from "../elements/settings.js" */

export class Playing {
  #inspector;
  #settings;
  #onChange;
  /** @type {Player | undefined} */
  #player;

  /**
   * @param {Inspector} inspector
   * @param {Settings} settings for the pace
   * @param {(isPlaying: boolean) => void} onChange
   */
  constructor(inspector, settings, onChange) {
    this.#inspector = inspector;
    this.#settings = settings;
    this.#onChange = onChange;
  }

  /** Plays from the cursor, from the start when it is at the end; or pauses. */
  toggle() {
    const { data } = this.#inspector;
    if (this.#player || !data) {
      this.#player = undefined;
    } else {
      if (isAtEnd(data, this.#inspector.cursor)) {
        const first = data.rows.at(0);
        this.#inspector.goTo(first?.is === "entry" ? first.seq : data.first);
      }
      this.#player = new Player(this.#settings.pace, this.#inspector.cursor, performance.now());
      requestAnimationFrame(() => this.#frame());
    }
    this.#onChange(this.#player !== undefined);
  }

  #frame() {
    const { data, cursor } = this.#inspector;
    if (!this.#player || !data) return;
    // A reader who moves the cursor takes over.
    if (this.#player.seq !== cursor || isAtEnd(data, cursor)) {
      this.#player = undefined;
      return this.#onChange(false);
    }
    const seq = this.#player.advance(
      performance.now(),
      (at) => nextToPlay(data, at),
      (at) => data.entries.get(at)?.t,
    );
    if (seq !== cursor) this.#inspector.goTo(seq);
    requestAnimationFrame(() => this.#frame());
  }
}
