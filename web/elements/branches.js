/** The family of the timeline in view as a graph: who left whom where, with what. */

import { formatCount, formatNumbered } from "../base/format.js";
import { shortenMiddle, visible } from "../base/text.js";
import {
  computedShare,
  endOf,
  familyOf,
  hiddenText,
  partnerOf,
  rowsAround,
  WHY_ALONE,
} from "../model/branches/branches.js";
import { whyNoRecompute } from "./branch-strip.js";
import { disable } from "./disabling.js";
import { focusField, h, icon, keep, setAttribute, setText, show } from "./dom.js";
import { actButton, labeled, WindowView } from "./window.js";

/** @import { BranchRow } from "../model/branches/branches.js" */

/** The height of a row, as in the style sheet: in a narrow window, its parts are below one another. */
const ROW = 62;
const NARROW_ROW = 112;
const NARROW = matchMedia("(max-width: 600px)");
const LANE = 18;

/** Rows that are shown. */
const MAXIMUM_ROWS = 400;

/** Lanes that are drawn apart; deeper branches share the last one. */
const MAXIMUM_LANES = 8;

/** Characters of a name that fit two narrow lines: names often differ only at the end. */
const NAME = 64;

const NO_CHANGE = "This session can look, but not rename or delete.";

export class BranchesView extends WindowView {
  static define(name = "tt-branches") {
    customElements.define(name, BranchesView);
  }

  #graph = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #list = h("ul", { class: "branch-list" });
  #scroll = h("div", { class: "branch-scroll" });
  #note = h("p", { class: "note" });
  #ask = h("div", { class: "window-ask", hidden: true });
  /** Whether a comparison was asked for while there was nothing to compare with. */
  #isAlone = false;

