/** A state diagram as a drawing: boxes in boxes, arrows, what is active and what was traversed. */

import { formatCount, formatNumbered } from "../base/format.js";
import { shorten, visible } from "../base/text.js";
import { layOut } from "../model/chart/chart-layout.js";
import { pathOf } from "../model/chart/chart-routes.js";
import { DiagramView } from "./diagram-view.js";
import { setAttribute, setText } from "./dom.js";

/** @import { Box, Layout } from "../model/chart/chart-layout.js" */
/** @import { EdgeName, StateEdge, StateGraph, StateNode } from "../model/chart/state-graph.js" */

/** The width of a character of names and of labels, and the height of a label's line, in pixels. */
const NAME_CHARACTER = 7.3;
const LABEL_CHARACTER = 6.7;
const LABEL_LINE = 18;

/** What stays free in a box around its text, and how much larger a text may be, whose line has a height. */
const TEXT_MARGIN = 6;
const MAXIMUM_GROWTH = 1.3;

/** Characters of a name and of a label that are drawn, and lines of a label. */
const MAXIMUM_NAME = 28;
const MAXIMUM_LABEL = 24;
const MAXIMUM_LINES = 5;

/** Room for a count, so that a diagram does not move while it is counted. */
const COUNT_CHARACTERS = 6;

/**
 * What is to be seen of a moment.
 *
 * @typedef {object} Highlight
 * @property {readonly string[]} active ids of the states from the outermost to the innermost one
 * @property {number | undefined} seq the cursor's entry
 * @property {ReadonlyMap<string, "entered" | "exited">} visits what the entry did, by name
 */

export class StateDiagram {
  #canvas = svg("g", {});
  #view = new DiagramView(this.#canvas);
  #key = "";
  /** @type {Layout | undefined} */
  #layout;
  /** @type {Map<string, SVGGElement>} */
  #boxes = new Map();
  /** @type {Map<string, { line: SVGGElement, rows: SVGGElement[] }>} */
  #edges = new Map();
  /** Goes to an entry. */
  #travel;

