import assert from "node:assert/strict";
import { NamedFilters } from "../../../../web/model/inspector/named-filters.js";
import { RequestError } from "../../../../web/wire/requests.js";

/** @import { Inspector } from "../../../../web/model/inspector/inspector.js" */

/** @typedef {{ name: string, predicate: string }} Kept */

/** An inspector whose daemon answers when the test says so. */
function inspecting() {
  /** @type {{ machine: string, answer: (filters: Kept[]) => void, refuse: () => void }[]} */
  const asked = [];
  /** @type {unknown[]} */
  const reported = [];
  /** @type {string[]} */
  const said = [];
  const inspector = {
    source: {
      kind: "daemon",
      capabilities: new Set(["look", "change"]),
      ask: (/** @type {{ machine: string }} */ { machine }) =>
        new Promise((done, fail) =>
          asked.push({
            machine,
            answer: (filters) => done({ type: "filters", filters }),
            refuse: () => fail(new RequestError("limit", "Too many filters.")),
          })
        ),
    },
    summary: { header: { machine: { type: "Cart" } } },
    data: { filter: "state.n > 1", shortPredicate: "state.n > 1" },
    report: (/** @type {unknown} */ error) => reported.push(error),
    notify: (/** @type {string} */ _, /** @type {string} */ text) => said.push(text),
  };
  const filters = new NamedFilters(/** @type {Inspector} */ (/** @type {unknown} */ (inspector)));
  return { asked, reported, said, inspector, filters };
}

const names = (/** @type {NamedFilters} */ filters) => filters.list.map(({ name }) => name);

Deno.test("the list is that of the shown machine, and a late answer of another one is ignored", async () => {
  const { asked, inspector, filters } = inspecting();
  const cart = filters.load();
  asked[0]?.answer([{ name: "loss", predicate: "state.total < 0" }]);
  await cart;
  assert.deepEqual(names(filters), ["loss"]);
  inspector.summary.header.machine.type = "Door";
  assert.deepEqual(names(filters), []);
  const late = filters.load();
  inspector.summary.header.machine.type = "Cart";
  assert.deepEqual(names(filters), ["loss"]);
  asked[1]?.answer([{ name: "open", predicate: "state.open" }]);
  await late;
  assert.equal(asked[1]?.machine, "Door");
  assert.deepEqual(names(filters), ["loss"]);
});

Deno.test("a refused change is reported and leaves the list as it is", async () => {
  const { asked, reported, filters } = inspecting();
  const loading = filters.load();
  asked[0]?.answer([{ name: "loss", predicate: "state.total < 0" }]);
  await loading;
  const keeping = filters.keep("more");
  asked[1]?.refuse();
  await keeping;
  assert.equal(reported.length, 1);
  assert.deepEqual(names(filters), ["loss"]);
});

Deno.test("a filter is found by its name; other names are answered with those that there are", async () => {
  const { asked, said, filters } = inspecting();
  const kept = [{ name: "loss", predicate: "state.total < 0" }];
  const known = filters.predicateOf("loss");
  asked[0]?.answer(kept);
  assert.equal(await known, "state.total < 0");
  const unknown = filters.predicateOf("los");
  asked[1]?.answer(kept);
  assert.equal(await unknown, undefined);
  const first = filters.predicateOf("loss");
  asked[2]?.answer([]);
  assert.equal(await first, undefined);
  assert.deepEqual(said, [
    "No filter is called “los”. There are: loss.",
    "No filter is called “loss”. None is kept for this type of machine.",
  ]);
});

Deno.test("a filter that was kept is confirmed", async () => {
  const { asked, said, filters } = inspecting();
  const keeping = filters.keep("more");
  asked[0]?.answer([{ name: "more", predicate: "state.n > 1" }]);
  await keeping;
  assert.deepEqual(said, ["Kept the filter “more”."]);
});
