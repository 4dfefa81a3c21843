/** Where one is, in a line: for eyes, and for those who hear the page. */

import { formatBytes, formatCount, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { LastKeyframe } from "../model/last-keyframe.js";
import { nameOf } from "../model/source-list.js";
import { h, passFocus, setText, show } from "./dom.js";
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

  #place = h("span", {}, "At ", h("b"), h("span"));
  #branch = h("span", { class: "branch" }, "branch ", h("b"));
  #lost = h("span", { class: "warn" });
  #keyframe = h("span", {
    class: "aside",
    title: "The full state is stored there; what follows is computed from it",
  });
  #lastKeyframe = new LastKeyframe((call, milliseconds) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  }, () => this.invalidate());
  #size = h("span", { class: "aside" });
  #durable = h("span", { class: "aside" });
  #daemon = h("button", {
    type: "button",
    class: "plain daemon",
    title: "How the daemon does, and who may look",
  });
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
      this.#place,
      this.#branch,
      this.#keyframe,
      this.#lost,
      this.#size,
      h("span", { class: "grow" }),
      this.#durable,
      this.#daemon,
      this.#retry,
      this.#spoken,
    );
  }

  render() {
    const { inspector } = this;
    const { data, summary, source } = inspector;
    for (const part of [this.#place, this.#branch, this.#size, this.#durable]) {
      show(part, data !== undefined);
    }
    setText(this.#daemon, this.#connectionText());
    this.#renderRetry();
    this.#renderKeyframe();
    show(this.#lost, (data?.lostCount ?? 0) > 0);
    if (!data || !summary) return;
    const isLive = inspector.isFollowing && summary.live && inspector.connection.is === "open";
    const doing = this.isPlaying ? "playing" : isLive ? "live" : "paused";
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
    setText(this.#size, formatBytes(summary.bytes));
    const isDurable = source?.kind === "daemon" && summary.durable !== undefined;
    show(this.#durable, isDurable);
    setText(this.#durable, `durable to ${formatCount(summary.durable ?? 0)}`);
    this.#speak();
  }

  #renderKeyframe() {
    const { source, data, cursor, connection } = this.inspector;
    const distance = source && data && data.last >= 0
      ? this.#lastKeyframe.distance(source, data.id, cursor, connection)
      : undefined;
    show(this.#keyframe, distance !== undefined);
    if (distance === undefined) return;
    const back = `keyframe ${formatNumbered(distance, "entry", "entries")} back`;
    setText(this.#keyframe, distance === 0 ? "keyframe here" : back);
  }

  /** What is loaded stays usable while the daemon is away; when it is tried again is told here. */
  #renderRetry() {
    const { source, connection } = this.inspector;
    const isGone = source?.kind === "daemon" && connection.is === "waiting";
    passFocus(this.#retry, () => show(this.#retry, isGone), () => this.#daemon.focus());
    this.#daemon.classList.toggle("warn", isGone);
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
    if (source?.kind === "file") return "file, read-only";
    switch (connection.is) {
      case "open":
        return this.roundTrip > 0
          ? `daemon ${
            this.roundTrip < 10 ? this.roundTrip.toFixed(1) : Math.round(this.roundTrip)
          } ms`
          : "daemon connected";
      case "waiting":
        return connection.isImpostor ? "another program has the daemon's port" : "daemon gone";
      case "refused":
        return connection.reason === "version"
          ? "the daemon is newer: reload the page"
          : "not signed in: debugd open";
      case "idle":
        return "";
      default:
        return "connecting…";
    }
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
