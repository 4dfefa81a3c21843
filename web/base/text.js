/** Text as a person may see it, and the order of texts that all ends agree on. */

/**
 * As for sorting, by code points: not by UTF-16 units, of which surrogates come too early.
 *
 * @param {string} left
 * @param {string} right
 * @returns {number}
 */
export function compareText(left, right) {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const first = left.charCodeAt(index);
    const second = right.charCodeAt(index);
    if (first !== second) return rank(first) - rank(second);
  }
  return left.length - right.length;
}

/** @param {number} unit */
function rank(unit) {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x10000 : unit - 0x800;
}

/**
 * Characters that would change how the text around them looks, or not be seen at all: controls,
 * marks of direction, invisible joiners, halves of pairs.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** @type {Record<string, string>} */
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * The text with everything unseen written as an escape.
 *
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return text.replace(
    UNSEEN,
    (sign) => SHORT[sign] ?? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Characters of a key that are shown: keys may be data, and lines of a million take seconds to lay out. */
const MAXIMUM_KEY = 1_000;

/**
 * A key of an object as text: one that would be invisible is put into quotation marks.
 *
 * @param {string} key
 * @returns {string}
 */
export function visibleKey(key) {
  if (key.trim() === "") return `"${visible(key.slice(0, MAXIMUM_KEY))}"`;
  return key.length <= MAXIMUM_KEY ? visible(key) : shortenMiddle(visible(key), MAXIMUM_KEY);
}

/**
 * Shortened in the middle, because names often differ only at their end. Pairs stay whole.
 *
 * @param {string} text
 * @param {number} maximum the number of characters that remain, at least 3
 * @returns {string}
 */
export function shortenMiddle(text, maximum) {
  const characters = [...text];
  if (characters.length <= maximum) return text;
  const tail = Math.floor((maximum - 1) / 2);
  const head = maximum - 1 - tail;
  return `${characters.slice(0, head).join("")}…${characters.slice(-tail).join("")}`;
}

/**
 * At most so many characters, the last one an ellipsis when some were cut. Pairs stay whole.
 *
 * @param {string} text
 * @param {number} most
 * @returns {string}
 */
export function shorten(text, most) {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? "") ? most - 2 : most - 1;
  return text.slice(0, end) + "…";
}
