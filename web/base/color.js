/** Colors as numbers: for canvases, and to prove that text can be read. */

/** @typedef {readonly [red: number, green: number, blue: number]} Color */

/**
 * Reads `#rgb`, `#rrggbb`, `rgb(…)` and `color(srgb …)`; anything else is black.
 *
 * @param {string} text
 * @returns {Color}
 */
export function readColor(text) {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1];
  if (hex) {
    const parts = hex.length === 3
      ? [...hex].map((digit) => digit + digit)
      : hex.match(/../g) ?? [];
    return triple(parts.map((part) => parseInt(part, 16)));
  }
  const numbers = [...text.matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(Number);
  if (/^\s*rgba?\(/.test(text)) return triple(numbers);
  if (/^\s*color\(srgb /.test(text)) return triple(numbers.map((part) => Math.round(part * 255)));
  return [0, 0, 0];
}

/**
 * @param {number[]} parts
 * @returns {Color}
 */
function triple([red = 0, green = 0, blue = 0]) {
  return [red, green, blue];
}

/**
 * The contrast ratio of two colors by WCAG 2: 1 to 21.
 *
 * @param {Color} first
 * @param {Color} second
 * @returns {number}
 */
export function contrast(first, second) {
  const [light, dark] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/**
 * How bright a color is: 0 to 1.
 *
 * @param {Color} color
 * @returns {number}
 */
export function luminance(color) {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The color between two, `share` of the way from the first to the second.
 *
 * @param {Color} first
 * @param {Color} second
 * @param {number} share
 * @returns {Color}
 */
export function mix(first, second, share) {
  return triple(
    first.map((part, index) => Math.round(part + ((second[index] ?? 0) - part) * share)),
  );
}