  /** @param {(seq: number) => void} travel */
  constructor(travel) {
    this.#travel = travel;
    this.element = this.#view.element;
    this.#view.onChoose = (item) => {
      const { last } = item.dataset;
      if (last !== undefined) this.#travel(Number(last));
    };
  }

  /**
   * @param {StateGraph} graph
   * @param {Highlight} highlight
   * @param {string} what the drawing shows
   */
  show(graph, highlight, what) {
    this.#view.setLabel(what);
    const key = JSON.stringify([
      graph.nodes.map(({ id, messages }) => [id, messages]),
      graph.edges.map(({ id, names }) => [id, names.map(({ name }) => name)]),
    ]);
    const isNew = key !== this.#key;
    if (isNew) this.#draw(graph);
    this.#key = key;
    this.#light(graph, highlight);
    this.#canvas.style.setProperty("--growth", this.#growth().toFixed(2));
    const current = highlight.active.at(-1);
    const box = current === undefined ? undefined : this.#layout?.boxes.get(current);
    if (isNew && this.#layout) this.#view.setContent(this.#layout, box);
    else if (box) this.#view.follow(box);
  }

  /** @param {StateGraph} graph */
  #draw({ nodes, edges }) {
    const layout = layOut(
      nodes.map((node) => ({ id: node.id, parent: node.parent, ...sizeOf(node) })),
      edges.map(({ id, from, to, names }) => ({ id, from, to, ...labelSize(names) })),
    );
    this.#layout = layout;
    this.#boxes.clear();
    this.#edges.clear();
    const [boxes, lines, labels] = [svg("g", {}), svg("g", {}), svg("g", {})];
    const parents = new Set(nodes.map(({ parent }) => parent));
    for (const node of nodes) {
      const box = layout.boxes.get(node.id);
      if (!box) continue;
      const made = drawBox(node, box, parents.has(node.id));
      this.#boxes.set(node.id, made);
      boxes.append(made);
    }
    for (const edge of edges) {
      const route = layout.routes.get(edge.id);
      if (!route) continue;
      const line = svg("g", { class: "state-edge" }, [
        svg("path", { d: pathOf(route.points), class: "edge-line" }),
        svg("path", { d: arrowAt(route.points), class: "edge-arrow" }),
      ]);
      lines.append(line);
      const rows = rowsOf(edge).map((name, index) => drawLabel(name, route.label, index));
      labels.append(...rows);
      this.#edges.set(edge.id, { line, rows });
    }
    this.#canvas.replaceChildren(boxes, lines, labels);
  }

  /** How much larger all texts may be in their boxes. */
  #growth() {
    let growth = MAXIMUM_GROWTH;
    for (const text of this.#canvas.querySelectorAll(".state-box > text, .edge-label text")) {
      const box = text.parentElement?.querySelector("rect");
      const room = Number(box?.getAttribute("width")) - TEXT_MARGIN;
      const length = [...text.textContent ?? ""].length;
      growth = Math.min(growth, room / (length * NAME_CHARACTER));
    }
    return Math.max(1, growth);
  }

  /**
   * @param {StateGraph} graph
   * @param {Highlight} highlight
   */
  #light({ nodes, edges }, { active, seq, visits }) {
    const names = new Map(nodes.map(({ id, name }) => [id, visible(name)]));
    const isActive = new Set(active);
    /** The entry that led into each state last. @type {Map<string, number>} */
    const entered = new Map();
    for (const edge of edges) this.#lightEdge(edge, names, entered, seq);
    for (const { id, name } of nodes) {
      const box = this.#boxes.get(id);
      if (!box) continue;
      const isCurrent = id === active.at(-1);
      const visit = visits.get(name);
      box.classList.toggle("active", isActive.has(id));
      box.classList.toggle("on", isCurrent);
      setAttribute(box, "data-visit", visit);
      setAttribute(box, "data-last", entered.get(id));
      const words = [
        names.get(id),
        isCurrent ? "the current state" : isActive.has(id) ? "active" : "",
        visit ?? "",
        entered.has(id) ? `reached last by entry ${formatCount(entered.get(id) ?? 0)}` : "",
      ];
      setAttribute(box, "aria-label", words.filter((word) => word !== "").join(", "));
    }
  }

  /**
   * @param {StateEdge} edge
   * @param {ReadonlyMap<string, string>} names of the states
   * @param {Map<string, number>} entered
   * @param {number | undefined} seq
   */
  #lightEdge(edge, names, entered, seq) {
    const drawn = this.#edges.get(edge.id);
    if (!drawn) return;
    const last = Math.max(-1, ...edge.names.map((name) => name.last ?? -1));
    if (last >= 0) entered.set(edge.to, Math.max(last, entered.get(edge.to) ?? 0));
    drawn.line.classList.toggle("taken", last >= 0);
    drawn.line.classList.toggle("now", last === seq);
    const way = `${names.get(edge.from)} to ${names.get(edge.to)}`;
    rowsOf(edge).forEach((name, index) => {
      const row = drawn.rows[index];
      if (!row) return;
      row.classList.toggle("taken", name.count > 0);
      row.classList.toggle("now", name.last !== undefined && name.last === seq);
      setAttribute(row, "data-last", name.last);
      const text = row.querySelector("text");
      if (text) setText(text, labelText(name));
      const times = name.count === 0
        ? "not taken"
        : `taken ${formatNumbered(name.count, "time")}, last by entry ${
          formatCount(name.last ?? 0)
        }`;
      const words = `${visible(name.name)}, ${way}, ${times}`;
      setAttribute(row, "aria-label", words);
      const title = row.querySelector("title");
      if (title) setText(title, words);
    });
  }
}

/**
 * The names that are drawn on an edge; the rest is one line.
 *
 * @param {StateEdge} edge
 * @returns {EdgeName[]}
 */
