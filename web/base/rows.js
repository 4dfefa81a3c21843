/** Which rows of a long list are in view: arithmetic without a document. */

/**
 * Taller elements collapse (at 17.9 million pixels in Firefox, 33.5 million in Chromium), so longer
 * lists are mapped onto this height.
 */
export const MAXIMUM_HEIGHT = 15_000_000;

/** Rows beyond the edges of the view that are kept ready, so that scrolling finds them drawn. */
const SPARE_ROWS = 4;

/**
 * A list of `count` rows of one height, seen through a view.
 *
 * Where the list is taller than an element can be, the scroll position stands for a share of the
 * whole, and rows are placed around it. Near both ends and in short lists a pixel is a pixel.
 */
export class RowSpace {
  /**
   * @param {number} count
   * @param {number} rowHeight
   * @param {number} viewHeight
   */
  constructor(count, rowHeight, viewHeight) {
    this.count = count;
    this.rowHeight = rowHeight;
    this.viewHeight = viewHeight;
    /** The height of the whole list, were there no limit. */
    this.fullHeight = count * rowHeight;
    /** The height that the scrolled element gets. */
    this.height = Math.min(this.fullHeight, MAXIMUM_HEIGHT);
  }

  /** How far the element can be scrolled. */
  get #scrollRange() {
    return Math.max(0, this.height - this.viewHeight);
  }

  /** How far the whole list could be. */
  get #fullRange() {
    return Math.max(0, this.fullHeight - this.viewHeight);
  }

  /**
   * The place in the whole list at the view's top.
   *
   * @param {number} scrollTop
   * @returns {number}
   */
  offsetAt(scrollTop) {
    const range = this.#scrollRange;
    if (range === 0) return 0;
    const clamped = Math.min(Math.max(scrollTop, 0), range);
    return this.fullHeight === this.height ? clamped : clamped / range * this.#fullRange;
  }

  /**
   * The scroll position at which that place of the whole list is at the view's top.
   *
   * @param {number} offset
   * @returns {number}
   */
  scrollTopAt(offset) {
    const full = this.#fullRange;
    if (full === 0) return 0;
    const clamped = Math.min(Math.max(offset, 0), full);
    return this.fullHeight === this.height ? clamped : clamped / full * this.#scrollRange;
  }

  /**
   * The rows to draw, and where the first of them is in the scrolled element.
   *
   * @param {number} offset the place in the whole list at the view's top
   * @param {number} [spare] rows beyond each edge
   * @returns {{ first: number, end: number, top: number }}
   */
  window(offset, spare = SPARE_ROWS) {
    const first = Math.max(0, Math.floor(offset / this.rowHeight) - spare);
    const end = Math.min(
      this.count,
      Math.ceil((offset + this.viewHeight) / this.rowHeight) + spare,
    );
    return { first, end, top: this.scrollTopAt(offset) + first * this.rowHeight - offset };
  }

  /**
   * The place at which the view shows a row whole, moved no more than need be; `margin` rows beyond
   * it are shown too.
   *
   * @param {number} row
   * @param {number} offset the present place
   * @param {number} [margin]
   * @returns {number}
   */
  revealing(row, offset, margin = 0) {
    const top = (row - margin) * this.rowHeight;
    const bottom = (row + 1 + margin) * this.rowHeight;
    const least = Math.min(bottom - this.viewHeight, top);
    return Math.min(Math.max(Math.min(Math.max(offset, least), top), 0), this.#fullRange);
  }

  /**
   * The place at which a row is in the middle of the view.
   *
   * @param {number} row
   * @returns {number}
   */
  centering(row) {
    const top = row * this.rowHeight - (this.viewHeight - this.rowHeight) / 2;
    return Math.min(Math.max(top, 0), this.#fullRange);
  }

  /** How many rows fit into the view, at least one. */
  get page() {
    return Math.max(1, Math.floor(this.viewHeight / this.rowHeight));
  }
}

/** The numbers from one to the one before another. @param {number} first @param {number} end */
export function range(first, end) {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}
