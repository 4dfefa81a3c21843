/** A drawing that is moved by dragging, zoomed by wheel, fingers and keys, and walked by arrow keys. */

import { h, setAttribute } from "./dom.js";

/** @import { Box } from "../model/chart/chart-layout.js" */

const MINIMUM_SCALE = 0.1;
const MAXIMUM_SCALE = 4;

/**
 * What is fitted into the view is neither larger than this nor too small to be read: names of 6 pixels,
 * which the reader can enlarge, rather than a drawing that is cut off.
 */
const LARGEST_FIT = 1.15;
const SMALLEST_FIT = 0.5;

/** Around what is fitted, in pixels. */
const MARGIN = 14;

/** A pointer that moved less than this has pressed, not dragged. */
const DRAG = 4;

export class DiagramView {
  #svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #canvas;
  #content = { width: 0, height: 0 };
  #at = { x: 0, y: 0, scale: 1 };
  /** Where the view was fitted; the reader has moved it since when it is another one. */
  #isFitted = true;
  /** @type {Box | undefined} */
  #focus;
  /** The pointers that are down. @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  #hasDragged = false;
  /** Presses an item; set by the owner. @type {(item: SVGElement) => void} */
  onChoose = () => {};

  /** @param {SVGGElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    const button = (
      /** @type {string} */ name,
      /** @type {string} */ text,
      /** @type {() => void} */ act,
    ) => {
      const made = h("button", {
        type: "button",
        class: "icon-button",
        title: name,
        "aria-label": name,
      }, text);
      made.addEventListener("click", act);
      return made;
    };
    setAttribute(this.#svg, "role", "group");
    setAttribute(this.#svg, "tabindex", 0);
    this.#svg.append(canvas);
    this.element = h(
      "div",
      { class: "diagram", hidden: true },
      h(
        "div",
        { class: "diagram-tools" },
        button("Zoom in", "+", () => this.#zoom(1.25)),
        button("Zoom out", "−", () => this.#zoom(0.8)),
        button("Fit the diagram", "⤢", () => this.#fit(MINIMUM_SCALE)),
      ),
    );
    this.element.prepend(this.#svg);
    this.#svg.addEventListener("wheel", (event) => this.#wheeled(event), { passive: false });
    this.#svg.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.#svg.addEventListener("pointermove", (event) => this.#moved(event));
    for (const end of ["pointerup", "pointercancel"]) {
      this.#svg.addEventListener(end, (event) => {
        if (event instanceof PointerEvent) this.#pointers.delete(event.pointerId);
      });
    }
    this.#svg.addEventListener("click", (event) => {
      const item = this.#hasDragged ? null : itemOf(event.target);
      if (item) this.onChoose(item);
    });
    this.#svg.addEventListener("keydown", (event) => this.#keyed(event));
    new ResizeObserver(() => this.#isFitted && this.#fit()).observe(this.element);
  }

  /** @param {string} text */
  setLabel(text) {
    setAttribute(this.#svg, "aria-label", text);
  }

  /**
   * Another drawing is shown: all of it, or its important part where it would be too small.
   *
   * @param {{ width: number, height: number }} content
   * @param {Box | undefined} focus
   */
  setContent(content, focus) {
    this.#content = { width: content.width, height: content.height };
    this.#focus = focus;
    this.#fit();
  }

  /** Something else is important: it is brought into view, unless it is in view. @param {Box} box */
  follow(box) {
    this.#focus = box;
    this.#reveal(box);
  }

  /** Shows all of it, or what is important where that is too small. @param {number} [smallest] */
  #fit(smallest = SMALLEST_FIT) {
    const { width, height } = this.#size();
    if (width === 0 || height === 0) return;
    const fitting = Math.min(
      (width - 2 * MARGIN) / Math.max(1, this.#content.width),
      (height - 2 * MARGIN) / Math.max(1, this.#content.height),
    );
    const scale = Math.max(smallest, Math.min(fitting, LARGEST_FIT));
    const center = (/** @type {number} */ room, /** @type {number} */ size) =>
      (room - size * scale) / 2;
    this.#at = {
      x: center(width, this.#content.width),
      y: center(height, this.#content.height),
      scale,
    };
    this.#isFitted = true;
    if (fitting < smallest && this.#focus) this.#center(this.#focus);
    this.#apply();
  }

  #size() {
    return { width: this.#svg.clientWidth, height: this.#svg.clientHeight };
  }

  /** @param {Box} box */
  #center(box) {
    const { width, height } = this.#size();
    const { scale } = this.#at;
    // At the edge of a large drawing, the view shows more of it instead of the emptiness beyond.
    const place = (
      /** @type {number} */ room,
      /** @type {number} */ size,
      /** @type {number} */ at,
    ) =>
      size * scale + 2 * MARGIN <= room
        ? (room - size * scale) / 2
        : Math.max(room - size * scale - MARGIN, Math.min(room / 2 - at * scale, MARGIN));
    this.#at = {
      x: place(width, this.#content.width, box.x + box.width / 2),
      y: place(height, this.#content.height, box.y + box.height / 2),
      scale,
    };
  }

  /** @param {Box} box */
  #reveal(box) {
    const { width, height } = this.#size();
    const { x, y, scale } = this.#at;
    const [left, top] = [x + box.x * scale, y + box.y * scale];
    const isInView = left >= 0 && top >= 0 && left + Math.min(box.width * scale, width) <= width &&
      top + Math.min(box.height * scale, height) <= height;
    if (isInView || width === 0) return;
    this.#center(box);
    this.#apply();
  }

  #apply() {
    const { x, y, scale } = this.#at;
    setAttribute(this.#canvas, "transform", `translate(${x} ${y}) scale(${scale})`);
    // Texts are drawn larger in a small drawing.
    this.#svg.style.setProperty("--scale", scale.toFixed(3));
  }

  /**
   * @param {number} factor
   * @param {{ x: number, y: number }} [at] what stays in its place; the middle when absent
   */
  #zoom(factor, at) {
    const { width, height } = this.#size();
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const old = this.#at;
    const scale = Math.max(MINIMUM_SCALE, Math.min(old.scale * factor, MAXIMUM_SCALE));
    const share = scale / old.scale;
    this.#at = { x: x - (x - old.x) * share, y: y - (y - old.y) * share, scale };
    this.#isFitted = false;
    this.#apply();
  }

  /** @param {WheelEvent} event */
  #wheeled(event) {
    event.preventDefault();
    const { left, top } = this.#svg.getBoundingClientRect();
    // Fingers on a pad that pinch come as small turns of the wheel with Ctrl.
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    const turned = Math.max(-300, Math.min(event.deltaY * (event.deltaMode === 1 ? 20 : 1), 300));
    this.#zoom(Math.exp(-turned * speed), { x: event.clientX - left, y: event.clientY - top });
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    if (event.button !== 0) return;
    if (this.#pointers.size === 0) this.#hasDragged = false;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (!this.#hasDragged && Math.hypot(dx, dy) < DRAG) return;
    // A capture earlier than that would take the click from what is pressed.
    if (!this.#hasDragged) this.#svg.setPointerCapture(event.pointerId);
    this.#hasDragged = true;
    this.#isFitted = false;
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const { left, top } = this.#svg.getBoundingClientRect();
      const apart = (/** @type {{ x: number, y: number }} */ { x, y }) =>
        Math.max(1, Math.hypot(x - other.x, y - other.y));
      const middle = { x: (now.x + other.x) / 2 - left, y: (now.y + other.y) / 2 - top };
      return this.#zoom(apart(now) / apart(before), middle);
    }
    this.#at = { ...this.#at, x: this.#at.x + dx, y: this.#at.y + dy };
    this.#apply();
  }

  /** @param {KeyboardEvent} event */
  #keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey && event.key !== "+") {
      return;
    }
    const way = WAYS[event.key];
    const item = itemOf(document.activeElement);
    if (way) this.#walk(item, way);
    else if (event.key === "+" || event.key === "=") this.#zoom(1.25);
    else if (event.key === "-") this.#zoom(0.8);
    else if (event.key === "0") this.#fit(MINIMUM_SCALE);
    else if (item && (event.key === "Enter" || event.key === " ")) this.onChoose(item);
    else return;
    event.preventDefault();
  }

  /**
   * Gives the focus to the next item in a direction; to what is important when none has it.
   *
   * @param {SVGElement | null} from
   * @param {{ x: number, y: number }} way
   */
  #walk(from, way) {
    const items = [...this.#canvas.querySelectorAll("[data-item]")];
    const places = items.flatMap((item) => {
      const shape = item.querySelector("rect");
      return item instanceof SVGElement && shape ? [{ item, box: shape.getBBox() }] : [];
    });
    const start = places.find(({ item }) => item === from);
    const first = places.find(({ item }) => item.classList.contains("on")) ?? places[0];
    const next = start ? nearest(start.box, places.filter((one) => one !== start), way) : first;
    if (!next) return;
    for (const { item } of places) setAttribute(item, "tabindex", item === next.item ? 0 : -1);
    next.item.focus();
    this.#reveal(next.box);
  }
}

/** @type {Record<string, { x: number, y: number }>} */
const WAYS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * The nearest of some boxes in a direction: what is straight ahead counts as nearer.
 *
 * @template {{ box: Box }} Place
 * @param {Box} from
 * @param {readonly Place[]} places
 * @param {{ x: number, y: number }} way
 * @returns {Place | undefined}
 */
export function nearest(from, places, way) {
  // The title of a box, not its middle: a box around others begins there.
  const center = (/** @type {Box} */ { x, y, width, height }) => ({
    x: x + width / 2,
    y: y + Math.min(height, 32) / 2,
  });
  const start = center(from);
  let best;
  let least = Infinity;
  for (const place of places) {
    const { x, y } = center(place.box);
    const ahead = (x - start.x) * way.x + (y - start.y) * way.y;
    const aside = Math.abs((x - start.x) * way.y) + Math.abs((y - start.y) * way.x);
    if (ahead <= 1 || ahead + 3 * aside >= least) continue;
    least = ahead + 3 * aside;
    best = place;
  }
  return best;
}

/**
 * @param {EventTarget | null} target
 * @returns {SVGElement | null}
 */
function itemOf(target) {
  const item = target instanceof Element ? target.closest("[data-item]") : null;
  return item instanceof SVGElement ? item : null;
}
