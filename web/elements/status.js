/** Where one is, in a line: for eyes, and for those who hear the page. */

import { formatBytes, formatCount, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { LastKeyframe } from "../model/state/last-keyframe.js";
import { countOthers } from "../model/live/viewers.js";
import { nameOf } from "../model/sources/source-list.js";
import { viewEnded } from "../model/sources/source.js";
import { disable } from "./disabling.js";
import { h, passFocus, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** The spoken line changes at most this often, in milliseconds: scrubbing must not flood it. */
const SPEAK_EVERY = 1_000;

export class StatusView extends View {
  static define(name = "tt-status") {
    customElements.define(name, StatusView);
  }

  /** Whether the recording is being played, and the daemon's answering time; set by the page. */
  isPlaying = false;
  roundTrip = 0;
  /** Whether the page's server only sends files; set by the page. */
  isFileServer = false;

  #place = h("span", {}, "At ", h("b"), h("span"));
  #machine = h("b", { class: "machine-here" });
  #branch = h("span", { class: "branch" }, "branch ", h("b"));
  #lost = h("span", { class: "warn" });
  #lastKeyframe = new LastKeyframe((call, milliseconds) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  }, () => this.invalidate());
  #daemon = h("button", { type: "button", class: "plain daemon" });
  #spoken = h("span", { class: "sr-only", role: "status", "aria-live": "polite" });
  #retry = h("button", { type: "button", class: "plain", hidden: true });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #countdown;
  #lastSpoken = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;

  build() {
    this.setAttribute("role", "contentinfo");
    this.#retry.addEventListener("click", () => this.context.run("reconnect"));
    this.#daemon.addEventListener("click", () => this.context.run("sessions"));
    this.append(
      this.#machine,
      this.#place,
      this.#branch,
      this.#lost,
      h("span", { class: "grow" }),
      this.#daemon,
      this.#retry,
      this.#spoken,
    );
  }

  render() {
    const { inspector } = this;
    const { data, summary } = inspector;
    for (const part of [this.#machine, this.#place, this.#branch]) show(part, data !== undefined);
    setText(this.#daemon, this.#connectionText());
    setAttribute(this.#daemon, "title", this.#storageText());
    disable(this.#daemon, inspector.connection.is === "ended" ? viewEnded() : undefined);
    setAttribute(this.#place, "title", this.#keyframeText());
    this.#renderRetry();
    show(this.#lost, (data?.lostCount ?? 0) > 0);
    if (!data || !summary) return;
    const isLive = inspector.isFollowing && summary.live && inspector.connection.is === "open";
    const doing = this.isPlaying ? "playing" : isLive ? "live" : "paused";
    const machine = visible(summary.header.machine.name);
    setText(
      this.#machine,
      summary.header.parent ? `${machine}, ${visible(nameOf(summary))}` : machine,
    );
    setText(this.#place.children[0] ?? this.#place, formatCount(inspector.cursor));
    setText(
      this.#place.children[1] ?? this.#place,
      ` of ${formatCount(Math.max(data.last, 0))}, ${doing}`,
    );
    setText(
      this.#branch.children[0] ?? this.#branch,
      summary.header.parent ? visible(nameOf(summary)) : "main",
    );
    setText(this.#lost, `${formatCount(data.lostCount)} lost`);
    this.#speak();
  }

  /** Where the full state was stored: of interest to few readers, so it is not in the line itself. */
  #keyframeText() {
    const { source, data, cursor, connection } = this.inspector;
    const distance = source && data && data.last >= 0
      ? this.#lastKeyframe.distance(source, data.id, cursor, connection)
      : undefined;
    if (distance === undefined) return undefined;
    return distance === 0
      ? "Keyframe: this entry stores the full state"
      : `Keyframe ${formatNumbered(distance, "entry", "entries")} back`;
  }

  /** What the daemon stores of the timeline, and how fast it answers. */
  #storageText() {
    const { source, summary, connection } = this.inspector;
    const parts = ["Daemon status and sessions"];
    if (source?.kind === "daemon" && connection.is === "open") {
      if (this.roundTrip > 0) {
        const digits = this.roundTrip < 10 ? 1 : 0;
        parts.push(`answers in ${this.roundTrip.toFixed(digits)} ms`);
      }
      if (summary) parts.push(`${formatBytes(summary.bytes)} stored`);
      if (summary?.durable !== undefined) parts.push(`saved up to ${formatCount(summary.durable)}`);
    }
    return parts.join(" · ");
  }

  /** Loaded entries stay usable while the daemon is away; this shows when the page tries again. */
  #renderRetry() {
    const { source, connection } = this.inspector;
    const isDaemons = source?.kind === "daemon";
    const isGone = isDaemons && connection.is === "waiting";
    passFocus(this.#retry, () => show(this.#retry, isGone), () => this.#daemon.focus());
    this.#daemon.classList.toggle("warn", isGone || isDaemons && connection.is === "ended");
    if (!isGone) return;
    const seconds = Math.max(0, Math.ceil((connection.until - Date.now()) / 1_000));
    setText(this.#retry, seconds > 0 ? `trying again in ${seconds} s; try now` : "trying again…");
    this.#countdown ??= setTimeout(() => {
      this.#countdown = undefined;
      this.invalidate();
    }, 500);
  }

  #connectionText() {
    const { source, connection } = this.inspector;
    if (source?.kind === "file") {
      const { fileName } = source;
      return fileName ? `${visible(fileName)} · file, read-only` : "file, read-only";
    }
    if (this.isFileServer) return "no daemon";
    switch (connection.is) {
      case "open":
        return ["daemon connected", ...this.#othersText()].join(" · ");
      case "waiting":
        return connection.isImpostor ? "another program has the daemon's port" : "disconnected";
      case "refused":
        return connection.reason === "version"
          ? "the daemon is newer: reload the page"
          : "not signed in: debugd open";
      case "ended":
        return "debugd view has ended";
      case "idle":
        return "";
      default:
        return "connecting…";
    }
  }

  #othersText() {
    const others = countOthers(this.inspector.sessions);
    return others > 0 ? [`${formatNumbered(others, "other")} looking`] : [];
  }

  #speak() {
    const now = performance.now();
    if (now - this.#lastSpoken < SPEAK_EVERY) {
      this.#later ??= setTimeout(() => {
        this.#later = undefined;
        this.invalidate();
      }, SPEAK_EVERY);
      return;
    }
    const { data, cursor, isFollowing } = this.inspector;
    const entry = data?.entries.get(cursor);
    const text = isFollowing
      ? `following, ${formatNumbered((data?.last ?? 0) + 1, "entry", "entries")}`
      : entry
      ? `entry ${formatCount(cursor)}`
      : "";
    if (this.#spoken.textContent !== text) this.#lastSpoken = now;
    setText(this.#spoken, text);
  }
}
