/** Which parts of the state grow over the timeline. */

import { formatBytes, formatCount, formatNumbered } from "../base/format.js";
import { pathText, readPointer } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { nameOf } from "../model/sources/source-list.js";
import { h, icon, setAttribute, show } from "./dom.js";
import { ProgressLine } from "./progress.js";
import { WindowView } from "./window.js";

/** @import { Message } from "../wire/to-inspector.js" */
/** @import { Job } from "../model/timeline/jobs.js" */

/** @typedef {Message<"growth">} Growth */

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 96;
const HEIGHT = 18;

export class GrowthView extends WindowView {
  static define(name = "tt-growth") {
    customElements.define(name, GrowthView);
  }

  #line = new ProgressLine();
  #result = h("div", { class: "growth", role: "status" });
  /** @type {Job | undefined} */
  #job;

  buildBody() {
    this.body.append(this.#line.element, this.#result);
  }

  open() {
    this.show();
    void this.#measure();
  }

  closed() {
    if (this.#job?.is === "running") this.#job.cancel();
  }

  renderBody() {
    const { summary } = this.inspector;
    this.setTitle(`What grows in ${summary ? visible(nameOf(summary)) : ""}`);
    const isRunning = this.#job?.is === "running";
    show(this.#line.element, isRunning);
    if (this.#job && isRunning) this.#line.setJob(this.#job);
  }

  async #measure() {
    const { source, data, summary } = this.inspector;
    this.#result.replaceChildren();
    if (!source || !data || !summary) {
      return this.#result.append(h("p", { class: "note" }, "No timeline is open."));
    }
    const { job, result } = this.timeTravel.jobs.start(
      `Measuring “${visible(nameOf(summary))}”`,
      (options) => source.ask({ type: "growth", timeline: data.id }, options),
    );
    this.#job = job;
    this.invalidate();
    const found = await result;
    if (this.#job !== job) return;
    if (found) this.#showFound(found);
    else if (job.error) {
      this.#result.append(h("p", { class: "note warn" }, visible(job.error.message)));
    }
    this.invalidate();
  }

  /** @param {Growth} found */
  #showFound({ seqs, bytes, paths, unknown, more }) {
    const [first, last] = [bytes[0], bytes.at(-1)];
    if (first === undefined || last === undefined) {
      return this.#result.append(h("p", { class: "note" }, "No state is known."));
    }
    const stretch = `From entry ${formatCount(seqs[0] ?? 0)} to ${formatCount(seqs.at(-1) ?? 0)}`;
    const whole = `${stretch}, the state went from ${formatBytes(first)} to ${formatBytes(last)}.`;
    this.#result.append(
      h("p", {}, paths.length === 0 ? `${whole} No part of it grew.` : whole),
      ...(paths.length === 0 ? [] : [this.#table(paths)]),
    );
    if (unknown !== undefined) {
      const words = formatNumbered(unknown, "state is", "states are");
      this.#result.append(h("p", { class: "note" }, `${words} not known.`));
    }
    if (more) {
      const words = `These are the ${formatCount(paths.length)} that grew most.`;
      this.#result.append(h("p", { class: "note" }, words));
    }
  }

  /** @param {Growth["paths"]} paths */
  #table(paths) {
    const head = ["Part of the state", "First", "Last", "Over time", "Elements"];
    return h(
      "table",
      { class: "coverage" },
      h("caption", {}, "Pin a part to step through the events that changed it"),
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...paths.map((path) => this.#row(path))),
    );
  }

  /** @param {Growth["paths"][number]} part */
  #row({ path, bytes, elements }) {
    const [first = 0, last = 0] = [bytes[0], bytes.at(-1)];
    const name = visible(pathText((readPointer(path) ?? []).slice(1)));
    const pin = h(
      "button",
      { type: "button", class: "entry-link", title: "Pin it" },
      icon("pin"),
      h("span", {}, name === "" ? "state" : name),
    );
    pin.addEventListener("click", () => {
      this.close();
      this.inspector.setPin(path);
    });
    const counts = elements && elements[0] !== elements.at(-1)
      ? `${formatCount(elements[0] ?? 0)} → ${formatCount(elements.at(-1) ?? 0)}`
      : "";
    return h(
      "tr",
      {},
      h("td", {}, pin),
      h("td", {}, formatBytes(first)),
      h("td", {}, formatBytes(last)),
      h("td", {}, drawing(bytes)),
      h("td", {}, counts),
    );
  }
}

/** @param {number[]} bytes */
function drawing(bytes) {
  const greatest = Math.max(...bytes, 1);
  const points = bytes.map((size, place) => {
    const x = place * WIDTH / Math.max(1, bytes.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - 1 - size / greatest * (HEIGHT - 2)).toFixed(1)}`;
  });
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "polyline");
  setAttribute(svg, "viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  setAttribute(svg, "class", "growth-line");
  setAttribute(svg, "aria-hidden", "true");
  setAttribute(line, "points", points.join(" "));
  svg.append(line);
  return svg;
}
