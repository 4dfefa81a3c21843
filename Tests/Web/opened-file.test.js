import assert from "node:assert/strict";
import { OpenedFile } from "../../web/opened-file.js";
import { counterLines, HEADER, openLines } from "./files.js";
import { idOf, inspect, openDaemon, settle } from "./daemons.js";

/** @import { Opening } from "../../web/model/cover.js" */

const [THEIRS = "", OTHER = "", OURS = "", GONE = ""] = ["a", "b", "c", "d"].map(idOf);
const BYTES = 100;

/**
 * A page with a timeline of a daemon, and a file over it.
 *
 * @param {(request: any) => void} [onPart] before a part of the file is answered
 */
async function openOver(onPart) {
  /** @type {any[]} */
  const parts = [];
  const daemon = await openDaemon([{ id: THEIRS }, { id: OTHER }], {
    import: () => ({ type: "import", upload: "u", partBytes: 40 }),
    part: (request) => {
      parts.push(request);
      onPart?.(request);
      return { type: "import", upload: "u", partBytes: 40, timelines: [OTHER] };
    },
  });
  const page = await inspect(daemon.source, { timeline: THEIRS, seq: 5 });
  /** @type {(Opening | undefined)[]} */
  const shown = [];
  let restarts = 0;
  const opened = new OpenedFile({
    inspector: page.inspector,
    daemon: Object.assign(daemon.source, { state: { is: "open" }, restart: () => restarts++ }),
    attach: (source) => page.inspector.attach(source),
    tell: (opening) => void shown.push(opening),
  }, /** @type {any} */ (read));
  await opened.open(new File([new Uint8Array(BYTES)], "a walk.timeline"));
  return { ...page, ...daemon, opened, parts, shown, restarts: () => restarts };
}

async function read() {
  const file = await openLines(counterLines(30), { ...HEADER, timeline: OURS });
  return Object.assign(file, { close: () => {}, tornBytes: 0 });
}

/** @param {Awaited<ReturnType<typeof openOver>>} page */
const place = ({ inspector }) => [inspector.source?.kind, inspector.data?.id, inspector.cursor];

Deno.test("Back leads from a file to the daemon's timeline before it", async () => {
  const page = await openOver();
  assert.deepEqual(place(page), ["file", OURS, 29]);
  await page.opened.visit({ ...page.inspector.location, timeline: OTHER, seq: 7 });
  assert.deepEqual(place(page), ["daemon", OTHER, 7]);
  assert.equal(page.opened.file, undefined);
  assert.deepEqual([...page.inspector.summaries.keys()], [THEIRS, OTHER]);
  assert.deepEqual(page.told(), []);
});

Deno.test("the file stays where Back leads to what the daemon has not either", async () => {
  const page = await openOver();
  await page.opened.visit({ ...page.inspector.location, timeline: GONE, seq: 7 });
  assert.deepEqual(place(page), ["file", OURS, 29]);
  assert.match(page.told().at(-1) ?? "", /not here any more/);
  await page.opened.visit({ ...page.inspector.location, seq: 3 });
  assert.deepEqual(place(page), ["file", OURS, 3]);
});

Deno.test("of two ways that are taken one after the other the later one counts", async () => {
  const page = await openOver();
  const { location } = page.inspector;
  const away = page.opened.visit({ ...location, timeline: OTHER, seq: 7 });
  await page.opened.visit({ ...location, seq: 3 });
  await away;
  assert.deepEqual(place(page), ["file", OURS, 3]);
});

Deno.test("a file that is closed gives way to where the reader was", async () => {
  const page = await openOver();
  await page.opened.close();
  await settle();
  assert.deepEqual(place(page), ["daemon", THEIRS, 5]);
  await page.opened.close();
  assert.deepEqual(page.told(), ["No file is open."]);
});

Deno.test("tells what is done with a file, and shows what the daemon was given", async () => {
  const page = await openOver();
  page.inspector.goTo(12);
  await page.opened.give();
  assert.deepEqual(page.parts.map(({ offset, last }) => [offset, last]), [
    [0, undefined],
    [40, undefined],
    [80, true],
  ]);
  assert.deepEqual(page.shown.map((one) => one && `${one.kind} ${one.share}`), [
    "reading 0",
    undefined,
    "giving 0",
    "giving 0.4",
    "giving 0.8",
    "giving 1",
    undefined,
  ]);
  assert.deepEqual(place(page), ["daemon", OTHER, 12]);
});

Deno.test("stops giving a file when it is cancelled, and the daemon forgets it", async () => {
  const page = await openOver(() => page.opened.cancel());
  await page.opened.give();
  assert.deepEqual([page.parts.length, page.restarts()], [1, 1]);
  assert.deepEqual(place(page), ["file", OURS, 29]);
  assert.equal(page.opened.file?.name, "a walk.timeline");
  assert.deepEqual([page.shown.at(-1), page.told()], [undefined, []]);
});

Deno.test("says that a file was all there before it was cancelled", async () => {
  const page = await openOver(({ last }) => last && page.opened.cancel());
  await page.opened.give();
  assert.deepEqual(place(page), ["file", OURS, 29]);
  assert.match(page.told().at(-1) ?? "", /a walk\.timeline is in the daemon/);
});