  buildBody() {
    this.setTitle("Branches");
    this.#graph.setAttribute("class", "branch-graph");
    this.#graph.setAttribute("aria-hidden", "true");
    this.#scroll.append(this.#graph, this.#list);
    this.tools.append(
      actButton("Compare…", () => this.#compare(this.inspector.data?.id ?? ""), {
        icon: "compare",
      }),
      actButton("Sweep", () => this.#leaveAnd("sweep"), {
        icon: "cut",
        title: "One branch without everything that was skipped on the way here",
      }),
    );
    this.body.append(this.#scroll, this.#ask, this.#note);
    NARROW.addEventListener("change", () => this.invalidate());
    this.#list.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined || event.target instanceof HTMLInputElement) return;
      const opens = [...this.#list.querySelectorAll(".branch-open")];
      const here = opens.findIndex((one) => one.closest("li")?.contains(document.activeElement));
      const next = opens[Math.min(Math.max(here + step, 0), opens.length - 1)];
      if (next instanceof HTMLElement) next.focus();
      event.preventDefault();
    });
  }

  open() {
    show(this.#ask, false);
    this.#isAlone = false;
    this.show();
    const on = this.#list.querySelector(".on .branch-open");
    if (on instanceof HTMLElement) on.focus();
  }

  /** @param {string} command */
  #leaveAnd(command) {
    this.close();
    this.context.run(command);
  }

  /** @param {string} id */
  #compare(id) {
    const other = partnerOf(id, this.inspector.summaries);
    if (other === undefined) {
      // Not written here: the next update of a live timeline would replace it.
      this.#isAlone = true;
      this.invalidate();
      return;
    }
    this.close();
    this.context.windows.compare(other, id);
  }

  renderBody() {
    const { inspector } = this;
    const family = familyOf(inspector.data?.id, inspector.summaries);
    const rows = rowsAround(family, inspector.data?.id, MAXIMUM_ROWS);
    this.setTitle(
      family.length < 2 ? "Branches" : `Branches of ${visible(family[0]?.name ?? "")}`,
    );
    const hidden = family.length - rows.length;
    setText(
      this.#note,
      [
        hiddenText(hidden),
        this.#noteOf(rows),
      ].join(" ").trim(),
    );
    show(this.#note, this.#note.textContent !== "");
    this.#draw(rows);
    keep(
      this.#list,
      rows,
      ({ summary }) => summary.header.timeline,
      (row) => this.#make(row),
      (element, row) => this.#update(element, row),
    );
  }

  /** @param {BranchRow[]} rows */
  #noteOf(rows) {
    const isSingle = rows.length < 2;
    if (isSingle && this.#isAlone) {
      return WHY_ALONE;
    }
    return this.timeTravel.forking.whyNot ??
      (isSingle
        ? "There are no branches yet. Skip, edit, or insert an event to make one. The recording does not change."
        : "");
  }

  /** @param {BranchRow[]} rows */
  #draw(rows) {
    const lane = (/** @type {BranchRow} */ row) => Math.min(row.lane, MAXIMUM_LANES);
    const width = (Math.max(0, ...rows.map(lane)) + 1) * LANE + 10;
    const x = (/** @type {BranchRow} */ row) => 14 + lane(row) * LANE;
    const height = NARROW.matches ? NARROW_ROW : ROW;
    const y = (/** @type {number} */ place) => place * height + 22;
    this.style.setProperty("--graph", `${width}px`);
    setAttribute(this.#graph, "width", width);
    setAttribute(this.#graph, "height", rows.length * height);
    const key = height + rows.map((
      { summary, lane: one, parentRow },
    ) => [
      summary.header.timeline,
      one,
      parentRow,
      summary.header.timeline === this.inspector.data?.id,
    ]).join(";");
    if (this.#graph.dataset.key === key) return;
    this.#graph.dataset.key = key;
    const make = (/** @type {string} */ tag, /** @type {Record<string, string>} */ marks) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(marks)) element.setAttribute(name, value);
      return element;
    };
    const lines = rows.flatMap((row, place) => {
      const parent = row.parentRow === undefined ? undefined : rows[row.parentRow];
      if (!parent || row.parentRow === undefined) return [];
      const [fromX, toX, toY] = [x(parent), x(row), y(place)];
      return [make("path", {
        d: `M${fromX} ${y(row.parentRow)}V${toY - 14}Q${fromX} ${toY} ${toX} ${toY}`,
      })];
    });
    const dots = rows.map((row, place) => {
      const isOn = row.summary.header.timeline === this.inspector.data?.id;
      return make("circle", {
        cx: String(x(row)),
        cy: String(y(place)),
        r: isOn ? "6" : "4.5",
        class: `${isOn ? "on" : ""} ${row.parentRow === undefined ? "root" : ""}`,
      });
    });
    this.#graph.replaceChildren(...lines, ...dots);
  }

  /** @param {BranchRow} row */
  #make({ summary }) {
    const id = summary.header.timeline;
    const tool = (
      /** @type {string} */ name,
      /** @type {string} */ text,
      /** @type {() => void} */ act,
    ) => {
      const made = h("button", {
        type: "button",
        class: "icon-button",
        title: text,
        "data-tool": name,
        "data-title": text,
      }, icon(name));
      made.addEventListener("click", act);
      return made;
    };
    const open = h(
      "button",
      { type: "button", class: "branch-open" },
      h("span", { class: "branch-name" }),
      h("span", { class: "chip here", hidden: true }, "shown"),
      h("span", { class: "muted branch-count" }),
    );
    open.addEventListener("click", () => {
      this.close();
      this.inspector.open(id);
    });
    return h(
      "li",
      {},
      h(
        "div",
        { class: "branch-head" },
        open,
        h(
          "span",
          { class: "branch-tools" },
          tool("compare", "Compare", () => this.#compare(id)),
          tool("edit", "Rename", () => this.#rename(id)),
          tool("repeat", "Compute again", () => void this.#again(id)),
          tool("trash", "Delete", () => this.#delete(id)),
        ),
      ),
      h("div", { class: "branch-words muted" }),
      h("progress", { max: 1, "aria-label": "Computed", hidden: true }),
    );
  }

  /**
   * @param {HTMLElement} element
   * @param {BranchRow} row
   */
  #update(element, { summary, name, words }) {
    const find = (
      /** @type {string} */ selector,
    ) => /** @type {HTMLElement} */ (element.querySelector(selector) ?? element);
    const id = summary.header.timeline;
    const isOn = id === this.inspector.data?.id;
    element.classList.toggle("on", isOn);
    show(find(".here"), isOn);
    const shown = summary.header.parent ? name : `main — ${name}`;
    setAttribute(find(".branch-open"), "aria-current", isOn ? "true" : undefined);
    setText(find(".branch-name"), visible(shortenMiddle(shown, NAME)));
    setAttribute(find(".branch-name"), "title", visible(shown));
    setText(find(".branch-count"), formatNumbered(summary.entries, "entry", "entries"));
    const { parent } = summary.header;
    const end = endOf(summary);
    const from = parent ? `from ${formatCount(parent.start)}: ` : "";
    setText(
      find(".branch-words"),
      visible(`${from}${words}${end ? `. ${end.text} ${end.advice}` : ""}`),
    );
    setAttribute(find(".branch-words"), "title", find(".branch-words").textContent ?? "");
    find(".branch-words").classList.toggle("warn", end !== undefined);
    const share = computedShare(summary);
    show(find("progress"), share !== undefined);
    setAttribute(find("progress"), "value", share);
    const can = this.inspector.source?.capabilities.has("change") ?? false;
    for (const button of element.querySelectorAll("[data-tool]")) {
      if (!(button instanceof HTMLButtonElement)) continue;
      const tool = button.dataset.tool;
      setAttribute(button, "aria-label", `${button.dataset.title}: ${visible(shown)}`);
      if (tool !== "repeat") disable(button, can || tool === "compare" ? undefined : NO_CHANGE);
      if (tool === "repeat") {
        show(button, parent !== undefined);
        disable(button, whyNoRecompute(this.timeTravel.forking.whyNot, summary));
      }
    }
  }

  /** @param {string} id */
  async #again(id) {
    const made = await this.timeTravel.forking.recompute(id);
    if (made === undefined) return;
    this.close();
    this.context.windows.compare(id, made);
  }

  /** @param {string} id */
  #rename(id) {
    const summary = this.inspector.summaries.get(id);
    const input = h("input", {
      type: "text",
      value: summary?.name ?? summary?.header.parent?.name ?? "",
    });
    const done = actButton("Rename", () => {
      show(this.#ask, false);
      void this.#send({ type: "rename", timeline: id, name: input.value.trim() });
    }, { main: true });
    input.addEventListener("keydown", (event) => event.key === "Enter" && done.click());
    this.#question(labeled("Name", input), done);
    focusField(input);
  }

  /** @param {string} id */
  #delete(id) {
    const summary = this.inspector.summaries.get(id);
    const family = familyOf(id, this.inspector.summaries);
    const place = family.findIndex((row) => row.summary.header.timeline === id);
    const depth = family[place]?.depth ?? 0;
    const end = family.findIndex((row, index) => index > place && row.depth <= depth);
    const below = family.slice(place + 1, end < 0 ? family.length : end);
    const name = family[place]?.name ?? "";
    const names = below.slice(0, 4).map((row) => `“${row.name}”`).join(", ");
    const text = below.length === 0
      ? `Delete “${name}”, ${formatNumbered(summary?.entries ?? 0, "entry", "entries")}, for good?`
      : `Delete “${name}” for good, and with it ${
        formatNumbered(below.length, "branch", "branches")
      } that ${below.length === 1 ? "starts" : "start"} from it: ${names}${
        below.length > 4 ? " and others" : ""
      }?`;
    const yes = actButton(below.length === 0 ? "Delete" : "Delete all", () => {
      show(this.#ask, false);
      void this.#send({
        type: "delete",
        timeline: id,
        ...(below.length > 0 ? { cascade: true } : {}),
      });
    }, { icon: "trash" });
    yes.classList.add("danger");
    this.#question(h("p", {}, visible(text)), yes);
    yes.focus();
  }

  /**
   * @param {Node} what
   * @param {HTMLElement} yes
   */
  #question(what, yes) {
    const no = actButton("Cancel", () => {
      show(this.#ask, false);
      this.invalidate();
    });
    this.#ask.replaceChildren(what, h("div", { class: "acts" }, yes, no));
    show(this.#ask, true);
    this.#ask.scrollIntoView({ block: "nearest" });
  }

  /** @param {import("../wire/from-inspector.js").Request<"rename"> | import("../wire/from-inspector.js").Request<"delete">} request */
  async #send(request) {
    try {
      await this.inspector.source?.ask(request);
    } catch (error) {
      this.inspector.report(error);
    }
  }
}
