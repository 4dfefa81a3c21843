/** Finds which elements of a sequence also occur in another one, in the same order, as the daemon does. */

/** Two matching elements, by their positions. @typedef {{ left: number, right: number }} Match */

/**
 * The maximum number of insertions and removals for which the shortest list is searched. Beyond it,
 * elements that occur once on each side are aligned first, and what is between them separately, so
 * that the time is never more than about this number times the length.
 */
const EDIT_LIMIT = 96;

/**
 * The matches, ascending in both.
 *
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 * @returns {Match[]}
 */
export function alignSequences(left, right) {
  const shortest = shortestEdit(left, right, { left: 0, right: 0 });
  if (shortest) return shortest;
  /** @type {Match[]} */
  const result = [];
  let from = { left: 0, right: 0 };
  for (const anchor of [...anchors(left, right), { left: left.length, right: right.length }]) {
    const between = shortestEdit(
      left.slice(from.left, anchor.left),
      right.slice(from.right, anchor.right),
      from,
    );
    result.push(...between ?? []);
    if (anchor.left < left.length) result.push(anchor);
    from = { left: anchor.left + 1, right: anchor.right + 1 };
  }
  return result;
}

/**
 * Myers' algorithm: for 0, 1, 2… edits, how far each diagonal reaches, until one reaches the end; then
 * it backtracks. Nothing beyond the limit.
 *
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 * @param {Match} start where both begin in the whole sequences
 * @returns {Match[] | undefined}
 */
function shortestEdit(left, right, start) {
  const [width, height] = [left.length, right.length];
  if (width === 0 || height === 0) return [];
  if (Math.abs(width - height) > EDIT_LIMIT) return undefined;
  const maximum = Math.min(width + height, EDIT_LIMIT);
  // `reach[diagonal + maximum + 1]` is how many elements of `left` were passed on that diagonal.
  const reach = new Int32Array(2 * maximum + 3);
  /** @type {Int32Array[]} */
  const history = [];
  for (let edits = 0; edits <= maximum; edits++) {
    history.push(reach.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = begin(reach, diagonal, edits, maximum);
      while (x < width && x - diagonal < height && x >= diagonal) {
        if (left[x] !== right[x - diagonal]) break;
        x++;
      }
      reach[diagonal + maximum + 1] = x;
      if (x >= width && x - diagonal >= height) {
        return backtrack(history, maximum, { left: width, right: height }, start);
      }
    }
  }
  return undefined;
}

/**
 * Where a diagonal begins after one more edit.
 *
 * @param {Int32Array} reach
 * @param {number} diagonal
 * @param {number} edits
 * @param {number} maximum
 */
function begin(reach, diagonal, edits, maximum) {
  const place = diagonal + maximum + 1;
  return isInsertion(reach, diagonal, edits, maximum)
    ? reach[place + 1] ?? 0
    : (reach[place - 1] ?? 0) + 1;
}

/**
 * @param {Int32Array} reach
 * @param {number} diagonal
 * @param {number} edits
 * @param {number} maximum
 */
function isInsertion(reach, diagonal, edits, maximum) {
  const place = diagonal + maximum + 1;
  return diagonal === -edits ||
    diagonal !== edits && (reach[place - 1] ?? 0) < (reach[place + 1] ?? 0);
}

/**
 * @param {readonly Int32Array[]} history
 * @param {number} maximum
 * @param {Match} end
 * @param {Match} start
 */
function backtrack(history, maximum, end, start) {
  /** @type {Match[]} */
  const result = [];
  let { left: x, right: y } = end;
  for (const [edits, reach] of [...history.entries()].reverse()) {
    const diagonal = x - y;
    const place = diagonal + maximum + 1;
    const isInserted = isInsertion(reach, diagonal, edits, maximum);
    const beforeX = reach[isInserted ? place + 1 : place - 1] ?? 0;
    const beforeY = beforeX - (isInserted ? diagonal + 1 : diagonal - 1);
    while (x > Math.max(beforeX, 0) && y > Math.max(beforeY, 0)) {
      x--;
      y--;
      result.push({ left: start.left + x, right: start.right + y });
    }
    [x, y] = [beforeX, beforeY];
  }
  return result.reverse();
}

/**
 * The elements that occur once on each side, as many as keep their order.
 *
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 */
function anchors(left, right) {
  const [inLeft, inRight] = [singlePlaces(left), singlePlaces(right)];
  return longestRise(left.flatMap((element, place) => {
    const other = inRight.get(element);
    return inLeft.get(element) === place && other !== undefined
      ? [{ left: place, right: other }]
      : [];
  }));
}

/**
 * The position of each element; nothing if it occurs more than once.
 *
 * @param {readonly string[]} sequence
 */
function singlePlaces(sequence) {
  /** @type {Map<string, number | undefined>} */
  const places = new Map();
  for (const [place, element] of sequence.entries()) {
    places.set(element, places.has(element) ? undefined : place);
  }
  return places;
}

/**
 * The longest subsequence of matches, which ascend on the left, that also ascends on the right.
 *
 * @param {readonly Match[]} candidates
 */
function longestRise(candidates) {
  /** The candidate with the smallest `right` that ends a rise of each length. @type {number[]} */
  const ends = [];
  /** @type {(number | undefined)[]} */
  const previous = [];
  for (const [index, { right }] of candidates.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((candidates[ends[middle] ?? 0]?.right ?? 0) < right) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? ends[low - 1] : undefined);
    ends[low] = index;
  }
  /** @type {Match[]} */
  const result = [];
  for (let next = ends.at(-1); next !== undefined; next = previous[next]) {
    const candidate = candidates[next];
    if (candidate) result.push(candidate);
  }
  return result.reverse();
}
