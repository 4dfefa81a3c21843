/** What caused an entry, and what it caused. */

import assert from "node:assert/strict";
import { fetchClosure } from "../../../../web/model/timeline/causes.js";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";

const [ONE = "", OTHER = "", AWAY = ""] = ["a", "b", "c"].map(idOf);

/**
 * Entries of which each one caused the next.
 *
 * @param {{ from: number }} request
 */
const chain = ({ from }) => ({
  type: "entries",
  entries: Array.from({ length: 1_000 }, (_, at) => from + at)
    .map((seq) => ({ seq, t: 0, event: "step", cause: seq - 1, patch: [] })),
  next: from + 1_000,
});

Deno.test("refuses to skip only some of an entry's effects when there are too many", async () => {
  const { source, of } = await openDaemon([{ id: ONE, rest: { last: 200_000 } }], {
    entries: chain,
  });
  assert.equal((await fetchClosure(source, ONE, [5], 100_005)).size, 100_001);
  const { inspector, timeTravel: { rewriting }, notices } = await inspect(source, {
    timeline: ONE,
    seq: 5,
  });
  inspector.goTo(5);
  await rewriting.skipCaused();
  assert.match(
    notices().at(-1) ?? "",
    /^More than 100,000 entries were caused .* To continue, skip only this/,
  );
  assert.deepEqual(of("fork"), []);
});

Deno.test("says what is known where no entry names another as its cause", async () => {
  const parent = { timeline: ONE, through: 19, start: 4, edits: [{ cut: 4 }] };
  const { source, of } = await openDaemon([{ id: ONE }, { id: OTHER, header: { parent } }], {
    fork: () => ({ type: "fork", timeline: OTHER, start: 5, parent: ONE }),
  });
  const { inspector, timeTravel: { rewriting }, notices } = await inspect(source, {
    timeline: ONE,
    seq: 5,
  });
  inspector.goTo(5);
  await rewriting.skipCaused();
  assert.equal(inspector.data?.id, OTHER);
  assert.equal(
    notices()[0],
    "No entry names this one as its cause, so only it is skipped. " +
      "If an effect sent events later, select and skip those, too.",
  );
  assert.equal(of("fork").length, 1);
});

Deno.test("follows a cause to its timeline if that is loaded", async () => {
  const { source } = await openDaemon([{ id: ONE }, { id: OTHER }]);
  const ask = source.ask;
  source.ask = async (/** @type {any} */ request, /** @type {any} */ options) => {
    const answer = await ask(request, options);
    if (request.type !== "entries" || request.timeline !== ONE) return answer;
    const causes = /** @type {Record<number, string>} */ ({ 7: `${OTHER}:4`, 8: `${AWAY}:4000` });
    return {
      ...answer,
      entries: answer.entries.map((/** @type {any} */ entry) =>
        causes[entry.seq] ? { ...entry, cause: causes[entry.seq] } : entry
      ),
    };
  };
  const { inspector, notices } = await inspect(source, { timeline: ONE, seq: 8 });
  inspector.goTo(8);
  await settle();
  inspector.travel.goToCause();
  assert.deepEqual([inspector.data?.id, inspector.cursor], [ONE, 8]);
  assert.match(
    notices().at(-1) ?? "",
    /^Entry 4,000 of another timeline caused this one, and that timeline is not loaded\. To follow/,
  );
  inspector.goTo(7);
  inspector.travel.goToCause();
  await settle();
  assert.deepEqual([inspector.data?.id, inspector.cursor], [OTHER, 4]);
});
