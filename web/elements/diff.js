/** What changed: by the entry, or since the marked moment. */

import { difference } from "../base/difference.js";
import { Newest } from "../base/newest.js";
import { formatCount } from "../base/format.js";
import { lookUp, pathText } from "../base/pointer.js";
import { PatchError, readPatch } from "../base/patch.js";
import { shorten, visible, visibleKey } from "../base/text.js";
import { writeJson } from "../base/json.js";
import { h, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Operation } from "../base/patch.js" */

/**
 * @typedef {object} Compared
 * @property {string} timelines of both sides
 * @property {string} title which entries
 * @property {Operation[] | undefined} patch
 * @property {Json | undefined} old what was there before, as far as it was fetched
 * @property {string} message what is shown in place of a patch
 */

/** Lines of a difference that are drawn; the rest is only counted. */
const MAXIMUM_LINES = 1_000;

/** What is shown when it is known that there is no difference. */
const NOTHING = "Nothing changed in the state or the outputs.";

/** Longer values are cut in their line. */
const MAXIMUM_TEXT = 600;

export class DiffView extends View {
  static define(name = "tt-diff") {
    customElements.define(name, DiffView);
  }

  #title = h("div", { class: "tree-title" });
  #list = h("div", { class: "diff-list", role: "list", tabindex: 0, "aria-label": "Changes" });
  #empty = h("p", { class: "pane-note", hidden: true });
  /** The pair that is to be compared, and by which connection that failed. @type {{ key: string, failedIn?: unknown }} */
  #wanted = { key: "" };
  /** The pair that was compared last, and what came out. @type {Compared} */
  #compared = { timelines: "", title: "", patch: undefined, old: undefined, message: "" };
  #asked = new Newest();
  /** @type {unknown[]} */
  #drawn = [];

