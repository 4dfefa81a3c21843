/** The recording through time: the whole as a strip with a brush, and lanes of the stretch in view. */

import { formatCount } from "../base/format.js";
import {
  clampSpan,
  firstSpan,
  panSpan,
  revealInSpan,
  toPixel,
  toPlace,
  toPlaceDrawn,
  wholeSpan,
  zoomSpan,
} from "../model/timeline/scale.js";
import {
  cursorMoment,
  describeTimes,
  drawTimeline,
  footHeight,
  LABEL_BOTTOM,
  laneHeight,
  MINIMAP_HEIGHT,
} from "./timeline-drawing.js";
import { branchSigns, hasRoomForBranches } from "./timeline-branches.js";
import { TimelineLanes } from "./timeline-lanes.js";
import { united } from "../model/timeline/stretches.js";
import { h, setAttribute, show } from "./dom.js";
import { SeqTimes } from "./seq-times.js";
import { View } from "./view.js";

/** @import { Span } from "../model/timeline/scale.js" */
/** @import { Counted } from "../model/timeline/counted.js" */
/** @import { ColoredLane } from "../model/timeline/lane-colors.js" */
/** @import { Label } from "./timeline-drawing.js" */

/** How near to an edge of the brush a pointer takes hold of it, in pixels. */
const EDGE = 6;

/** What stays free after the last entry, in pixels. */
const ROOM = 8;

/** @type {never[]} */
const NONE = [];

/** What a pointer that is down does. @typedef {{ is: "scrub", grip: number } | { is: "pan", from: number, span: Span } | { is: "start" | "end", span: Span }} Drag */

export class TimelineView extends View {
  static define(name = "tt-timeline") {
    customElements.define(name, TimelineView);
  }

