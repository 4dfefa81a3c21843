import assert from "node:assert/strict";
import { OpenedFile } from "../../../web/page/opened-file.js";
import { counterLines, HEADER, openLines } from "../files.js";
import { idOf, inspect, openDaemon, settle } from "../daemons.js";

/** @import { Opening } from "../../../web/model/inspector/cover.js" */

const [THEIRS = "", OTHER = "", OURS = "", GONE = ""] = ["a", "b", "c", "d"].map(idOf);
const BYTES = 100;

/**
 * A page with a timeline of a daemon, and a file over it.
 *
 * @param {(request: any) => void} [onPart] before a part of the file is answered
 * @param {{ seq?: number, isLive?: boolean, watched?: string }} [shown] what the page showed before
 */
async function openOver(onPart, { seq = 5, isLive = false, watched } = {}) {
  /** @type {any[]} */
  const parts = [];
  const daemon = await openDaemon([{ id: THEIRS, rest: { live: isLive } }, { id: OTHER }], {
    import: () => ({ type: "import", upload: "u", partBytes: 40 }),
    part: (request) => {
      parts.push(request);
      onPart?.(request);
      return { type: "import", upload: "u", partBytes: 40, timelines: [OTHER] };
    },
  });
  const place = isLive ? {} : { seq };
  const page = await inspect(daemon.source, { timeline: THEIRS, ...place });
  if (watched !== undefined) page.inspector.watch?.toggle(watched, seq);
  /** @type {(Opening | undefined)[]} */
  const shown = [];
  /** What Back is to lead to. @type {unknown[]} */
  const left = [];
  let restarts = 0;
  const feed = Object.assign(daemon.source, { state: { is: "open" }, restart: () => restarts++ });
  const opened = new OpenedFile({
    inspector: page.inspector,
    daemon: feed,
    attach: (source) => page.inspector.attach(source),
    leaves: () => void left.push([page.inspector.data?.id, page.inspector.cursor]),
    report: (opening) => void shown.push(opening),
  }, /** @type {any} */ (read));
  await opened.open(new File([new Uint8Array(BYTES)], "a walk.timeline"));
  return { ...page, ...daemon, feed, opened, parts, shown, left, restarts: () => restarts };
}

async function read() {
  const file = await openLines(counterLines(30), { ...HEADER, timeline: OURS });
  return Object.assign(file, { close: () => {}, tornBytes: 0 });
}

/** @param {Awaited<ReturnType<typeof openOver>>} page */
const place = ({ inspector }) => [inspector.source?.kind, inspector.data?.id, inspector.cursor];

Deno.test("Back goes from a file to the previous timeline of the daemon", async () => {
  const page = await openOver();
  assert.deepEqual(place(page), ["file", OURS, 29]);
  await page.opened.visit({ ...page.inspector.location, timeline: OTHER, seq: 7 });
  assert.deepEqual(place(page), ["daemon", OTHER, 7]);
  assert.equal(page.opened.file, undefined);
  assert.deepEqual([...page.inspector.summaries.keys()], [THEIRS, OTHER]);
  assert.deepEqual(page.notices(), []);
});

