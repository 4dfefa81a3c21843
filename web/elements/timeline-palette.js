/** The colors of the timeline, and what is kept between two drawings of it. */

import { readColor } from "../base/color.js";

/** @import { Color } from "../base/color.js" */

/** The colors of a theme, by the names of the tokens. */
export class Palette {
  #style;
  #probe;
  /** @type {Map<string, string>} */
  #known = new Map();
  /** @type {Map<string, Color>} */
  #colors = new Map();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#probe = element;
    this.#style = getComputedStyle(element);
  }

  /** @param {string} name */
  text(name) {
    const known = this.#known.get(name);
    if (known) return known;
    // Only a real property resolves light-dark() and color-mix().
    this.#probe.style.color = `var(${name})`;
    const text = this.#style.color;
    this.#probe.style.color = "";
    this.#known.set(name, text);
    return text;
  }

  /** @param {string} name */
  color(name) {
    const known = this.#colors.get(name) ?? readColor(this.text(name));
    this.#colors.set(name, known);
    return known;
  }
}

/** What colors depend on besides the theme. */
const CONDITIONS = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors)"];

/** The pixel columns in which entries were lost or failed. @typedef {{ lost: number[], errors: number[] }} Troubles */

/** What is kept between two drawings of a canvas: asking for a color costs a look at all styles. */
export class Kept {
  #theme = "";
  #conditions = CONDITIONS.map((condition) => matchMedia(condition));
  /** @type {Palette | undefined} */
  #palette;
  /** What the counts were drawn from. @type {unknown[]} */
  #made = [];
  /** And what is drawn above them. @type {unknown[]} */
  #signs = [];
  /** @type {ImageData | undefined} */
  image;
  /** @type {Troubles} */
  troubles = { lost: [], errors: [] };

  /** @param {HTMLCanvasElement} canvas */
  palette(canvas) {
    const theme = `${document.documentElement.dataset.theme} ${
      this.#conditions.map(({ matches }) => matches).join()
    }`;
    if (!this.#palette || theme !== this.#theme) {
      this.#palette = new Palette(canvas);
      this.#made = [];
    }
    this.#theme = theme;
    return this.#palette;
  }

  /**
   * Whether the counts are those of the last drawing; from now on these are.
   *
   * @param {unknown[]} made
   */
  isMadeOf(made) {
    const isSame = areSame(made, this.#made);
    this.#made = made;
    return isSame;
  }

  /**
   * Whether what is drawn above them is that of the last drawing; from now on this is.
   *
   * @param {unknown[]} signs
   */
  hasSigns(signs) {
    const isSame = areSame(signs, this.#signs);
    this.#signs = signs;
    return isSame;
  }
}

/**
 * @param {unknown[]} left
 * @param {unknown[]} right
 */
function areSame(left, right) {
  return left.length === right.length && left.every((part, index) => part === right[index]);
}
