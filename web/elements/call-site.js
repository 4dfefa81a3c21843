/** The call site of the entry: on request, the lines around it, and a link to the editor. */

import { visible } from "../base/text.js";
import { editorAddress } from "../model/inspector/editor-address.js";
import { RequestError } from "../wire/requests.js";
import { h, setAttribute, setText, show } from "./dom.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { Entry } from "../wire/entry.js" */
/** @import { Message } from "../wire/to-inspector.js" */

/** What a recorder writes for an event that the inspector sent: no line of the program did. */
const NO_SITE = "inspector:0";

/** How the daemon says that it was started without a folder of sources. */
const NO_FOLDER = "No source folder is named.";

export class CallSiteView {
  #name = h("button", {
    type: "button",
    class: "link cause",
    title: "Show the lines around the call site",
    "aria-expanded": "false",
  });
  /** Stands where the entry's facts have the call site. @readonly */
  element = h("span", {}, this.#name);
  /** The lines, below the facts. @readonly */
  panel = h("div", { class: "call-site", role: "group", "aria-label": "Call site", hidden: true });
  #inspector;
  /** @type {Entry | undefined} */
  #entry;

  /** @param {() => Inspector} inspector */
  constructor(inspector) {
    this.#inspector = inspector;
    this.#name.addEventListener("click", () => void this.#toggle());
  }

  /**
   * Shows the call site of an entry, and no longer the lines of another one.
   *
   * @param {Entry | undefined} entry
   * @returns {HTMLElement | string | undefined} what names it; nothing if it was not recorded
   */
  of(entry) {
    this.#entry = entry;
    this.#expand(false);
    if (entry?.at === undefined || entry.at === NO_SITE) return undefined;
    // The file alone: folders make it too long for the pane.
    const name = visible(entry.at.split("/").at(-1) ?? "");
    if (this.#inspector().source?.kind !== "daemon") return name;
    setText(this.#name, name);
    return this.element;
  }

  /** @param {boolean} isExpanded */
  #expand(isExpanded) {
    show(this.panel, isExpanded);
    setAttribute(this.#name, "aria-expanded", String(isExpanded));
    if (!isExpanded) this.panel.replaceChildren();
  }

  async #toggle() {
    const { source, data } = this.#inspector();
    const entry = this.#entry;
    if (!this.panel.hidden || !source || !data || !entry) return this.#expand(false);
    let shown;
    try {
      shown = sourceElements(
        await source.ask({ type: "source", timeline: data.id, seq: entry.seq }),
      );
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      shown = error.message.startsWith(NO_FOLDER)
        ? withoutFolder(this.#inspector(), entry.seq)
        : [h("p", { class: "note", role: "status" }, visible(error.message))];
    }
    // The cursor may have moved meanwhile.
    if (this.#entry !== entry) return;
    this.panel.replaceChildren(...shown);
    this.#expand(true);
    this.panel.scrollIntoView({ block: "nearest" });
  }
}

/**
 * What to do where the daemon has no folder of sources. The page does not know the folder either, so the
 * commands are for a terminal in it.
 *
 * @param {Inspector} inspector
 * @param {number} seq
 */
function withoutFolder({ source, summary }, seq) {
  const app = visible(summary?.header.app.name ?? "the program");
  const again = source?.isTemporary ? "debugd view FILE --source ." : "debugd serve --source .";
  const now = `debugd source ${summary?.header.timeline ?? ""} ${seq} --source .`;
  const restarted = source?.isTemporary ? "debugd view" : "the daemon";
  return [
    h(
      "p",
      { class: "note", role: "status" },
      `To see the lines here, restart ${restarted} with its options in the folder of ${app}’s sources:`,
    ),
    command(again),
    // A file that is viewed is in no daemon that a command could ask.
    ...(source?.isTemporary ? [] : [
      h("p", { class: "note" }, "To see them in a terminal now, run in that folder:"),
      command(now),
    ]),
  ];
}

/** @param {string} text */
function command(text) {
  return h(
    "pre",
    { class: "source-command", tabindex: 0, role: "group", "aria-label": "Command" },
    text,
  );
}

/** @param {Message<"source">} found */
function sourceElements({ file, line, first, lines, editor }) {
  const address = editor === undefined ? undefined : editorAddress(editor, file, line);
  const path = visible(file);
  const code = h(
    "pre",
    { class: "source-lines", tabindex: 0, role: "group", "aria-label": `Lines of ${path}` },
    ...lines.map((text, index) => {
      const number = first + index;
      return h(
        "span",
        {
          class: number === line ? "source-line on" : "source-line",
          ...(number === line ? { "aria-current": "true" } : {}),
        },
        h("span", { class: "source-number" }, String(number)),
        visible(text.replaceAll("\t", "  ")) + "\n",
      );
    }),
  );
  const open = address !== undefined && h("a", {
    class: "link",
    href: address,
    rel: "noopener noreferrer",
    title: path,
  }, "Open in the editor");
  return [code, ...(open ? [open] : [h("p", { class: "note" }, path)])];
}
