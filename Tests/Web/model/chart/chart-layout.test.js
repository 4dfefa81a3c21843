import assert from "node:assert/strict";
import { layOut } from "../../../../web/model/chart/chart-layout.js";
import { pathOf } from "../../../../web/model/chart/chart-routes.js";
import { Random } from "../../random.js";

/** @import { Box, EdgeShape, Layout, NodeShape, Point } from "../../../../web/model/chart/chart-layout.js" */

/** A step takes 0.1 to 0.3 µs: random charts take about a frame, the worst one some, and only once. */
const FRAME = 200_000;
const MAXIMUM_STEPS = 1_000_000;

/**
 * @param {string} id
 * @param {string} [parent]
 * @returns {NodeShape}
 */
const node = (id, parent) => ({ id, parent, width: 60 + id.length, height: 30 });

/**
 * @param {string} from
 * @param {string} to
 * @param {string} [id]
 * @returns {EdgeShape}
 */
const edge = (from, to, id = `${from}>${to}`) => ({ id, from, to, width: 40, height: 18 });

/** @param {Box} a @param {Box} b */
const overlap = (a, b) =>
  a.x < b.x + b.width - 0.01 && b.x < a.x + a.width - 0.01 &&
  a.y < b.y + b.height - 0.01 && b.y < a.y + a.height - 0.01;

/** @param {Box} inner @param {Box} outer */
const isInside = (inner, outer) =>
  inner.x >= outer.x - 0.01 && inner.y >= outer.y - 0.01 &&
  inner.x + inner.width <= outer.x + outer.width + 0.01 &&
  inner.y + inner.height <= outer.y + outer.height + 0.01;

/** @param {Point | undefined} point @param {Box} box */
const isOnBorder = (point, box) => {
  if (!point) return false;
  const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 0.01;
  const { x, y, width, height } = box;
  const inX = point.x >= x - 0.01 && point.x <= x + width + 0.01;
  const inY = point.y >= y - 0.01 && point.y <= y + height + 0.01;
  return inX && inY &&
    (near(point.x, x) || near(point.x, x + width) || near(point.y, y) || near(point.y, y + height));
};

/**
 * Points along a route as it is drawn, bends included.
 *
 * @param {readonly Point[]} points
 * @returns {Point[]}
 */
const along = (points) =>
  points.flatMap((to, index) => {
    const from = points[index - 1];
    if (!from) return [to];
    const isBent = from.x !== to.x && from.y !== to.y;
    return Array.from({ length: 8 }, (_, step) => {
      const t = (step + 1) / 8;
      if (!isBent) return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t };
      const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
      const middle = (from.y + to.y) / 2;
      return {
        x: (a + b) * from.x + (c + d) * to.x,
        y: a * from.y + (b + c) * middle + d * to.y,
      };
    });
  });

/**
 * All that must be true of any layout.
 *
 * @param {readonly NodeShape[]} nodes
 * @param {readonly EdgeShape[]} edges
 * @param {Layout} layout
 */
function check(nodes, edges, layout) {
  const box = (/** @type {string} */ id) => {
    const found = layout.boxes.get(id);
    assert.ok(found, id);
    return found;
  };
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const chain = (/** @type {string} */ id) => {
    const all = new Set([id]);
    for (let at = parents.get(id); at !== undefined; at = parents.get(at)) all.add(at);
    return all;
  };
  const all = { x: 0, y: 0, width: layout.width, height: layout.height };
  for (const { id, parent, width, height } of nodes) {
    assert.ok(box(id).width >= width && box(id).height >= height, `${id} is too small`);
    assert.ok(isInside(box(id), parent === undefined ? all : box(parent)), `${id} is outside`);
    for (const other of nodes) {
      if (other.id <= id || other.parent !== parent) continue;
      assert.ok(!overlap(box(id), box(other.id)), `${id} overlaps ${other.id}`);
    }
  }
  const labels = edges.map(({ id }) => layout.routes.get(id)?.label);
  edges.forEach(({ id, from, to }, index) => {
    const route = layout.routes.get(id);
    assert.ok(route, id);
    assert.ok(isOnBorder(route.points[0], box(from)), `${id} does not begin at its box`);
    assert.ok(isOnBorder(route.points.at(-1), box(to)), `${id} does not end at its box`);
    assert.ok(isInside(route.label, all), `the label of ${id} is outside`);
    // Its pieces meet at the borders: nothing but a loop goes sideways.
    const jump = route.points.find(({ x, y }, at) => {
      const before = route.points[at - 1];
      return before && Math.abs(before.y - y) < 0.01 && Math.abs(before.x - x) > 0.01;
    });
    assert.ok(from === to || !jump, `${id} is torn at a border`);
    const own = new Set([...chain(from), ...chain(to)]);
    for (const other of nodes) {
      const isAround = isInside(route.label, box(other.id));
      assert.ok(isAround || !overlap(route.label, box(other.id)), `${id} on ${other.id}`);
      const title = { ...box(other.id), width: other.width, height: other.height };
      assert.ok(!overlap(route.label, title), `${id} on the title of ${other.id}`);
      const isOuter = nodes.some(({ parent }) => parent === other.id);
      if (own.has(other.id)) {
        /** @type {Point | undefined} */
        const crossing = along(route.points).find((point) =>
          isOuter && overlap({ ...point, width: 0, height: 0 }, title)
        );
        assert.equal(crossing, undefined, `${id} crosses the title of ${other.id}`);
        continue;
      }
      for (const { x, y } of along(route.points)) {
        const { x: left, y: top, width, height } = box(other.id);
        const isIn = x > left + 0.1 && x < left + width - 0.1 && y > top + 0.1 &&
          y < top + height - 0.1;
        assert.ok(!isIn, `${id} crosses ${other.id}`);
      }
    }
    for (const other of labels.slice(0, index)) {
      assert.ok(other && !overlap(route.label, other), `the label of ${id} overlaps another one`);
    }
  });
}

