/** The arrows of a state diagram: from the slots that they have in each box to paths of the drawing. */

/** @import { Box, EdgeShape, Frame, Layout, Piece, Point, Route } from "./chart-layout.js" */
/** @import { Work } from "./layers.js" */

/** How far the arrow of a loop is from its box, and how far one loop is from the next one. */
export const LOOP = 26;
const LOOP_GAP = 8;

/** @param {Frame} box */
export function heightOfLoops({ loops }) {
  return loops.reduce((sum, { height }) => sum + height + LOOP_GAP, LOOP_GAP);
}

/**
 * Draws the pieces of a box, once all that is inside has its place.
 *
 * @param {Frame} box
 * @param {{ tops: number[], heights: number[], shift: number }} rows
 */
export function draw(box, { tops, heights, shift }) {
  const inside = new Map(box.inside.map((inner) => [inner.id ?? "", inner]));
  const ports = portsOf(box, inside);
  for (const piece of box.pieces) {
    /** @type {Point[]} */
    const points = [];
    /** @type {Box | undefined} */
    let label;
    piece.cells.forEach((cell, index) => {
      const isFirst = index === 0;
      const top = tops[cell.row] ?? 0;
      const bottom = top + (heights[cell.row] ?? 0);
      const inner = inside.get(cell.box ?? "");
      const x = inner ? ports.get(portKey(inner, piece, isFirst)) ?? 0 : cell.x + shift;
      if (inner && isFirst) points.push({ x, y: inner.at.y + inner.height }, { x, y: bottom });
      else if (inner) points.push({ x, y: top });
      else if (cell.isBorder && isFirst) points.push({ x, y: 0 }, { x, y: box.titleHeight });
      else if (cell.isBorder) points.push({ x, y: box.height });
      else points.push({ x, y: top }, { x, y: bottom });
      if (cell.isBorder) box.ports.set(`${piece.edge.id} ${piece.side}`, x);
      if (!cell.isLabel) return;
      const { width, height } = piece.edge;
      label = { x: x - width / 2, y: (top + bottom - height) / 2, width, height };
    });
    const leadsUp = piece.to === undefined
      ? piece.side === "top"
      : piece.cells[0]?.box === piece.to;
    box.drawn.push({ piece, points: leadsUp ? points.reverse() : points, label });
  }
}

/**
 * @param {Frame} inner
 * @param {Piece} piece
 * @param {boolean} isFirst whether the piece leads down from it
 */
function portKey(inner, piece, isFirst) {
  return `${inner.id} ${isFirst ? "bottom" : "top"} ${piece.edge.id}`;
}

/**
 * Where the pieces touch the boxes inside: where they go on, if they do, else spread over the side in
 * the order of where they lead.
 *
 * @param {Frame} box
 * @param {Map<string, Frame>} inside
 * @returns {Map<string, number>}
 */
function portsOf(box, inside) {
  /** @type {Map<string, number>} */
  const ports = new Map();
  /** @type {Map<string, { key: string, near: number, inner: Frame }[]>} */
  const sides = new Map();
  for (const piece of box.pieces) {
    for (const isFirst of [true, false]) {
      const cell = piece.cells.at(isFirst ? 0 : -1);
      const inner = inside.get(cell?.box ?? "");
      if (!inner) continue;
      const key = portKey(inner, piece, isFirst);
      const passing = inner.ports.get(`${piece.edge.id} ${isFirst ? "bottom" : "top"}`);
      if (passing !== undefined) {
        ports.set(key, inner.at.x + passing);
        continue;
      }
      const near = piece.cells.at(isFirst ? 1 : -2)?.x ?? 0;
      const side = `${inner.id} ${isFirst}`;
      sides.set(side, [...sides.get(side) ?? [], { key, near, inner }]);
    }
  }
  for (const ends of sides.values()) {
    ends.sort((left, right) => left.near - right.near);
    ends.forEach(({ key, inner }, index) =>
      ports.set(key, inner.at.x + inner.width * (index + 1) / (ends.length + 1))
    );
  }
  return ports;
}

/**
 * Joins the pieces of all edges, and moves everything to its place in the drawing.
 *
 * @param {Frame} root
 * @param {readonly EdgeShape[]} edges
 * @param {Work} work
 * @returns {Layout}
 */
export function collect(root, edges, work) {
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  /** @type {Map<string, Route>} */
  const routes = new Map();
  /** The pieces that lead out of boxes, and those that lead into them. @type {Map<string, Record<"out" | "in" | "main", Point[][]>>} */
  const parts = new Map(edges.map(({ id }) => [id, { out: [], main: [], in: [] }]));
  /** @type {Map<string, Box>} */
  const labels = new Map();
  const visit = (/** @type {Frame} */ box, /** @type {Point} */ corner) => {
    const { id, width, height } = box;
    if (id !== undefined) boxes.set(id, { ...corner, width, height });
    for (const { piece, points, label } of box.drawn) {
      work.steps += points.length;
      const is = piece.hasLabel ? "main" : piece.to === undefined ? "out" : "in";
      parts.get(piece.edge.id)?.[is].push(points.map((point) => moved(point, corner)));
      if (label) labels.set(piece.edge.id, { ...label, ...moved(label, corner) });
    }
    let y = corner.y + LOOP_GAP;
    for (const loop of box.loops) {
      const label = { x: corner.x + width + LOOP, y, width: loop.width, height: loop.height };
      routes.set(loop.id, { points: loopAround(corner.x + width, label), label });
      y += loop.height + LOOP_GAP;
    }
    for (const inner of box.inside) visit(inner, moved(inner.at, corner));
  };
  visit(root, { x: 0, y: 0 });
  for (const [id, { out, main, in: into }] of parts) {
    const label = labels.get(id);
    const points = [...out.reverse(), ...main, ...into].flat();
    if (label) routes.set(id, { points: withoutRepeats(points), label });
  }
  return { width: root.reach, height: root.height, boxes, routes, steps: work.steps };
}

/**
 * @param {Point} point
 * @param {Point} by
 * @returns {Point}
 */
function moved({ x, y }, by) {
  return { x: x + by.x, y: y + by.y };
}

/**
 * @param {number} x the right side of the box
 * @param {Box} label
 * @returns {Point[]}
 */
function loopAround(x, { y, height }) {
  const [upper, lower, far] = [y + height * 0.2, y + height * 0.8, x + LOOP - 6];
  return [{ x, y: upper }, { x: far, y: upper }, { x: far, y: lower }, { x, y: lower }];
}

/** @param {Point[]} points */
function withoutRepeats(points) {
  return points.filter(({ x, y }, index) => {
    const before = points[index - 1];
    return !before || Math.abs(before.x - x) > 0.01 || Math.abs(before.y - y) > 0.01;
  });
}

/**
 * A route as the path of a drawing: straight in a row, and bent between two of them.
 *
 * @param {readonly Point[]} points
 * @returns {string}
 */
export function pathOf(points) {
  const text = (/** @type {number} */ number) => String(Math.round(number * 10) / 10);
  return points.map(({ x, y }, index) => {
    const before = points[index - 1];
    if (!before) return `M${text(x)} ${text(y)}`;
    if (before.x === x || before.y === y) return `L${text(x)} ${text(y)}`;
    const middle = text((before.y + y) / 2);
    return `C${text(before.x)} ${middle} ${text(x)} ${middle} ${text(x)} ${text(y)}`;
  }).join("");
}
