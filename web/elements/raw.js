/** The stored line of an entry, spread over lines and coloured. */

import { isNumber, isObject, numberText } from "../base/json.js";
import { shorten, visible } from "../base/text.js";
import { h, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Json } from "../base/json-types.d.ts" */

/** Lines that are drawn; a state of megabytes is better read in the tree, or exported. */
const MOST_LINES = 2_000;

export class RawView extends View {
  static define(name = "tt-raw") {
    customElements.define(name, RawView);
  }

  #code = h("pre", { class: "raw", tabindex: 0, "aria-label": "The stored line" });
  #note = h("p", { class: "pane-note", hidden: true });
  #key = "";

  build() {
    this.append(this.#note, this.#code);
  }

  render() {
    const { data, cursor, source } = this.inspector;
    if (this.inspector.location.tab !== "raw" || !data || !source || data.last < 0) return;
    const key = `${data.id} ${cursor}`;
    if (key === this.#key) return;
    this.#key = key;
    void this.#load(key, data.id, cursor);
  }

  /**
   * @param {string} key
   * @param {string} timeline
   * @param {number} seq
   */
  async #load(key, timeline, seq) {
    try {
      const reply = await this.inspector.source?.ask({ type: "raw", timeline, seq });
      if (key !== this.#key) return;
      const lines = new Lines();
      lines.write(reply?.entry ?? null, "");
      show(this.#note, lines.isCut);
      setText(
        this.#note,
        `Only the first ${MOST_LINES} lines are shown. The rest is in the state's tree, and in an export.`,
      );
      this.#code.replaceChildren(...lines.nodes);
    } catch (error) {
      if (key !== this.#key) return;
      this.#key = "";
      this.#code.replaceChildren();
      show(this.#note, true);
      setText(this.#note, error instanceof Error ? error.message : "It could not be loaded.");
    }
  }
}

/** JSON as coloured text nodes. */
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
      if (++this.#count > MOST_LINES) {
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
