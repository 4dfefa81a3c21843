/**
 * Numbers as JSON writes them, by their exact decimal value.
 *
 * A double holds no integer beyond 2^53 exactly, and recordings are full of them. What a double
 * cannot hold is kept as the text it came in.
 */

/**
 * A sign, significant digits without zeros at either end, and the power of ten of the last digit.
 * Zero has no digits.
 *
 * @typedef {{ negative: boolean, digits: string, exponent: number }} Decimal
 */

/** The number grammar of JSON, for a text that may hold nothing else. */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** No real value has a greater exponent; sums with it stay exact. */
const MAXIMUM_EXPONENT = 1e9;

/**
 * Reads a number, or returns `undefined` for any other text.
 *
 * @param {string} text
 * @returns {Decimal | undefined}
 */
export function readDecimal(text) {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", power = "0"] = match;
  const written = Number(power);
  if (Math.abs(written) > MAXIMUM_EXPONENT) return undefined;
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  const negative = sign === "-";
  if (digits === "") return { negative, digits, exponent: 0 };
  return { negative, digits, exponent: written - fraction.length + all.length - digits.length };
}

/**
 * The digits as ECMAScript spells them: plain from 1e-6 to 1e21, else with an exponent. Whole
 * numbers of more digits than that stay plain when they have the digits.
 *
 * @param {Decimal} decimal
 * @returns {string}
 */
export function spellDecimal({ negative, digits, exponent }) {
  const count = digits.length;
  const sign = negative ? "-" : "";
  if (count === 0) return sign + "0";
  const point = count + exponent;
  if (exponent >= 0 && point <= Math.max(21, count)) return sign + digits + "0".repeat(exponent);
  if (point > 0 && exponent < 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (point > -6 && point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  const fraction = count > 1 ? "." + digits.slice(1) : "";
  return `${sign}${digits[0]}${fraction}e${point > 0 ? "+" : "-"}${Math.abs(point - 1)}`;
}

/**
 * Less than, equal to or greater than zero as the first is less than, equal to or greater than the
 * second. Zero and minus zero are one.
 *
 * @param {Decimal} left
 * @param {Decimal} right
 * @returns {number}
 */
export function compareDecimals(left, right) {
  const leftSign = signOf(left);
  const rightSign = signOf(right);
  if (leftSign !== rightSign) return leftSign - rightSign;
  if (leftSign === 0) return 0;
  return leftSign < 0 ? compareSizes(right, left) : compareSizes(left, right);
}

/** @param {Decimal} decimal */
function signOf(decimal) {
  if (decimal.digits === "") return 0;
  return decimal.negative ? -1 : 1;
}

/**
 * @param {Decimal} left
 * @param {Decimal} right
 */
function compareSizes(left, right) {
  const points = left.digits.length + left.exponent - (right.digits.length + right.exponent);
  if (points !== 0) return points;
  // With the points in line the digits compare like words.
  return left.digits < right.digits ? -1 : left.digits > right.digits ? 1 : 0;
}
