/** What messages advise, quoted in full: each is what can be done in that situation. */

import assert from "node:assert/strict";
import { awayNote } from "../../../../web/model/sources/source.js";
import { endOf } from "../../../../web/model/branches/branches.js";
import { fetchClosure } from "../../../../web/model/timeline/causes.js";
import { Driving } from "../../../../web/model/live/driving.js";
import { COMMANDS } from "../../../../web/model/commands/table.js";
import { coverFor } from "../../../../web/model/inspector/cover.js";
import { whyNoFork, whyNoHost } from "../../../../web/model/branches/hosts.js";
import { whyUnknown } from "../../../../web/model/inspector/unknown.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { openTimelineFile } from "../../../../web/model/files/file-opening.js";
import { counterLines, HEADER, openLines, TIMELINE } from "../../files.js";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";

const [ONE = "", AWAY = ""] = ["a", "c"].map(idOf);

/** @param {any} [machine] @param {any} [rest] */
const summary = (machine = {}, rest = {}) => /** @type {any} */ ({
  header: {
    timeline: TIMELINE,
    app: { name: "Shop" },
    machine: { type: "Shop.Cart", name: "cart", ...machine },
  },
  ...rest,
});

/** @param {any} message @param {string} advice */
function advises(message, advice) {
  assert.ok(`${message}`.endsWith(advice), `${message} does not end with ${advice}`);
}

Deno.test("a branch that ends early shows how to continue", () => {
  for (
    const [ended, advice] of [
      [
        "gap",
        "To continue after the loss, go to the entry after it in the parent, and start a branch from that state.",
      ],
      [
        "trap",
        "To continue, fix the reducer, rebuild the host, and compute the branch again; or skip that event.",
      ],
      [
        "limit",
        "To continue, give hosts more time or memory (debugd serve --host-time, --host-memory), and compute the branch again; or skip that event.",
      ],
      [
        "undecodable",
        "To continue, edit that event or skip it; or compute the branch again on a host that knows it.",
      ],
      ["cancelled", "To continue, compute the branch again."],
      [
        "failed",
        "To continue, open Hosts to see why, and compute the branch again.",
      ],
    ]
  ) {
    assert.equal(endOf(summary({}, { ended, last: 4 }))?.advice, advice);
  }
  const commands = COMMANDS.map(({ title }) => title).join("\n");
  for (const words of ["Start a branch from this state", "Compute this branch again"]) {
    assert.ok(commands.includes(words), words);
  }
});

Deno.test("a read-only view explains how to make changes", () => {
  const daemon = /** @type {any} */ ({ kind: "daemon", capabilities: new Set(["change"]) });
  const file = /** @type {any} */ ({ kind: "file", capabilities: new Set() });
  const looking = /** @type {any} */ ({ kind: "daemon", capabilities: new Set(["look"]) });
  const made = summary({ make: "Cart()" });
  advises(
    whyNoFork({ source: file, summary: made, hosts: [] }),
    "To edit it, run its .timeline with the executable of the app: debugd view FILE --host EXE",
  );
  advises(
    whyNoFork({ source: looking, summary: made, hosts: [] }),
    "This session can look, but not edit. To open one that can, run: debugd open",
  );
  assert.equal(
    whyNoFork({ source: daemon, summary: made, hosts: [], connection: { is: "waiting" } }),
    "The daemon is not connected. You can edit again when it is back.",
  );
  const ended = { ...daemon, isTemporary: true };
  assert.equal(
    whyNoFork({ source: ended, summary: made, hosts: [], connection: { is: "waiting" } }),
    "debugd view has ended. To edit again, run: debugd view FILE --host EXE",
  );
  assert.match(awayNote(daemon), /branches can be made when it is back\.$/);
  assert.equal(
    awayNote(ended),
    "debugd view has ended. What is loaded can be looked at. To make branches, run again: debugd view FILE --host EXE",
  );
  const running = summary({ make: "Cart()" }, { live: true });
  advises(
    whyNoFork({ source: daemon, summary: running, hosts: [], connection: { is: "open" } }),
    "To get one, call ReducerHost.runIfAsked(…) first in the program's main, and run: debugd host EXE",
  );
  advises(
    whyNoHost(made, [], { isTemporary: true }),
    "To get one, call ReducerHost.runIfAsked(…) first in the program's main, and run: debugd view FILE --host EXE",
  );
  advises(
    whyNoHost(summary(), []),
    "To fix, record it again with 'madeBy:' and a Replayable type.",
  );
  advises(
    whyNoFork({ source: daemon, summary: made, hosts: [], connection: { is: "open" } }),
    "To get one, start Shop again, or run: debugd host EXE",
  );
  const inSwift = summary({ make: "Shop.Cart.self" });
  inSwift.header.app.process = "ShopTool";
  advises(
    whyNoHost(inSwift, []),
    "To get one, start Shop again, or run: debugd host .build/debug/ShopTool",
  );
  // A runner of tests cannot be a host.
  inSwift.header.app.process = "ShopPackageTests.xctest";
  advises(whyNoHost(inSwift, []), "first in the program's main, and run: debugd host EXE");
  const depot = /** @type {any} */ ({ name: "Depot", place: "process", makes: [] });
  advises(
    whyNoHost(running, [depot]),
    "To get one, pass its type to ReducerHost.runIfAsked(…) first in the program's main, and run: debugd host EXE",
  );
});

