/**
 * Layers of a directed graph: which row each node is in, so that most edges lead down, and the order
 * of the nodes in each row, so that few edges cross.
 */

/** @typedef {{ from: string, to: string }} Link */

/** Counts what a layout does: its time on a slow machine follows from it. @typedef {{ steps: number }} Work */

/** How often the rows are put in order, down and up in turn. */
const SWEEPS = 4;

/**
 * The layer of each node, from 0: an edge leads to a higher layer unless it closes a circle.
 *
 * @param {readonly string[]} nodes in the order in which they are to be seen
 * @param {readonly Link[]} links
 * @param {Work} work
 * @returns {Map<string, number>}
 */
export function layersOf(nodes, links, work) {
  /** @type {Map<string, string[]>} */
  const next = new Map(nodes.map((node) => [node, []]));
  for (const { from, to } of links) if (from !== to) next.get(from)?.push(to);
  const order = finishedLast(nodes, next, work);
  const place = new Map(order.map((node, index) => [node, index]));
  const layers = new Map(nodes.map((node) => [node, 0]));
  for (const node of order) {
    const layer = layers.get(node) ?? 0;
    for (const to of next.get(node) ?? []) {
      work.steps++;
      const isForward = (place.get(to) ?? 0) > (place.get(node) ?? 0);
      if (isForward) layers.set(to, Math.max(layers.get(to) ?? 0, layer + 1));
    }
  }
  return layers;
}

/**
 * The nodes in reverse order of finishing a search in depth: every edge leads on, except for those
 * that lead back to a node that the search came through.
 *
 * @param {readonly string[]} nodes
 * @param {Map<string, string[]>} next
 * @param {Work} work
 */
function finishedLast(nodes, next, work) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {string[]} */
  const finished = [];
  for (const root of nodes) {
    if (seen.has(root)) continue;
    seen.add(root);
    const stack = [{ node: root, at: 0 }];
    while (stack.length > 0) {
      work.steps++;
      const top = stack[stack.length - 1];
      if (!top) break;
      const to = next.get(top.node)?.[top.at++];
      if (to === undefined) {
        finished.push(top.node);
        stack.pop();
      } else if (!seen.has(to)) {
        seen.add(to);
        stack.push({ node: to, at: 0 });
      }
    }
  }
  return finished.reverse();
}

/**
 * One thing in a row: a box, a label, or the place where an edge passes.
 *
 * @typedef {object} Slot
 * @property {number} width
 * @property {number} x its center
 * @property {Slot[]} above those in the row above that it is connected with
 * @property {Slot[]} below
 * @property {number} place in its row
 * @property {number} key where its neighbors are, while the row is put in order
 */

/**
 * Puts the slots of each row in order by where their neighbors are.
 *
 * @template {Slot} Some
 * @param {Some[][]} rows
 * @param {Work} work
 */
export function orderRows(rows, work) {
  const number = (/** @type {Some[]} */ row) => row.forEach((slot, place) => slot.place = place);
  rows.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const order = isDown ? rows : rows.toReversed();
    for (const row of order) {
      for (const slot of row) {
        const near = isDown ? slot.above : slot.below;
        work.steps += near.length + 1;
        let sum = 0;
        for (const one of near) sum += one.place;
        slot.key = near.length === 0 ? slot.place : sum / near.length;
      }
      row.sort((left, right) => left.key - right.key || left.place - right.place);
      number(row);
    }
  }
}

/**
 * Gives every slot its x: near its neighbors, in its row's order, and `gap` from the next one.
 *
 * @param {Slot[][]} rows
 * @param {number} gap
 * @param {Work} work
 */
export function placeRows(rows, gap, work) {
  for (const row of rows) {
    const width = row.reduce((sum, slot) => sum + slot.width + gap, -gap);
    let at = -width / 2;
    for (const slot of row) {
      slot.x = at + slot.width / 2;
      at += slot.width + gap;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      const wished = row.map((slot) => {
        const first = isDown ? slot.above : slot.below;
        const near = first.length > 0 ? first : isDown ? slot.below : slot.above;
        work.steps += near.length + 1;
        if (near.length === 0) return slot.x;
        let sum = 0;
        for (const one of near) sum += one.x;
        return sum / near.length;
      });
      separate(row, wished, gap, work);
    }
  }
}

/**
 * The places nearest to the wished ones that keep the order and the distances: slots that would
 * overlap move as one, to the mean of where they wish to be.
 *
 * @param {Slot[]} row
 * @param {number[]} wished
 * @param {number} gap
 * @param {Work} work
 */
function separate(row, wished, gap, work) {
  /** Slots that move as one: where the first one is wished to be. @type {{ first: number, count: number, sum: number }[]} */
  const groups = [];
  /** How far each is from where the row's first one is, at least. @type {number[]} */
  const offsets = [];
  row.forEach((slot, index) => {
    const before = row[index - 1];
    const offset = before ? (offsets[index - 1] ?? 0) + before.width / 2 + gap + slot.width / 2 : 0;
    offsets.push(offset);
    groups.push({ first: index, count: 1, sum: (wished[index] ?? 0) - offset });
    for (;;) {
      work.steps++;
      const [last, previous] = [groups.at(-1), groups.at(-2)];
      if (!last || !previous || previous.sum / previous.count <= last.sum / last.count) break;
      previous.count += last.count;
      previous.sum += last.sum;
      groups.pop();
    }
  });
  for (const { first, count, sum } of groups) {
    for (let index = first; index < first + count; index++) {
      const slot = row[index];
      if (slot) slot.x = sum / count + (offsets[index] ?? 0);
    }
  }
}
