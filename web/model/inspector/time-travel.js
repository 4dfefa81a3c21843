/** Changing the past and driving the present, in one place: what the page is given. */

import { LiveControl } from "../live/control.js";
import { Driving } from "../live/driving.js";
import { Forking } from "../branches/forking.js";
import { Jobs } from "../timeline/jobs.js";
import { Rewriting } from "../branches/rewriting.js";

/** @import { Inspector } from "./inspector.js" */
/** @import { Source } from "../sources/source.js" */

/**
 * The world around it; tests give one of their own.
 *
 * @typedef {object} TravelWorld
 * @property {() => number} now milliseconds
 * @property {(call: () => void, milliseconds: number) => void} later
 * @property {string | null} kept the undo history of this tab
 * @property {(history: string) => void} keep
 */

export class TimeTravel {
  #inspector;
  #world;
  /** Work that takes longer. @readonly */
  jobs;
  /** Branches, undo and redo. @readonly */
  forking;
  /** Edits of the past. @readonly */
  rewriting;
  /** Control of live machines. @readonly */
  control;
  /** Commands for the live app. @readonly */
  driving;
  /** @type {Source | undefined} */
  #source;
  #stopListening = () => {};

  /**
   * @param {Inspector} inspector
   * @param {TravelWorld} world
   */
  constructor(inspector, world) {
    this.#inspector = inspector;
    this.#world = world;
    const changed = () => inspector.changed.emit();
    this.jobs = new Jobs(changed);
    this.forking = new Forking(inspector, this.jobs, world);
    this.rewriting = new Rewriting(inspector, this.forking, this.jobs);
    this.control = new LiveControl({
      ...world,
      source: () => inspector.source,
      changed,
      warn: (text, timeline) => inspector.notify("warning", text, { timeline, cause: "drive" }),
    });
    this.driving = new Driving(inspector, this.rewriting, this.control);
    inspector.changed.listen(() => this.#noticed());
  }

  /** Time as the page has it: for what counts down. */
  get now() {
    return this.#world.now();
  }

  #noticed() {
    const { source, connection } = this.#inspector;
    if (source !== this.#source) {
      this.#stopListening();
      this.#source = source;
      this.#stopListening = source?.news.listen((message) => {
        if (message.type === "control") this.control.heard(message);
        if (message.type === "gone") this.forking.forget(message.timeline);
      }) ?? (() => {});
      // Reports that came between the connection and now.
      for (const message of this.#inspector.controls.values()) this.control.heard(message);
    }
    if (connection.is !== "open" && this.control.holding.length > 0) this.control.disconnected();
    this.forking.noticed();
    this.rewriting.noticed();
  }
}
