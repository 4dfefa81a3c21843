/**
 * Where the boxes, arrows and labels of a state diagram are: boxes inside of boxes, layer by layer,
 * and arrows that lead around all boxes but those that they leave or enter.
 *
 * Each box is laid out by itself, from the inside out. An arrow that crosses the border of a box has
 * a place on that border, at the top or at the bottom, and one piece on each side of it. Inside of a
 * box every arrow has a slot in each row that it passes, so no box and no label is in its way;
 * between two rows there are only arrows.
 */

import { collect, draw, heightOfLoops, LOOP } from "./chart-routes.js";
import { layersOf, orderRows, placeRows } from "./layers.js";

/** @import { Slot, Work } from "./layers.js" */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { width: number, height: number }} Box */
/** @typedef {{ id: string, parent: string | undefined, width: number, height: number }} NodeShape the size of its text; boxes with others inside grow */
/** @typedef {{ id: string, from: string, to: string, width: number, height: number }} EdgeShape with the size of its label */
/** @typedef {{ points: Point[], label: Box }} Route from its first box to its second one */
/** @typedef {{ width: number, height: number, boxes: Map<string, Box>, routes: Map<string, Route>, steps: number }} Layout */

/** Between slots of a row, between rows, from a border to what is inside, and what arrows need. */
const GAP = 16;
const ROW_GAP = 20;
const PADDING = 16;
const PASS = 8;

/** @typedef {"top" | "bottom"} Side */

/**
 * A part of an edge, in one box: between two of the boxes inside, or between one and the border.
 *
 * @typedef {object} Piece
 * @property {EdgeShape} edge
 * @property {string | undefined} from nothing: the border
 * @property {string | undefined} to
 * @property {Side} side the part of the border that it touches
 * @property {boolean} hasLabel
 * @property {Cell[]} cells from its first row to its last one, from top to bottom
 */

/** @typedef {Slot & { row: number, box?: string, piece?: Piece, isLabel?: boolean, isBorder?: boolean }} Cell */

/**
 * One box with what is inside of it; all places are relative to its corner.
 *
 * @typedef {object} Frame
 * @property {string | undefined} id nothing: the drawing itself
 * @property {Frame[]} inside
 * @property {EdgeShape[]} loops
 * @property {Piece[]} pieces
 * @property {Map<string, number>} layers
 * @property {number} width
 * @property {number} height
 * @property {number} titleWidth
 * @property {number} titleHeight
 * @property {number} reach its width with its loops
 * @property {Point} at in the box around it
 * @property {Map<string, number>} ports where edges cross its border, by edge and side
 * @property {{ piece: Piece, points: Point[], label: Box | undefined }[]} drawn
 */

/**
 * @param {readonly NodeShape[]} nodes every parent before its children
 * @param {readonly EdgeShape[]} edges between known nodes
 * @returns {Layout}
 */
export function layOut(nodes, edges) {
  /** @type {Work} */
  const work = { steps: 0 };
  const root = frame(undefined, 0, 0);
  /** @type {Map<string | undefined, Frame>} */
  const frames = new Map([[undefined, root]]);
  /** @type {Map<string, string | undefined>} */
  const parents = new Map();
  for (const { id, parent, width, height } of nodes) {
    const made = frame(id, width, height);
    frames.set(id, made);
    parents.set(id, parent);
    (frames.get(parent) ?? root).inside.push(made);
  }
  const pathOf = (/** @type {string} */ id) => {
    /** @type {string[]} */
    const path = [];
    for (let at = /** @type {string | undefined} */ (id); at !== undefined; at = parents.get(at)) {
      path.unshift(at);
      work.steps++;
    }
    return path;
  };
  const paths = new Map(nodes.map(({ id }) => [id, pathOf(id)]));
  for (const edge of edges) begin(edge, frames, paths);
  divide(root, frames, paths, work);
  measure(root, work);
  return collect(root, edges, work);
}

/**
 * @param {string | undefined} id
 * @param {number} width
 * @param {number} height
 * @returns {Frame}
 */