Deno.test("the file stays when Back goes to a timeline that the daemon does not have", async () => {
  const page = await openOver();
  await page.opened.visit({ ...page.inspector.location, timeline: GONE, seq: 7 });
  assert.deepEqual(place(page), ["file", OURS, 29]);
  assert.match(page.notices().at(-1) ?? "", /no longer exists/);
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

Deno.test("closing a file returns to the previous place", async () => {
  const page = await openOver();
  await page.opened.close();
  await settle();
  assert.deepEqual(place(page), ["daemon", THEIRS, 5]);
  await page.opened.close();
  assert.deepEqual(page.notices(), ["No file is open."]);
});

Deno.test("Back goes to the place before the first file, and to no file", async () => {
  const page = await openOver();
  assert.deepEqual(page.left, [[THEIRS, 5]]);
  await page.opened.open(new File([new Uint8Array(BYTES)], "another.timeline"));
  assert.equal(page.left.length, 1);
});

Deno.test("following resumes when the file is closed", async () => {
  const page = await openOver(undefined, { isLive: true });
  page.inspector.goTo(3);
  page.summaries[0].last = 19;
  await page.opened.close();
  await settle();
  assert.deepEqual([...place(page), page.inspector.isFollowing], ["daemon", THEIRS, 19, true]);
  // A reader who had looked back stays there.
  page.inspector.goTo(8);
  await page.opened.open(new File([new Uint8Array(BYTES)], "another.timeline"));
  await page.opened.close();
  await settle();
  assert.deepEqual([...place(page), page.inspector.isFollowing], ["daemon", THEIRS, 8, false]);
});

Deno.test("a daemon sends nothing to a page that shows a file", async () => {
  const page = await openOver();
  await settle();
  const watches = () => page.of("watch").map(({ timeline, stop }) => [timeline, stop]);
  assert.deepEqual(watches(), [
    [undefined, undefined],
    [THEIRS, undefined],
    [THEIRS, true],
    [undefined, true],
  ]);
  await page.opened.close();
  await settle();
  assert.deepEqual(watches().slice(4), [[undefined, undefined], [THEIRS, undefined]]);
});

Deno.test("watches the same values when a file is the daemon's, and when it is closed", async () => {
  const page = await openOver(undefined, { watched: "/state/log" });
  const { inspector } = page;
  assert.deepEqual(inspector.watch?.paths, []);
  await page.opened.close();
  await settle();
  assert.deepEqual(inspector.watch?.paths, ["/state/log"]);
  await page.opened.open(new File([new Uint8Array(BYTES)], "another.timeline"));
  inspector.goTo(12);
  inspector.watch?.toggle("/state/n", 12);
  await page.opened.give();
  await settle();
  assert.deepEqual([inspector.data?.id, inspector.watch?.paths], [OTHER, ["/state/n"]]);
  assert.equal(inspector.watch?.value(0, 12), 16);
});

Deno.test("says why a file cannot be imported now", async () => {
  const page = await openOver();
  const why = async (/** @type {unknown} */ state) => {
    page.feed.state = state;
    await page.opened.give();
    return page.notices().at(-1);
  };
  const sentence = "No daemon is connected. You can import the file when one is.";
  assert.equal(await why({ is: "waiting", attempt: 1, until: 0, why: "It ended." }), sentence);
  assert.match(
    await why({ is: "refused", reason: "unauthorized", why: "The session ended." }) ?? "",
    /^The session ended\. Run debugd open in a terminal/,
  );
  page.feed.state = { is: "open" };
  await page.opened.close();
  assert.match(await why({ is: "open" }) ?? "", /^Open a timeline file first/);
});

Deno.test("a file that is compressed with gzip is imported without its compression", async () => {
  const page = await openOver();
  const text = "line\n".repeat(20);
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = await new Response(stream).blob();
  await page.opened.open(new File([packed], "a walk.timeline.gz"));
  await page.opened.give();
  assert.equal(page.parts.map(({ data }) => atob(data)).join(""), text);
});

Deno.test("shows the progress of a file, and then the imported timeline", async () => {
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

Deno.test("stops an import when it is canceled, and the daemon discards it", async () => {
  const page = await openOver(() => page.opened.cancel());
  await page.opened.give();
  assert.deepEqual([page.parts.length, page.restarts()], [1, 1]);
  assert.deepEqual(place(page), ["file", OURS, 29]);
  assert.equal(page.opened.file?.name, "a walk.timeline");
  assert.deepEqual([page.shown.at(-1), page.notices()], [undefined, []]);
});

Deno.test("says that a file was imported before it was canceled", async () => {
  const page = await openOver(({ last }) => last && page.opened.cancel());
  await page.opened.give();
  assert.deepEqual(place(page), ["file", OURS, 29]);
  assert.match(page.notices().at(-1) ?? "", /a walk\.timeline was imported/);
});
