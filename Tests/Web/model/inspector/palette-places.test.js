/** The palette finds machines, branches, events, values of the state, and outputs, and goes there. */

import assert from "node:assert/strict";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";
import { searchTitles } from "../../../../web/model/commands/title-search.js";
import { placesOf, visitPlace } from "../../../../web/model/inspector/palette-places.js";

const ONE = idOf("1");
const OTHER = idOf("2");

async function open() {
  const daemon = await openDaemon([
    { id: ONE },
    {
      id: OTHER,
      header: { machine: { type: "Coin", name: "coin" } },
      rest: { name: "the other coin" },
    },
  ]);
  const { inspector } = await inspect(daemon.source, { timeline: ONE, seq: 8 });
  await settle();
  /** @param {string} typed */
  const find = (typed) => searchTitles(placesOf(inspector), typed);
  return { inspector, find };
}

Deno.test("finds a machine by its name, and opens it", async () => {
  const { inspector, find } = await open();
  const [place] = find("other");
  assert.deepEqual([place?.is, place?.title], ["machine", "the other coin"]);
  assert.ok(place);
  visitPlace(inspector, place, () => {});
  assert.equal(inspector.data?.id, OTHER);
});

Deno.test("finds the machines of an app by its name and type, after those that are called so", async () => {
  const daemon = await openDaemon([
    { id: ONE, header: { app: { name: "Shop", pid: 1, host: "desk" } } },
    {
      id: OTHER,
      header: { machine: { type: "Coin", name: "coin" } },
      rest: { name: "the shop window" },
    },
  ]);
  const { inspector } = await inspect(daemon.source, { timeline: ONE, seq: 8 });
  const find = (/** @type {string} */ typed) =>
    searchTitles(placesOf(inspector), typed).map(({ key }) => key);
  assert.deepEqual(find("shop"), [OTHER, ONE]);
  assert.deepEqual(find("shop counter"), [ONE]);
  assert.deepEqual(find("shop window"), [OTHER]);
});

Deno.test("finds a value of the state by its path, and shows it", async () => {
  const { inspector, find } = await open();
  const [place] = find("state.n");
  assert.deepEqual([place?.is, place?.title, place?.key], ["value", "state.n", "/state/n"]);
  assert.ok(place);
  /** @type {string[]} */
  const shown = [];
  visitPlace(inspector, place, (path) => shown.push(path));
  assert.deepEqual(shown, ["/state/n"]);
});

Deno.test("finds an output by its name, also one that has no value now", async () => {
  const { inspector, find } = await open();
  const { shown } = inspector.moment;
  assert.ok(shown?.is === "known" && inspector.summary);
  shown.outputs = { "a/b": 3 };
  inspector.summary.header.outputs = new Map([["alert", "ui"]]);
  const found = find("outputs").map(({ title, detail, key }) => [title, detail, key]);
  assert.deepEqual(found, [
    ["outputs.alert", "nil", "/outputs/alert"],
    ['outputs["a/b"]', "3", "/outputs/a~1b"],
  ]);
});

Deno.test("finds an event by its name, and goes to the first one", async () => {
  const { inspector } = await open();
  const place = placesOf(inspector).find(({ is }) => is === "event");
  assert.ok(place);
  visitPlace(inspector, place, () => {});
  await settle();
  assert.equal(inspector.data?.filter, `event == "${place.title}"`);
  assert.equal(inspector.cursor, inspector.data?.filtered?.seqs[0]);
});