  #ground = h("canvas", { "aria-hidden": "true" });
  /** Above it: the cursor moves more often than anything else changes. */
  #above = h("canvas", { class: "above", "aria-hidden": "true" });
  #slider = h("div", {
    class: "slider",
    role: "slider",
    tabindex: 0,
    "aria-label": "Moment",
    "aria-orientation": "horizontal",
  });
  /** As in the style sheet. */
  #narrow = matchMedia("(max-width: 600px)");
  /** The stretch in view. @type {Span} */
  #span = { start: 0, end: 1 };
  /** Of the slider, in pixels. */
  #width = 0;
  #shownTimeline = "";
  #shownDuration = 0;
  /** The span that was shown first, in view until the reader chooses another. @type {Span | undefined} */
  #first;
  #shownCursor = -1;
  #marks = new SeqTimes();
  #matches = new SeqTimes();
  /** The times that the stretches are made from. @type {number[]} */
  #matchTimes = [];
  /** While the filter matches. @type {Span[]} */
  #shades = [];
  /** @type {Drag | undefined} */
  #drag;
  /** @type {Label | undefined} */
  #label;
  /** Where the slider is in the window, since the pointer is down. */
  #origin = { x: 0, y: 0 };

  /** @type {TimelineLanes | undefined} */
  #lanes;

  build() {
    this.#lanes = new TimelineLanes(this.context.laneColors);
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Timeline");
    this.append(
      this.#lanes.element,
      h("div", { class: "chart-area" }, this.#ground, this.#above, this.#slider),
    );
    this.#slider.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    this.#slider.addEventListener("pointermove", (event) => this.#pointerMoved(event));
    this.#slider.addEventListener("pointerup", () => this.#drag = undefined);
    this.#slider.addEventListener("pointercancel", () => this.#drag = undefined);
    this.#slider.addEventListener("wheel", (event) => this.#wheeled(event), { passive: false });
    this.#slider.addEventListener("dblclick", () => this.showAll());
    // Asking the element itself would lay the page out in the middle of a frame.
    new ResizeObserver(([entry]) => {
      const before = this.#width;
      this.#width = entry?.contentRect.width ?? 0;
      this.resized(before);
    }).observe(this.#slider);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.invalidate());
  }

  get #bounds() {
    return {
      start: 0,
      end: (this.inspector.summary?.duration ?? 0) + 1,
      room: this.#width > 2 * ROOM ? ROOM / this.#width : 0,
    };
  }

  /** What the strip shows. */
  get #strip() {
    return wholeSpan(this.#bounds);
  }

  /** @returns {Counted | undefined} */
  get #whole() {
    return this.inspector.data?.counted(this.#strip, this.#width);
  }

  /** Zooms in (below 1) or out, around the cursor. @param {number} factor */
  zoom(factor) {
    const t = this.#cursorTime() ?? this.#span.start;
    const share = Math.min(
      Math.max((t - this.#span.start) / (this.#span.end - this.#span.start), 0),
      1,
    );
    this.#span = zoomSpan(this.#span, factor, share, this.#bounds);
    this.invalidate();
  }

  /** Shows the whole recording. */
  showAll() {
    this.#span = this.#strip;
    this.invalidate();
  }

  /** Shows the selected stretch, or the cursor and what is around it. */
  showSelection() {
    const { from, to } = this.inspector.stretch;
    const [start, end] = [from, to].map((seq) => this.#timeOf(seq) ?? 0);
    const size = Math.max((end ?? 0) - (start ?? 0), (this.#span.end - this.#span.start) / 8);
    const middle = ((start ?? 0) + (end ?? 0)) / 2;
    this.#span = clampSpan({ start: middle - size * 0.6, end: middle + size * 0.6 }, this.#bounds);
    this.invalidate();
  }

  /** @param {number} seq */
  #timeOf(seq) {
    return this.inspector.data?.entries.get(seq)?.t ?? this.#fine()?.timeOf(seq) ??
      this.#whole?.timeOf(seq);
  }

  #cursorTime() {
    return this.#timeOf(this.inspector.cursor);
  }

  #fine() {
    return this.inspector.data?.counted(this.#span, this.#width);
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    if (event.button !== 0) return;
    this.#slider.setPointerCapture(event.pointerId);
    this.#slider.focus({ preventScroll: true, focusVisible: false });
    const { offsetX: x, offsetY: y } = event;
    this.#origin = { x: event.clientX - x, y: event.clientY - y };
    const grip = this.#gripAt(x, y);
    if (grip !== undefined) {
      this.#drag = { is: "scrub", grip };
      // A press on the label only takes hold of it.
      if (grip === 0) this.#scrub(x);
      return;
    }
    const edge = this.#edgeAt(x, y);
    if (edge) this.#drag = { is: edge, span: this.#span };
    else {
      const place = toPlace(this.#strip, x, this.#width);
      if (place < this.#span.start || place > this.#span.end) {
        const half = (this.#span.end - this.#span.start) / 2;
        this.#span = clampSpan({ start: place - half, end: place + half }, this.#bounds);
      }
      this.#drag = { is: "pan", from: x, span: this.#span };
      this.invalidate();
    }
  }

  /**
   * How far from the cursor a pointer takes hold of it, in pixels: by its label, or 0 in the lanes. The
   * strip moves the span in view, unless that is the whole.
   *
   * @param {number} x
   * @param {number} y
   * @returns {number | undefined} nothing where a press does not move the cursor
   */
  #gripAt(x, y) {
    if (y >= MINIMAP_HEIGHT) return 0;
    const label = this.#label;
    if (label && y <= LABEL_BOTTOM && x >= label.left && x <= label.right) return x - label.cursor;
    const { start, end } = this.#strip;
    const isWhole = this.#span.start <= start && this.#span.end >= end;
    return isWhole && !this.#edgeAt(x, y) ? 0 : undefined;
  }

  /**
   * The edge of the brush at which a pointer is.
   *
   * @param {number} x
   * @param {number} y
   */
  #edgeAt(x, y) {
    const isNear = (/** @type {number} */ t) =>
      y < MINIMAP_HEIGHT && Math.abs(x - toPixel(this.#strip, t, this.#width)) <= EDGE;
    return isNear(this.#span.start) ? "start" : isNear(this.#span.end) ? "end" : undefined;
  }

  /** @param {PointerEvent} event */
  #pointerMoved(event) {
    // While dragging nothing moves the slider, and its own places would cost a layout a frame.
    const [x, y] = this.#drag
      ? [event.clientX - this.#origin.x, event.clientY - this.#origin.y]
      : [event.offsetX, event.offsetY];
    const what = this.#drag?.is ??
      (this.#gripAt(x, y) === undefined ? this.#edgeAt(x, y) ?? "pan" : "scrub");
    this.#slider.classList.toggle("at-edge", what === "start" || what === "end");
    this.#slider.classList.toggle("in-strip", what === "pan");
    const drag = this.#drag;
    if (!drag) return;
    const place = toPlace(this.#strip, x, this.#width);
    if (drag.is === "scrub") {
      this.#scrub(x - drag.grip);
    } else if (drag.is === "pan") {
      this.#span = panSpan(
        drag.span,
        toPlace(this.#strip, x - drag.from, this.#width),
        this.#bounds,
      );
    } else {
      const moved = drag.is === "start"
        ? { start: Math.min(place, drag.span.end - 10), end: drag.span.end }
        : { start: drag.span.start, end: Math.max(place, drag.span.start + 10) };
      this.#span = clampSpan(moved, this.#bounds);
    }
    this.invalidate();
  }

  /** Goes to the entry at a pixel of the lanes. @param {number} x */
  #scrub(x) {
    const t = toPlaceDrawn(this.#span, Math.min(Math.max(x, 0), this.#width), this.#width);
    const counted = this.#fine() ?? this.#whole;
    if (counted) this.inspector.goTo(counted.seqAt(t));
  }

  /** @param {WheelEvent} event */
  #wheeled(event) {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const pixels = (event.shiftKey ? event.deltaY : event.deltaX) * unit;
      this.#span = panSpan(
        this.#span,
        pixels / this.#width * (this.#span.end - this.#span.start),
        this.#bounds,
      );
    } else {
      const isStrip = event.offsetY < MINIMAP_HEIGHT;
      const share = isStrip
        ? (toPlace(this.#strip, event.offsetX, this.#width) - this.#span.start) /
          (this.#span.end - this.#span.start)
        : event.offsetX / this.#width;
      this.#span = zoomSpan(
        this.#span,
        1.0015 ** (event.deltaY * unit),
        Math.min(Math.max(share, 0), 1),
        this.#bounds,
      );
    }
    this.invalidate();
  }

  render() {
    const { inspector } = this;
    const { data } = inspector;
    show(this, data !== undefined);
    this.#follow();
    const width = this.#width;
    const whole = this.#whole;
    const lanes = this.#lanes?.of(whole, data?.summary.header) ?? [];
    this.#renderLanes(lanes, whole);
    if (width === 0 || !data) return;
    data.sparks.look(this.#span, this.#fine() ?? whole);
    const t = this.#cursorTime();
    const branches = branchSigns(inspector, (seq) => this.#timeOf(seq));
    const isBranching = hasRoomForBranches(inspector, this.timeTravel, branches);
    this.style.setProperty("--foot-height", `${footHeight(isBranching)}px`);
    const moment = cursorMoment(t ?? 0, this.#span, width);
    this.#label = drawTimeline({ ground: this.#ground, cursor: this.#above }, {
      width,
      lanes,
      span: this.#span,
      bounds: this.#strip,
      whole,
      fine: this.#fine(),
      cursor: t === undefined || data.last < 0
        ? undefined
        : { t, text: `${formatCount(inspector.cursor)} · ${moment}` },
      stretch: inspector.anchor === undefined ? undefined : {
        start: this.#timeOf(inspector.stretch.from) ?? 0,
        end: this.#timeOf(inspector.stretch.to) ?? 0,
      },
      marks: this.#marks.of(
        data.summary.marks ?? NONE,
        [this.#fine() ?? whole, width],
        ({ seq }) => this.#timeOf(seq),
      ),
      branches,
      isBranching,
      isNarrow: this.#narrow.matches,
      matches: this.#timesOfMatches(),
      shades: this.#shades,
    });
    setAttribute(this.#slider, "aria-valuemin", data?.first ?? 0);
    setAttribute(this.#slider, "aria-valuemax", Math.max(data?.last ?? 0, 0));
    setAttribute(this.#slider, "aria-valuenow", inspector.cursor);
    setAttribute(
      this.#slider,
      "aria-valuetext",
      data && data.last >= 0 ? `entry ${formatCount(inspector.cursor)} at ${moment}` : "no entries",
    );
    setAttribute(this, "data-described", describeTimes(this.#span));
  }

  /** When the entries were that match the filter, as far as they are found. */
  #timesOfMatches() {
    const seqs = this.inspector.data?.filtered?.seqs ?? NONE;
    const scale = [this.#fine() ?? this.#whole, this.#width];
    const times = this.#matches.of(seqs, scale, (seq) => this.#timeOf(seq));
    if (times !== this.#matchTimes) {
      this.#matchTimes = times;
      // What is true after an entry is true until the next one.
      this.#shades = united(seqs.map((seq) => ({ first: seq, last: seq }))).map(
        ({ first, last }) => ({
          start: this.#timeOf(first) ?? 0,
          end: last === this.inspector.data?.last
            ? this.#bounds.end
            : this.#timeOf(last + 1) ?? this.#bounds.end,
        }),
      );
    }
    return times;
  }

  /** Shows all of a new timeline, grows with a live one, and keeps the cursor in view. */
  #follow() {
    const { data, cursor } = this.inspector;
    const bounds = this.#bounds;
    const isNew = this.#shownTimeline !== (data?.id ?? "");
    this.#shownTimeline = data?.id ?? "";
    const showedAll = this.#span.start <= 0 && this.#span.end >= this.#shownDuration;
    if (isNew || this.#span === this.#first) {
      // Entry 0 has no event; the counts that say when the next one was may not be here yet.
      this.#first = firstSpan(bounds, this.#whole?.timeOf((data?.first ?? 0) + 1));
      this.#span = this.#first;
    } else {
      this.#span = showedAll ? wholeSpan(bounds) : clampSpan(this.#span, bounds);
    }
    this.#shownDuration = bounds.end;
    if (cursor !== this.#shownCursor && this.#drag?.is !== "scrub") {
      const t = this.#cursorTime();
      const revealed = t === undefined ? this.#span : revealInSpan(this.#span, t, bounds);
      if (revealed.start !== this.#span.start) this.#span = revealed;
    }
    this.#shownCursor = cursor;
  }

  /**
   * @param {ColoredLane[]} lanes
   * @param {Counted | undefined} whole
   */
  #renderLanes(lanes, whole) {
    const height = laneHeight(lanes.length, this.#narrow.matches);
    this.style.setProperty("--lane-height", `${height}px`);
    this.style.setProperty("--lane-count", String(Math.max(lanes.length, 1)));
    this.#lanes?.show(lanes, whole);
  }
}