function frame(id, width, height) {
  return {
    id,
    inside: [],
    loops: [],
    pieces: [],
    layers: new Map(),
    width,
    height,
    titleWidth: id === undefined ? 0 : width,
    titleHeight: id === undefined ? 0 : height,
    reach: width,
    at: { x: 0, y: 0 },
    ports: new Map(),
    drawn: [],
  };
}

/**
 * Gives an edge to the innermost box that holds both of its ends: there it has its label.
 *
 * @param {EdgeShape} edge
 * @param {Map<string | undefined, Frame>} frames
 * @param {Map<string, string[]>} paths
 */
function begin(edge, frames, paths) {
  const [from = [], to = []] = [paths.get(edge.from), paths.get(edge.to)];
  if (edge.from === edge.to) {
    frames.get(edge.from)?.loops.push(edge);
    return;
  }
  let shared = 0;
  while (from[shared] !== undefined && from[shared] === to[shared]) shared++;
  frames.get(from[shared - 1])?.pieces.push({
    edge,
    from: from[shared],
    to: to[shared],
    side: from[shared] === undefined ? "top" : "bottom",
    hasLabel: true,
    cells: [],
  });
}

/**
 * Finds the layers of a box, and hands on what leads through the borders of those inside.
 *
 * @param {Frame} box
 * @param {Map<string | undefined, Frame>} frames
 * @param {Map<string, string[]>} paths
 * @param {Work} work
 */
function divide(box, frames, paths, work) {
  const links = box.pieces.flatMap(({ from, to }) =>
    from === undefined || to === undefined ? [] : [{ from, to }]
  );
  box.layers = layersOf(box.inside.map(({ id }) => id ?? ""), links, work);
  const depth = box.id === undefined ? 0 : (paths.get(box.id)?.length ?? 0);
  for (const piece of box.pieces) {
    for (const end of /** @type {const} */ (["from", "to"])) {
      const id = piece[end];
      if (id === undefined || id === piece.edge[end]) continue;
      const inner = paths.get(piece.edge[end])?.[depth + 1];
      frames.get(id)?.pieces.push({
        edge: piece.edge,
        from: end === "from" ? inner : undefined,
        to: end === "to" ? inner : undefined,
        side: sideAt(box, piece, end),
        hasLabel: false,
        cells: [],
      });
    }
  }
  for (const inner of box.inside) divide(inner, frames, paths, work);
}

/**
 * Where a piece touches the box at one of its ends.
 *
 * @param {Frame} box
 * @param {Piece} piece
 * @param {"from" | "to"} end
 * @returns {Side}
 */
function sideAt(box, piece, end) {
  const { from, to, side } = piece;
  if (from === undefined || to === undefined) return side;
  const leadsDown = (box.layers.get(from) ?? 0) < (box.layers.get(to) ?? 0);
  return leadsDown === (end === "from") ? "bottom" : "top";
}

/** @param {Frame} box @param {Work} work */
function measure(box, work) {
  for (const inner of box.inside) measure(inner, work);
  if (box.inside.length > 0) arrange(box, work);
  const loops = Math.max(0, ...box.loops.map(({ width }) => width));
  if (box.inside.length === 0) box.height = Math.max(box.height, heightOfLoops(box));
  box.reach = box.width + (loops > 0 ? LOOP + loops : 0);
}

/** Lays out the inside of a box. @param {Frame} box @param {Work} work */
function arrange(box, work) {
  const deepest = Math.max(...box.layers.values());
  /** The border, then labels and boxes in turn. */
  const last = 2 * deepest + 4;
  /** @type {Cell[][]} */
  const rows = Array.from({ length: last + 1 }, () => []);
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  const rowOf = (/** @type {string} */ id) => 2 * (box.layers.get(id) ?? 0) + 2;
  for (const { id = "", reach } of box.inside) {
    const row = rowOf(id);
    const cell = { ...slot(reach, row), box: id };
    cells.set(id, cell);
    rows[row]?.push(cell);
  }
  for (const piece of box.pieces) thread(piece, rows, cells, rowOf, work);
  orderRows(rows, work);
  placeRows(rows, GAP, work);
  const shift = fitWidth(box, rows);
  const { tops, heights } = stack(box, rows);
  for (const inner of box.inside) {
    const cell = cells.get(inner.id ?? "");
    const row = rowOf(inner.id ?? "");
    inner.at = { x: (cell?.x ?? 0) - inner.reach / 2 + shift, y: tops[row] ?? 0 };
  }
  draw(box, { tops, heights, shift });
}

