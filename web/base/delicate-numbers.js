/** Whether a text of JSON may hold a number that a double does not. */

/** Digits that a double may not hold all, and those of an exponent that may be too large. */
const MANY_DIGITS = 16;
const MANY_EXPONENT_DIGITS = 3;

/**
 * Whether a number of the text has 16 digits, or a large exponent. A loop is several times as fast as
 * a pattern, and each message is looked through.
 *
 * @param {string} text
 * @returns {boolean}
 */
export function hasDelicateNumber(text) {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      digits = 0;
      at = endOfString(text, at);
    } else if (isDigit(unit)) {
      if (++digits === MANY_DIGITS) return true;
    } else if (digits > 0 && unit !== 0x2e) {
      // An "e" or "E" behind a digit.
      if ((unit | 0x20) === 0x65 && hasLargeExponent(text, at + 1)) return true;
      digits = 0;
    }
  }
  return false;
}

/** @param {number} unit */
function isDigit(unit) {
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * Where a string ends that begins there.
 *
 * @param {string} text
 * @param {number} start
 */
function endOfString(text, start) {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * @param {string} text
 * @param {number} at
 */
function hasLargeExponent(text, at) {
  const sign = text.charCodeAt(at);
  const first = sign === 0x2b || sign === 0x2d ? at + 1 : at;
  for (let place = first; place < first + MANY_EXPONENT_DIGITS; place++) {
    if (!isDigit(text.charCodeAt(place))) return false;
  }
  return true;
}