  build() {
    this.append(this.#title, this.#list, this.#empty);
  }

  render() {
    if (this.inspector.location.tab !== "diff") return;
    const { inspector } = this;
    const { shown, before } = inspector.moment;
    const pair = this.#pair;
    // Above the panes, a note says why the moment is not known: there is nothing to head.
    show(this.#title, pair !== undefined || shown?.is !== "failed");
    if (pair) {
      this.#compare(pair.from, pair.to, pair.title);
      const { title, patch, old, message } = this.#compared;
      setText(this.#title, title);
      this.#draw(patch, old, patch ? NOTHING : message);
      return;
    }
    setText(this.#title, shown ? `what ${formatCount(shown.seq)} changed` : "");
    const sides = /** @type {const} */ (["state", "outputs"]).map((side) =>
      inspector.moment.changes(side)?.map((operation) => ({
        ...operation,
        tokens: [side, ...operation.tokens],
      }))
    );
    const both = sides.flatMap((operations) => operations ?? []);
    const isKnown = sides.every((operations) => operations !== undefined);
    const old = before?.is === "known"
      ? { state: before.state, outputs: before.outputs }
      : undefined;
    this.#draw(both, old, isKnown ? NOTHING : inspector.moment.whyNoChanges());
  }

  /** The two moments that are compared, if not those before and after the entry at the cursor. */
  get #pair() {
    const { marked, cursor, data, stretch } = this.inspector;
    const timeline = data?.id ?? "";
    const isMarked = marked !== undefined &&
      (marked.seq !== cursor || marked.timeline !== data?.id);
    if (!isMarked && stretch.from === stretch.to) return undefined;
    const from = isMarked ? marked : { timeline, seq: stretch.from };
    const to = { timeline, seq: isMarked ? cursor : stretch.to };
    const start = `${isMarked ? "the mark at " : ""}${formatCount(from.seq)}`;
    return { from, to, title: `from ${start} to ${formatCount(to.seq)}` };
  }

  /** Whether it compares two moments: then it has its own message when that fails. */
  get comparesTwo() {
    return this.#pair !== undefined;
  }

  /**
   * @param {{ timeline: string, seq: number }} a
   * @param {{ timeline: string, seq: number }} b
   * @param {string} title
   */
  #compare(a, b, title) {
    const { connection } = this.inspector;
    const timelines = `${a.timeline} ${b.timeline}`;
    const key = `${timelines} ${title}`;
    const { failedIn = connection } = this.#wanted;
    // What failed may work when the daemon is back.
    if (this.#wanted.key === key && failedIn === connection) return;
    this.#wanted = { key };
    // What is there stays until the next comes: where an app is followed that is soon.
    if (this.#compared.timelines !== timelines || !this.#compared.patch) {
      this.#compared = {
        timelines,
        title,
        patch: undefined,
        old: undefined,
        message: "Comparing…",
      };
    }
    this.#asked.do(() => this.#load(key, { a, b }, { timelines, title }));
  }

  /**
   * What comes is shown also when other entries are wanted meanwhile: it is newer than what is shown.
   *
   * @param {string} key
   * @param {{ a: { timeline: string, seq: number }, b: { timeline: string, seq: number } }} pair
   * @param {Pick<Compared, "timelines" | "title">} names
   */
  async #load(key, pair, names) {
    const { connection } = this.inspector;
    try {
      const { source } = this.inspector;
      const [reply, before] = await Promise.all([
        source?.ask({ type: "diff", ...pair }),
        // The old values are optional: the difference is readable without them.
        source?.ask({ type: "state", ...pair.a, depth: 8 }).catch(() => undefined),
      ]);
      if (this.#compared.timelines !== names.timelines) return;
      const patch = readPatch(reply?.patch ?? []);
      this.#compared = { ...names, patch, old: before?.value, message: "" };
    } catch (error) {
      if (this.#wanted.key !== key) return;
      const message = error instanceof PatchError
        ? "The daemon's answer cannot be read."
        : error instanceof Error
        ? error.message
        : "";
      this.#wanted.failedIn = connection;
      this.#compared = { ...names, patch: undefined, old: undefined, message };
    }
    this.invalidate();
  }

  /**
   * @param {Operation[] | undefined} patch
   * @param {Json | undefined} old
   * @param {string} message what is shown in place of changes
   */
  #draw(patch, old, message) {
    const drawn = [
      patch?.length,
      patch?.map(({ op, path }) => op + path).join(),
      old,
      message,
      this.inspector.moment.seq,
      this.#title.textContent,
    ];
    if (drawn.every((part, index) => part === this.#drawn[index])) return;
    this.#drawn = drawn;
    const isEmpty = !patch || patch.length === 0;
    show(this.#empty, isEmpty && message !== "");
    setText(this.#empty, message);
    const lines = (patch ?? []).slice(0, MAXIMUM_LINES).flatMap((operation) =>
      linesOf(operation, old)
    );
    if (patch && patch.length > MAXIMUM_LINES) {
      lines.push(
        h(
          "div",
          { class: "muted diff-more" },
          `and ${formatCount(patch.length - MAXIMUM_LINES)} more`,
        ),
      );
    }
    this.#list.replaceChildren(...lines);
    show(this.#list, !isEmpty);
  }
}

/**
 * One change as lines: its path, then what went and what came.
 *
 * @param {Operation} operation
 * @param {Json | undefined} old
 * @returns {HTMLElement[]}
 */
export function linesOf(operation, old) {
  const { op, tokens } = operation;
  const before = op === "add" ? undefined : lookUp(old, tokens);
  const value = op === "remove" ? undefined : operation.value;
  const inside = op === "replace" && before !== undefined && value !== undefined
    ? difference(before, value)
    : [];
  // A replaced object that differs in little is shown by its differences.
  if (inside.length > 0 && inside[0]?.path !== "" && inside.length <= 20) {
    return inside.flatMap((/** @type {Operation} */ one) =>
      linesOf({ ...one, tokens: [...tokens, ...one.tokens] }, old)
    );
  }
  const sign = { add: "+", remove: "−", replace: "~" }[op];
  const name = { add: "added", remove: "removed", replace: "changed" }[op];
  return [h(
    "div",
    { class: `diff-line ${name}`, role: "listitem" },
    h("span", { class: "sign", "aria-hidden": "true" }, sign),
    h("span", { class: "tree-key" }, visibleKey(pathText(tokens))),
    h("span", { class: "sr-only" }, ` ${name} `),
    before !== undefined && h("del", {}, visible(shorten(writeJson(before), MAXIMUM_TEXT))),
    before !== undefined && value !== undefined &&
      h("span", { class: "muted", "aria-hidden": "true" }, "→"),
    value !== undefined && h("ins", {}, visible(shorten(writeJson(value), MAXIMUM_TEXT))),
  )];
}
