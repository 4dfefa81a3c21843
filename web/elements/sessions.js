/** How the daemon does, who may look at what it holds, and a way to end that. */

import { formatAgo, formatBytes, formatDuration, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { lookingAt } from "../model/live/viewers.js";
import { nameOf } from "../model/sources/source-list.js";
import { RequestError } from "../wire/requests.js";
import { h, keep, setText, show } from "./dom.js";
import { actButton, WindowView } from "./window.js";

/** @import { Message } from "../wire/to-inspector.js" */

/** @typedef {Message<"sessions">["sessions"][number]} Session */

/** How often an open window asks again, in milliseconds. */
const ASK_EVERY = 2_000;

/** @type {Record<string, string>} */
const MAY = {
  look: "look",
  change: "change",
  control: "control machines",
  host: "start hosts",
  push: "add timelines",
};

export class SessionsView extends WindowView {
  static define(name = "tt-sessions") {
    customElements.define(name, SessionsView);
  }

  #facts = h("dl", { class: "facts" });
  #list = h("ul", { class: "host-list" });
  #answer = h("p", { class: "note warn", role: "status" });
  /** @type {Message<"status"> | undefined} */
  #status;
  /** @type {Session[]} */
  #sessions = [];
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  buildBody() {
    this.setTitle("Daemon and sessions");
    this.body.append(
      this.#facts,
      h("h3", {}, "Sessions"),
      h(
        "p",
        { class: "note" },
        'A session is a browser that you signed in with "debugd open". If you end a session, that browser has to sign in again.',
      ),
      this.#list,
      this.#answer,
    );
  }

  open() {
    setText(this.#answer, "");
    void this.#ask();
    this.#timer ??= setInterval(() => void this.#ask(), ASK_EVERY);
    this.show();
  }

  closed() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #ask() {
    const { source } = this.inspector;
    if (source?.kind !== "daemon") {
      return setText(this.#answer, "This is a file. No one else can see it.");
    }
    await this.#try(async () => {
      const [status, { sessions }] = await Promise.all([
        source.ask({ type: "status" }),
        source.ask({ type: "sessions" }),
      ]);
      this.#status = status;
      this.#sessions = sessions;
      setText(this.#answer, "");
    });
  }

  /** @param {string} id */
  async #end(id) {
    await this.#try(async () => {
      await this.inspector.source?.ask({ type: "revoke", session: id });
    });
    await this.#ask();
  }

  /** @param {() => Promise<void>} work */
  async #try(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setText(this.#answer, error.message);
    }
    this.invalidate();
  }

  renderBody() {
    const facts = this.#status ? factsOf(this.#status) : [];
    this.#facts.replaceChildren(
      ...facts.flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]),
    );
    keep(
      this.#list,
      this.#sessions,
      ({ id }) => id,
      ({ id }) =>
        h(
          "li",
          {},
          h(
            "div",
            { class: "host-head" },
            h("span", { class: "dot" }),
            h("b"),
            h("span", { class: "chip" }, "this browser"),
            h("span", { class: "grow" }),
            actButton("End session", () => void this.#end(id)),
          ),
          h("div", { class: "muted session-since" }),
        ),
      (element, session) => {
        const { summaries } = this.inspector;
        const looks = lookingAt(session, (timeline) => {
          const summary = summaries.get(timeline);
          return summary && nameOf(summary);
        });
        update(element, session, looks);
      },
    );
  }
}

/**
 * @param {HTMLElement} element
 * @param {Session} session
 * @param {string} looks which timelines it looks at, in words
 */
function update(element, { client, connected, yours, created, capabilities }, looks) {
  const find = (
    /** @type {string} */ selector,
  ) => /** @type {HTMLElement} */ (element.querySelector(selector) ?? element);
  find(".dot").classList.toggle("off", !connected);
  setText(find("b"), visible(client ?? "Unnamed browser"));
  show(find(".chip"), yours ?? false);
  const may = capabilities.map((one) => MAY[one] ?? one).join(", ");
  const since = formatAgo(new Date(created), new Date());
  const where = connected ? `connected${looks && `, ${looks}`}` : "not connected";
  setText(find(".session-since"), `${where}, signed in ${since}, can ${may}`);
}

/**
 * @param {Message<"status">} status
 * @returns {[string, string][]}
 */
function factsOf(status) {
  const { daemon, seconds, recorders, inspectors, timelines, entries, bytes, store, machines } =
    status;
  return [
    ["debugd", `${visible(daemon)}, running for ${formatDuration(Math.round(seconds * 1e6))}`],
    [
      "connected",
      `${formatNumbered(recorders, "recorder")}, ${formatNumbered(inspectors, "inspector")}`,
    ],
    [
      "stored",
      `${formatNumbered(timelines, "timeline")}, ${formatNumbered(entries, "entry", "entries")}, ${
        formatBytes(bytes)
      }`,
    ],
    ...(store === undefined || store === "SQLite"
      ? []
      : [/** @type {[string, string]} */ (["store", visible(store)])]),
    ...(machines === undefined
      ? []
      : [/** @type {[string, string]} */ (["saved on", formatNumbered(machines, "machine")])]),
    ...(status.problem
      ? [/** @type {[string, string]} */ (["problem", visible(status.problem)])]
      : []),
  ];
}
