/** What runs reducers, where, and how to get something that does. */

import { visible } from "../base/text.js";
import { RequestError } from "../wire/requests.js";
import {
  hostCode,
  hostCommand,
  hostName,
  hostOf,
  hostsFor,
  hostState,
  placeText,
  whyNoHost,
} from "../model/branches/hosts.js";
import { isAway } from "../model/sources/source.js";
import { disable } from "./disabling.js";
import { h, keep, setAttribute, setText, show } from "./dom.js";
import { actButton, labeled, WindowView } from "./window.js";

/** @import { Host } from "../model/branches/hosts.js" */
/** @import { Inspector } from "../model/inspector/inspector.js" */

export class HostsView extends WindowView {
  static define(name = "tt-hosts") {
    customElements.define(name, HostsView);
  }

  #list = h("ul", { class: "host-list" });
  #note = h("p", { class: "note" });
  #code = h(
    "pre",
    {
      class: "cover-code",
      tabindex: 0,
      role: "group",
      "aria-label": "Code that makes an executable a host",
    },
  );
  #commit = h("code");
  #commitNote = h(
    "p",
    { class: "note" },
    "This recording was made by the code of the commit ",
    this.#commit,
    ": build the host from it.",
  );
  #then = h("span");
  #command = h("code");
  #executable = h("input", { type: "text", spellcheck: "false", placeholder: "build/Checkout" });
  #arguments = h("input", { type: "text", spellcheck: "false", placeholder: "none" });
  #onlyThis = h("input", { type: "checkbox" });
  #onlyLabel = h("span");
  #start = actButton("Start host", () => {}, { main: true, icon: "play" });
  #answer = h("p", { class: "window-answer", role: "status" });
  #form = h("form", { class: "host-form" });
  #moreTitle = h("h3");
  /** How to get a host: closed where one runs the timeline. */
  #more = h("details", { class: "host-more" }, h("summary", {}, this.#moreTitle));
  /** Whether a host ran the timeline when it was rendered last. @type {boolean | undefined} */
  #hadHost;
  /** Why no host could be started here then. @type {string | undefined} */
  #whyNot;

  buildBody() {
    this.setTitle("Hosts");
    setAttribute(this.#start, "type", "submit");
    this.#form.append(
      h("h3", {}, "Start an executable"),
      labeled("Path on the daemon's machine", this.#executable),
      labeled("Arguments", this.#arguments),
      h("label", { class: "check" }, this.#onlyThis, this.#onlyLabel),
      h("div", { class: "acts" }, this.#start),
    );
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#begin();
    });
    this.#more.append(
      this.#code,
      this.#commitNote,
      h("p", { class: "note" }, this.#then, this.#command),
      this.#form,
      this.#answer,
    );
    this.body.append(
      h(
        "p",
        { class: "note" },
        "A host runs the reducer to undo, skip, edit, and compute states. It never touches the state of the live program.",
      ),
      this.#list,
      this.#note,
      this.#more,
    );
  }

  open() {
    this.#hadHost = this.#whyNot = undefined;
    setText(this.#answer, "");
    this.show();
  }

  async #begin() {
    const { source, summary } = this.inspector;
    const executable = this.#executable.value.trim();
    if (executable === "") {
      setText(this.#answer, "Give the path of an executable.");
      this.#executable.focus();
      return;
    }
    const words = this.#arguments.value.trim().split(/\s+/).filter((word) => word !== "");
    const app = this.#onlyThis.checked ? summary?.header.app.name : undefined;
    const used = hostOf(summary, this.inspector.hosts);
    disable(this.#start, "The host is starting.");
    setText(this.#answer, "Starting…");
    try {
      await source?.ask({
        type: "host",
        executable,
        ...(words.length > 0 ? { arguments: words } : {}),
        ...(app === undefined ? {} : { app }),
      });
      setText(
        this.#answer,
        used?.executable === undefined
          ? "The host is running."
          : `The host is running. ${hostName(used)} still runs this timeline.`,
      );
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setText(this.#answer, error.message);
    } finally {
      disable(this.#start, undefined);
      this.invalidate();
    }
  }

  renderBody() {
    const { hosts, summary, source } = this.inspector;
    keep(
      this.#list,
      hostsFor(summary, hosts).map((host, place) => ({ host, key: `${place} ${host.name}` })),
      ({ key }) => key,
      () =>
        h(
          "li",
          {},
          h(
            "div",
            { class: "host-head" },
            h("span", { class: "dot" }),
            h("b"),
            h("span", {
              class: "chip",
            }),
            h("span", { class: "chip uses" }, "runs this timeline"),
          ),
          h("div", { class: "host-place" }),
          h("div", { class: "muted host-makes" }),
        ),
      (element, { host }) => this.#update(element, host),
    );
    const why = summary ? whyNoHost(summary, hosts, source) : undefined;
    setText(this.#code, hostCode(summary));
    const { commit } = summary?.header.app ?? {};
    setText(this.#commit, visible(commit ?? ""));
    show(this.#commitNote, commit !== undefined);
    setText(this.#then, source?.isTemporary ? "Then run: " : "Then run the program, or run: ");
    setText(this.#command, hostCommand(source));
    setText(this.#note, why ?? "");
    show(this.#note, why !== undefined);
    this.#note.classList.toggle("warn", why !== undefined);
    this.#showMore(why === undefined && summary !== undefined);
    const whyNot = whyNoStart(this.inspector);
    show(this.#form, whyNot === undefined);
    if (whyNot !== this.#whyNot) setText(this.#answer, whyNot ?? "");
    this.#whyNot = whyNot;
    setText(
      this.#onlyLabel,
      `Only for timelines of ${visible(summary?.header.app.name ?? "this program")}`,
    );
  }

  /** @param {boolean} hasHost whether a host runs the timeline */
  #showMore(hasHost) {
    setText(this.#moreTitle, hasHost ? "Use another host" : "Make your program a host");
    // What the reader opens or closes stays, until there is a host, or none.
    if (this.#hadHost === hasHost) return;
    // A host that was started here is there now: what started it stays in view.
    if (this.#hadHost === undefined || !hasHost) this.#more.open = !hasHost;
    this.#hadHost = hasHost;
  }

  /**
   * @param {HTMLElement} element
   * @param {Host} host
   */
  #update(element, host) {
    const { word, tone } = hostState(host);
    const find = (
      /** @type {string} */ selector,
    ) => /** @type {HTMLElement} */ (element.querySelector(selector) ?? element);
    find(".dot").classList.toggle("off", tone === "err");
    setText(find("b"), hostName(host));
    setText(find(".chip"), word);
    setAttribute(find(".chip"), "data-tone", tone);
    show(find(".uses"), hostOf(this.inspector.summary, this.inspector.hosts) === host);
    const more = [host.problem, host.restarted, host.executable].flatMap((text) =>
      text === undefined ? [] : [visible(text)]
    );
    setText(find(".host-place"), [placeText(host), ...more].join(" · "));
    const makes = host.makes.slice(0, 8).map(visible).join(", ");
    setText(
      find(".host-makes"),
      host.makes.length === 0
        ? "makes no machines yet"
        : `makes ${makes}${host.makes.length > 8 ? " …" : ""}`,
    );
  }
}

/**
 * Why hosts cannot be started here; nothing when they can.
 *
 * @param {Pick<Inspector, "source" | "connection">} inspector
 */
function whyNoStart({ source, connection }) {
  if (source?.kind === "file") return "This is a file. Hosts need a daemon.";
  if (source && isAway({ source, connection })) return "The daemon is not connected.";
  if (source?.capabilities.has("host")) return undefined;
  return source?.isTemporary
    ? "This page cannot start hosts. To open your files with one, run: debugd view FILE --host EXE"
    : "This session cannot start hosts. To open one that can, run: debugd open --host";
}