/**
 * A random tree of states with random edges.
 *
 * @param {number} seed
 * @param {number} count
 * @param {number} edgeCount
 */
function randomChart(seed, count, edgeCount) {
  const numbers = new Random(seed);
  const random = () => numbers.below(1_000) / 1_000;
  /** @type {NodeShape[]} */
  const nodes = [];
  for (let index = 0; index < count; index++) {
    const isNested = index > 0 && random() < 0.6;
    const parent = isNested ? nodes[Math.floor(random() * index)]?.id : undefined;
    nodes.push({ id: `s${index}`, parent, width: 40 + random() * 90, height: 26 + random() * 20 });
  }
  const any = () => nodes[Math.floor(random() * count)]?.id ?? "";
  const edges = Array.from({ length: edgeCount }, (_, index) => ({
    ...edge(any(), any(), `e${index}`),
    width: 20 + random() * 100,
  }));
  return { nodes, edges };
}

Deno.test("draws a state above the one that it leads to, and one inside of its parent", () => {
  const nodes = [node("root"), node("out", "root"), node("in", "root"), node("list", "in")];
  const edges = [edge("out", "list"), edge("in", "out"), edge("list", "in"), edge("root", "out")];
  const layout = layOut(nodes, edges);
  check(nodes, edges, layout);
  const y = (/** @type {string} */ id) => layout.boxes.get(id)?.y ?? NaN;
  assert.ok(y("out") < y("in"));
  // Back from below: the arrow leaves at the top of the one and enters at the bottom of the other.
  const back = layout.routes.get("in>out")?.points ?? [];
  assert.ok((back[0]?.y ?? 0) > (back.at(-1)?.y ?? 0));
});

Deno.test("draws circles, loops, and several arrows between two states", () => {
  const nodes = ["a", "b", "c"].map((id) => node(id));
  const edges = [
    ...[edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("b", "b"), edge("c", "b")],
    ...[edge("a", "b", "again"), edge("b", "b", "loop")],
  ];
  check(nodes, edges, layOut(nodes, edges));
});

Deno.test("keeps boxes, arrows and labels apart, whatever the chart", () => {
  for (let seed = 1; seed <= 120; seed++) {
    const count = 1 + seed % 14;
    const { nodes, edges } = randomChart(seed, count, (seed * 7) % (2 * count + 1));
    try {
      check(nodes, edges, layOut(nodes, edges));
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`);
    }
  }
});

Deno.test("lays out 200 states within the budget of a frame", () => {
  for (const seed of [1, 2, 3]) {
    const { nodes, edges } = randomChart(seed, 200, 300);
    const { steps } = layOut(nodes, edges);
    assert.ok(steps < FRAME, `${steps}`);
  }
  // A long chain with a way back from each of its states is the worst.
  const nodes = Array.from({ length: 200 }, (_, index) => node(`s${index}`));
  const edges = nodes.slice(1).flatMap(({ id }, index) => [edge(`s${index}`, id), edge(id, "s0")]);
  const { steps } = layOut(nodes, edges);
  assert.ok(steps < MAXIMUM_STEPS, `${steps}`);
});

Deno.test("lays out the same chart the same way, and an empty one", () => {
  const { nodes, edges } = randomChart(5, 20, 25);
  assert.deepEqual(layOut(nodes, edges), layOut(nodes, edges));
  assert.equal(layOut([], []).boxes.size, 0);
});

Deno.test("writes a route as a path that is straight in rows and bent between them", () => {
  const points = [{ x: 0, y: 0 }, { x: 0, y: 10 }, { x: 20, y: 30 }, { x: 20, y: 40.04 }];
  assert.equal(pathOf(points), "M0 0L0 10C0 20 20 20 20 30L20 40");
});