/**
 * @param {number} width
 * @param {number} row
 * @returns {Cell}
 */
function slot(width, row) {
  return { width, row, x: 0, above: [], below: [], place: 0, key: 0 };
}

/**
 * Gives a piece a slot in every row between its ends, one of them for its label.
 *
 * @param {Piece} piece
 * @param {Cell[][]} rows
 * @param {Map<string, Cell>} cells
 * @param {(id: string) => number} rowOf
 * @param {Work} work
 */
function thread(piece, rows, cells, rowOf, work) {
  const border = piece.side === "top" ? 0 : rows.length - 1;
  const ends = [piece.from, piece.to].map((id) => id === undefined ? border : rowOf(id));
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  // The odd row nearest to the middle.
  const labelRow = 2 * Math.floor((first + last) / 4) + 1;
  const held = Math.max(first + 1, Math.min(labelRow, last - 1));
  piece.cells = [];
  let before;
  for (let row = first; row <= last; row++) {
    work.steps++;
    const isEnd = row === first || row === last;
    const id = row === ends[0] ? piece.from : row === ends[1] ? piece.to : undefined;
    const isLabel = piece.hasLabel && row === held;
    let cell = isEnd && id !== undefined ? cells.get(id) : undefined;
    if (!cell) {
      cell = slot(isLabel ? piece.edge.width : PASS, row);
      cell.piece = piece;
      cell.isLabel = isLabel;
      cell.isBorder = isEnd;
      rows[row]?.push(cell);
    }
    before?.below.push(cell);
    if (before) cell.above.push(before);
    piece.cells.push(cell);
    before = cell;
  }
}

/**
 * Keeps what crosses the upper border clear of the title, and gives the box its width.
 *
 * @param {Frame} box
 * @param {Cell[][]} rows
 * @returns {number} by how much all slots are moved to be inside
 */
function fitWidth(box, rows) {
  const edges = rows.slice(1).flat();
  const left = Math.min(...edges.map(({ x, width }) => x - width / 2));
  let free = left + box.titleWidth + GAP;
  for (const cell of rows[0] ?? []) {
    if (box.id !== undefined) cell.x = Math.max(cell.x, free + cell.width / 2);
    free = cell.x + cell.width / 2 + GAP;
  }
  const right = Math.max(...rows.flat().map(({ x, width }) => x + width / 2));
  box.width = Math.max(box.titleWidth, right - left + 2 * PADDING);
  return PADDING - left;
}

/**
 * The height of each row, and where it begins. Rows without anything take no room.
 *
 * @param {Frame} box
 * @param {Cell[][]} rows
 */
function stack(box, rows) {
  const heightOf = new Map(box.inside.map((inner) => [inner.id, inner.height]));
  const heights = rows.map((row) =>
    Math.max(
      0,
      ...row.map(({ box: id, isLabel, piece }) =>
        id !== undefined ? heightOf.get(id) ?? 0 : isLabel ? piece?.edge.height ?? 0 : 0
      ),
    )
  );
  /** @type {number[]} */
  const tops = [];
  let y = box.titleHeight;
  heights.forEach((height, row) => {
    const isUsed = (rows[row]?.length ?? 0) > 0;
    if (row > 0 && isUsed) y += ROW_GAP;
    tops.push(row === 0 ? 0 : y);
    y += height;
  });
  const isCrossed = (rows.at(-1)?.length ?? 0) > 0;
  box.height = Math.max(isCrossed ? y : y + PADDING, heightOfLoops(box));
  return { tops, heights };
}
