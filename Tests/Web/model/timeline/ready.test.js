import assert from "node:assert/strict";
import { Inspector } from "../../../../web/model/inspector/inspector.js";
import { makeReady } from "../../../../web/model/timeline/ready.js";
import { counterLines, openLines, TIMELINE } from "../../files.js";

/** The file's timeline under a second name: as far as the file knows, the same one. */
const OTHER = `${TIMELINE.slice(0, -1)}f`;

async function openTwo() {
  const file = await openLines(counterLines(1_000));
  /** @type {string[]} */
  const asked = [];
  const source = {
    kind: file.kind,
    capabilities: file.capabilities,
    news: file.news,
    ask: (/** @type {any} */ request, /** @type {any} */ options) => {
      asked.push(request.type);
      return file.ask({ ...request, timeline: TIMELINE }, options);
    },
  };
  const inspector = new Inspector();
  await inspector.attach(/** @type {any} */ (source));
  const summary = inspector.summaries.get(TIMELINE);
  assert.ok(summary);
  inspector.summaries.set(OTHER, {
    ...summary,
    header: { ...summary.header, timeline: OTHER },
  });
  return { inspector, asked };
}

Deno.test("has the moment and the rows around it before a timeline is shown", async () => {
  const { inspector, asked } = await openTwo();
  const ready = makeReady(inspector, OTHER, 130);
  assert.ok(ready);
  await ready.fetched;
  assert.equal(inspector.data?.id, TIMELINE);
  const { length } = asked;
  inspector.open(OTHER, 130, ready.data);
  assert.equal(inspector.data?.id, OTHER);
  assert.equal(inspector.moment.shown?.seq, 130);
  for (const seq of [115, 130, 145]) assert.equal(inspector.data.entries.get(seq)?.seq, seq);
  assert.ok(!asked.slice(length).includes("state"));
});

Deno.test("fetches nothing for visible or unknown values", async () => {
  const { inspector } = await openTwo();
  assert.equal(makeReady(inspector, TIMELINE, 5), undefined);
  assert.equal(makeReady(inspector, `${TIMELINE.slice(0, -1)}0`, 5), undefined);
});