Deno.test("a machine that cannot be controlled explains how to allow it", () => {
  /** @param {any} rest @param {string[]} [capabilities] */
  const driving = (rest, capabilities = ["control"]) => {
    const live = summary({}, { live: true, ...rest });
    const inspector = /** @type {any} */ ({
      summary: live,
      summaries: new Map([[TIMELINE, live]]),
      source: { kind: "daemon", capabilities: new Set(capabilities) },
    });
    const control = /** @type {any} */ ({ heldOf: () => undefined });
    return new Driving(inspector, /** @type {any} */ ({}), control);
  };
  advises(
    driving({ controllable: true }, ["look"]).whyNotHold,
    "This session cannot control machines. To open one that can, run: debugd open",
  );
  advises(
    driving({ controllable: false }).whyNotHold,
    "The program did not opt in to control. To fix, set allowsControl in its recorder's options, and start it again.",
  );
  assert.equal(driving({ controllable: true }).whyNotHold, undefined);
  assert.equal(driving({ controllable: true }).whyNot, "To send this, pause cart first.");
});

Deno.test("a file explains what only a daemon can do", async () => {
  const file = await openLines(counterLines(3));
  await assert.rejects(
    file.ask({ type: "export", timeline: TIMELINE, format: "csv" }),
    new RequestError(
      "forbidden",
      "Only a daemon writes other formats. To get one, import this file into a daemon.",
    ),
  );
  await assert.rejects(
    file.ask({ type: "verify", timeline: TIMELINE }),
    new RequestError(
      "forbidden",
      "This timeline was opened from a file. To change or run it, import it into a daemon.",
    ),
  );
});

Deno.test("a file that cannot be opened comes with a fix", async () => {
  /** @param {BlobPart} content */
  const why = async (content) => {
    try {
      await openTimelineFile(new Blob([content]));
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  advises(
    await why(JSON.stringify({ ...HEADER, format: 99 }) + "\n"),
    "this page reads up to 1. To open it, use a newer inspector.",
  );
});

Deno.test("a missing timeline comes with a way to reach it", async () => {
  const { source } = await openDaemon([{ id: ONE }]);
  const ask = source.ask;
  source.ask = async (/** @type {any} */ request, /** @type {any} */ options) => {
    const answer = await ask(request, options);
    return request.type !== "entries" ? answer : {
      ...answer,
      entries: answer.entries.map((/** @type {any} */ entry) =>
        entry.seq === 8 ? { ...entry, cause: `${AWAY}:4000` } : entry
      ),
    };
  };
  const { inspector, notices } = await inspect(source, { timeline: ONE, seq: 8 });
  inspector.goTo(8);
  await settle();
  inspector.travel.goToCause();
  advises(notices().at(-1), "To follow the cause, import it into the daemon.");
});

Deno.test("too many caused entries say what can be skipped instead", async () => {
  const { source } = await openDaemon([{ id: ONE, rest: { last: 200_000 } }], {
    entries: ({ from }) => ({
      type: "entries",
      entries: Array.from({ length: 1_000 }, (_, at) => from + at)
        .map((seq) => ({ seq, t: 0, event: "step", cause: seq - 1, patch: [] })),
      next: from + 1_000,
    }),
  });
  await assert.rejects(fetchClosure(source, ONE, [5], 200_000), (error) => {
    advises(
      /** @type {Error} */ (error).message,
      "To continue, skip only this entry, or drop everything after it.",
    );
    return true;
  });
});

Deno.test("an uncaptured state explains how to compute it", () => {
  const host =
    /** @type {any} */ ({ name: "Shop", place: "process", makes: ["Cart()"], app: "Shop" });
  advises(
    whyUnknown(
      [{ first: 3, last: 4 }],
      /** @type {any} */ ({
        source: { kind: "daemon", capabilities: new Set(["change"]) },
        summary: summary({ make: "Cart()" }),
        hosts: [host],
        data: { gaps: [] },
      }),
    ),
    "To see it, select those entries and choose “Compute the states that were not captured”: what a host computes is shown, but not searched.",
  );
});

Deno.test("a page whose debugd view has ended says so once, and what to run", async () => {
  const { source } = await openDaemon([{ id: ONE }]);
  const { inspector, notices } = await inspect({ ...source, isTemporary: true }, { timeline: ONE });
  inspector.setConnection({ is: "waiting", attempt: 1, until: 0, why: "" });
  assert.deepEqual(notices(), []);
  inspector.setConnection({ is: "ended" });
  inspector.setConnection({ is: "ended" });
  const remedy = "To continue, run again: debugd view FILE";
  assert.deepEqual(notices(), [
    `debugd view has ended. You can still use what is loaded. ${remedy}`,
  ]);
  advises(inspector.travel.whyNotAsk, remedy);
});

Deno.test("a page without a session explains how to sign in", () => {
  const shown = coverFor({
    connection: { is: "refused", reason: "unauthorized", why: "" },
    hasSource: false,
    hasList: false,
    hasTimeline: false,
    opening: undefined,
    now: 0,
  });
  advises(
    shown?.text,
    "Run debugd open in a terminal. It opens this page with a one-time code that is valid for a minute. If debugd view opened the page, run that again.",
  );
});
