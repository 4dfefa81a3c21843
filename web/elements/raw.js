/** The stored line of an entry, as indented and colored JSON. */

import { formatCount } from "../base/format.js";
import { isNumber, isObject, numberText } from "../base/json.js";
import { Newest } from "../base/newest.js";
import { shorten, visible } from "../base/text.js";
import { h, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Json } from "../base/json-types.d.ts" */

/** Lines that are drawn; a state of megabytes is better read in the tree, or exported. */
const MAXIMUM_LINES = 2_000;

export class RawView extends View {
  static define(name = "tt-raw") {
    customElements.define(name, RawView);
  }

  /** Which line is shown. */
  #shown = h("span");
  /** Which one is not there yet, unless it comes at once. */
  #loading = h("span", { class: "later", hidden: true });
  #title = h("div", { class: "tree-title" }, this.#shown, this.#loading);
  #code = h("pre", {
    class: "raw",
    tabindex: 0,
    role: "group",
    "aria-label": "The stored line",
  });
  #note = h("p", { class: "pane-note", hidden: true });
  #key = "";
  #timeline = "";
  /** The state of the connection in which it could not be loaded. @type {unknown} */
  #failedIn;
  #asked = new Newest();

  build() {
    this.append(this.#title, this.#note, this.#code);
  }

  render() {
    const { data, cursor, source, connection } = this.inspector;
    if (this.inspector.location.tab !== "raw" || !data || !source || data.last < 0) return;
    const key = `${data.id} ${cursor}`;
    // What failed may work when the daemon is back.
    if (key === this.#key && (this.#failedIn ?? connection) === connection) return;
    this.#key = key;
    this.#failedIn = undefined;
    if (data.id !== this.#timeline) this.#clear();
    this.#timeline = data.id;
    const isFirst = this.#shown.textContent === "";
    setText(
      this.#loading,
      `${isFirst ? "" : ", "}loading ${isFirst ? "the stored line" : "that"} of ${
        formatCount(cursor)
      }…`,
    );
    show(this.#loading, true);
    this.#asked.do(() => this.#load(key, data.id, cursor));
  }

  /**
   * @param {string} key
   * @param {string} timeline
   * @param {number} seq
   */
  async #load(key, timeline, seq) {
    const { connection } = this.inspector;
    try {
      const reply = await this.inspector.source?.ask({ type: "raw", timeline, seq });
      // The cursor may be further already, as while following live; the title shows it.
      if (timeline !== this.#timeline) return;
      this.#tell(seq);
      show(this.#loading, key !== this.#key);
      const lines = new Lines();
      lines.write(reply?.entry ?? null, "");
      show(this.#note, lines.isCut);
      setText(
        this.#note,
        `Only the first ${MAXIMUM_LINES} lines are shown. The State tab and an export have the rest.`,
      );
      this.#code.replaceChildren(...lines.nodes);
    } catch (error) {
      if (key !== this.#key) return;
      this.#failedIn = connection;
      this.#clear();
      this.#tell(seq);
      show(this.#loading, false);
      show(this.#note, true);
      setText(this.#note, error instanceof Error ? error.message : "The line could not be loaded.");
    }
  }

  /** Says of which entry the line is. @param {number} seq */
  #tell(seq) {
    setText(this.#shown, `the stored line of ${formatCount(seq)}`);
  }

  #clear() {
    setText(this.#shown, "");
    show(this.#note, false);
    this.#code.replaceChildren();
  }
}

/** JSON as colored text nodes. */
class Lines {
  /** @type {Node[]} */
  nodes = [];
  isCut = false;
  #count = 0;

  /**
   * @param {Json} value
   * @param {string} indent
   */
  write(value, indent) {
    if (value === null) this.#put("null", "word");
    else if (typeof value === "string") this.#put(JSON.stringify(value), "string");
    else if (isNumber(value)) this.#put(numberText(value), "number");
    else if (typeof value === "boolean") this.#put(String(value), "number");
    else if (Array.isArray(value)) {
      this.#parts("[", value.map((inside) => ["", inside]), "]", indent);
    } else if (isObject(value)) this.#parts("{", Object.entries(value), "}", indent);
  }

  /**
   * @param {string} open
   * @param {[string, Json][]} parts
   * @param {string} close
   * @param {string} indent
   */
  #parts(open, parts, close, indent) {
    if (parts.length === 0) return this.#plain(open + close);
    const inner = indent + "  ";
    this.#plain(open);
    for (const [index, [key, inside]] of parts.entries()) {
      if (++this.#count > MAXIMUM_LINES) {
        this.isCut = true;
        this.#plain(`\n${inner}…`);
        break;
      }
      this.#plain(`${index > 0 ? "," : ""}\n${inner}`);
      if (open === "{") {
        this.#put(JSON.stringify(key), "key");
        this.#plain(": ");
      }
      this.write(inside, inner);
    }
    this.#plain(`\n${indent}${close}`);
  }

  /** @param {string} text */
  #plain(text) {
    this.nodes.push(document.createTextNode(text));
  }

  /**
   * @param {string} text
   * @param {string} look
   */
  #put(text, look) {
    this.nodes.push(h("span", { class: `code-${look}` }, visible(shorten(text, 10_000))));
  }
}
