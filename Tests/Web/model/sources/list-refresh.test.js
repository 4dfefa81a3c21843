/** The list of machines counts the entries of timelines that are not in view, also when they end. */

import assert from "node:assert/strict";
import { holding, idOf, inspect, openDaemon, settle } from "../../daemons.js";
import { ListRefresh } from "../../../../web/model/sources/list-refresh.js";

const SEEN = idOf("1");
const OTHER = idOf("2");

/** A daemon with two live counters, of which the first is in view. */
async function open() {
  const daemon = await openDaemon([
    { id: SEEN, rest: { live: true } },
    { id: OTHER, rest: { live: true, entries: 6, last: 5 } },
  ]);
  const held = holding(daemon.source, "timelines");
  const { inspector } = await inspect(held.source, { timeline: SEEN });
  const list = new ListRefresh(inspector);
  await list.refresh();
  /** @param {any} change what becomes of the other counter, for the daemon and as news */
  const become = (change) => {
    Object.assign(daemon.summaries, [daemon.summaries[0], { ...daemon.summaries[1], ...change }]);
  };
  const announce = () => {
    daemon.news.emit(/** @type {any} */ ({ type: "timeline", timeline: daemon.summaries[1] }));
  };
  const count = () => {
    const { entries, live } = inspector.summaries.get(OTHER) ?? {};
    return [entries, live];
  };
  return { daemon, held, list, become, announce, count };
}

Deno.test("counts the last entries of a timeline that ended before they were counted", async () => {
  const { daemon, list, become, announce, count } = await open();
  become({ live: undefined });
  announce();
  become({ entries: 9, last: 8 });
  assert.deepEqual(count(), [6, undefined]);
  await list.refresh();
  assert.deepEqual(count(), [9, undefined]);
  // Once is enough.
  const asked = daemon.of("timelines").length;
  await list.refresh();
  assert.equal(daemon.of("timelines").length, asked);
});

Deno.test("keeps the news of an end that arrives before an older reply", async () => {
  const { held, list, become, announce, count } = await open();
  held.hold();
  const refreshed = list.refresh();
  await settle();
  become({ live: undefined, entries: 9, last: 8 });
  announce();
  // The answer was written before the end.
  become({ live: true, entries: 7, last: 6 });
  await held.letGo();
  await refreshed;
  assert.deepEqual(count(), [9, undefined]);
});