function rowsOf({ names }) {
  if (names.length <= MAXIMUM_LINES) return names;
  const rest = names.slice(MAXIMUM_LINES - 1);
  const last = Math.max(-1, ...rest.map((one) => one.last ?? -1));
  return [...names.slice(0, MAXIMUM_LINES - 1), {
    name: `${rest.length} more`,
    count: rest.reduce((sum, { count }) => sum + count, 0),
    last: last < 0 ? undefined : last,
  }];
}

/** @param {StateNode} node */
function sizeOf({ name, messages }) {
  const longest = Math.max(drawnName(name).length, messagesText(messages).length * 0.9);
  return {
    width: Math.round(longest * NAME_CHARACTER) + 28,
    height: messages.length > 0 ? 46 : 32,
  };
}

/** @param {readonly EdgeName[]} names */
function labelSize(names) {
  const rows = rowsOf({ id: "", from: "", to: "", names: [...names] });
  const longest = Math.max(...rows.map(({ name }) => drawnLabel(name).length));
  return {
    width: Math.round((longest + COUNT_CHARACTERS) * LABEL_CHARACTER) + 10,
    height: rows.length * LABEL_LINE,
  };
}

/** @param {string} name */
function drawnName(name) {
  return shorten(visible(name), MAXIMUM_NAME);
}

/** @param {string} name */
function drawnLabel(name) {
  return shorten(visible(name), MAXIMUM_LABEL);
}

/** @param {EdgeName} name */
function labelText({ name, count }) {
  return count === 0 ? drawnLabel(name) : `${drawnLabel(name)} ×${formatCount(count)}`;
}

/** @param {readonly string[]} messages */
function messagesText(messages) {
  return shorten(messages.map((name) => visible(name)).join(", "), MAXIMUM_NAME);
}

/**
 * @param {StateNode} node
 * @param {Box} box
 * @param {boolean} hasInside
 */
function drawBox({ id, name, messages }, { x, y, width, height }, hasInside) {
  const middle = x + width / 2;
  const at = hasInside
    ? { x: x + 14, "text-anchor": "start" }
    : { x: middle, "text-anchor": "middle" };
  const made = svg("g", {
    class: hasInside ? "state-box outer" : "state-box",
    role: "img",
    tabindex: -1,
    "data-item": id,
  }, [
    svg("rect", { x, y, width, height, rx: 7 }),
    svg("text", { ...at, y: y + 20.5, class: "state-name" }, [drawnName(name)]),
  ]);
  if (messages.length > 0) {
    made.append(
      svg("text", { ...at, y: y + 37, class: "state-messages" }, [messagesText(messages)]),
    );
  }
  if (drawnName(name) !== name) made.append(svg("title", {}, [visible(name)]));
  return made;
}

/**
 * @param {EdgeName} name
 * @param {Box} label
 * @param {number} index
 */
function drawLabel(name, { x, y, width }, index) {
  const top = y + index * LABEL_LINE;
  return svg("g", { class: "edge-label", role: "button", tabindex: -1, "data-item": "edge" }, [
    svg("rect", { x, y: top, width, height: LABEL_LINE, rx: 4 }),
    svg("text", { x: x + width / 2, y: top + 13, "text-anchor": "middle" }, [labelText(name)]),
    svg("title", {}),
  ]);
}

/**
 * The head of an arrow.
 *
 * @param {readonly { x: number, y: number }[]} points
 */
function arrowAt(points) {
  const [before, end] = [points.at(-2), points.at(-1)];
  if (!before || !end) return "";
  // Arrows enter a box straight, also where their last part is bent.
  const isLevel = before.y === end.y;
  const [dx, dy] = isLevel ? [Math.sign(end.x - before.x), 0] : [0, Math.sign(end.y - before.y)];
  const corner = (/** @type {number} */ side) =>
    `${end.x - 7 * dx + 4 * side * dy} ${end.y - 7 * dy + 4 * side * dx}`;
  return `M${end.x} ${end.y}L${corner(1)}L${corner(-1)}Z`;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} [children]
 * @returns {SVGElementTagNameMap[Tag]}
 */
function svg(tag, attributes, children = []) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children);
  return element;
}
