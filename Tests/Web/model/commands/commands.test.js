import assert from "node:assert/strict";
import { commandOf, COMMANDS, runCommand } from "../../../../web/model/commands/table.js";

/** @import { Circumstances, CommandPage } from "../../../../web/model/commands/command.js" */

/**
 * @param {{ noEdit?: string, noAnswer?: string, noHold?: string, noSend?: string, filter?: string, pin?: object,
 *   kind?: string, cursor?: number, from?: number }} given
 */
const circumstances = (
  { noEdit, noAnswer, noHold, noSend, filter = "", pin, kind, cursor = 5, from = cursor } = {},
) => /** @type {Circumstances} */ (/** @type {unknown} */ ({
  inspector: {
    location: { filter },
    pin,
    source: kind && { kind },
    cursor,
    stretch: { from, to: cursor },
    travel: { whyNotAsk: noAnswer },
  },
  timeTravel: {
    forking: {
      whyNot: noEdit,
      whyNotRun: noEdit,
      whyNoInsert: () => undefined,
      whyNotWalk: (/** @type {string} */ way) => `no ${way}`,
    },
    driving: { whyNotHold: noHold, whyNot: noSend },
  },
}));

Deno.test("has one row for each command, with a name, and something that it does", () => {
  assert.equal(new Set(COMMANDS.map(({ id }) => id)).size, COMMANDS.length);
  assert.equal(new Set(COMMANDS.map(({ title }) => title)).size, COMMANDS.length);
  for (const command of COMMANDS) {
    assert.equal(typeof command.run, "function", command.id);
    assert.equal(commandOf(command.id), command);
  }
});

Deno.test("offers nothing at the first entry that needs an event", () => {
  const verbs = {
    skip: "skip",
    "skip-caused": "skip",
    edit: "edit",
    repeat: "repeat",
    redispatch: "dispatch",
    "move-before": "move",
    "move-earlier": "move",
    "move-later": "move",
  };
  for (const [id, verb] of Object.entries(verbs)) {
    const why = (/** @type {number} */ cursor) =>
      commandOf(id)?.whyNot?.(circumstances({ cursor }));
    assert.equal(why(0), `The first entry has no event to ${verb}. Go to another entry.`);
    assert.equal(why(1), undefined, id);
  }
  // A range that begins there has events.
  const whyNot = commandOf("skip")?.whyNot;
  assert.equal(whyNot?.(circumstances({ cursor: 3, from: 0 })), undefined);
  assert.equal(commandOf("insert-after")?.whyNot?.(circumstances({ cursor: 0 })), undefined);
});

Deno.test("offers what runs the reducer only where it can run", () => {
  const at = circumstances();
  const forking = { ...at.timeTravel.forking, whyNotRun: "no host" };
  const elsewhere = /** @type {any} */ ({ ...at, timeTravel: { ...at.timeTravel, forking } });
  for (const id of ["verify", "minimise", "explore"]) {
    assert.equal(commandOf(id)?.whyNot?.(at), undefined, id);
    assert.equal(commandOf(id)?.whyNot?.(elsewhere), "no host", id);
  }
  assert.equal(commandOf("skip")?.whyNot?.(elsewhere), undefined);
});

Deno.test("offers to import a file only where a daemon serves the page", () => {
  const why = (/** @type {string} */ is) =>
    commandOf("import")?.whyNot?.(
      /** @type {any} */ ({ inspector: { connection: { is } }, timeTravel: {} }),
    );
  assert.equal(
    why("idle"),
    "No daemon serves this page. To import the file, run: debugd import FILE",
  );
  assert.equal(why("open"), undefined);
  // It may come back.
  assert.equal(why("waiting"), undefined);
});

Deno.test("says of each command why it is not available", () => {
  const given = { noEdit: "no host", noHold: "not live", noSend: "not paused" };
  const why = (/** @type {string} */ id) => commandOf(id)?.whyNot?.(circumstances(given));
  assert.equal(why("skip"), "no host");
  assert.equal(why("minimise"), "no host");
  assert.equal(why("hold"), "not live");
  assert.equal(why("live-send"), "not paused");
  assert.equal(why("redo"), "no redo");
  assert.equal(why("next-change"), "Pin a value first.");
  assert.equal(why("next-match"), "Filter the entries first.");
  assert.equal(why("next"), undefined);
  const free = circumstances({ filter: "state.total < 0", pin: {} });
  for (const id of ["skip", "hold", "live-send", "next-change", "next-match"]) {
    assert.equal(commandOf(id)?.whyNot?.(free), undefined, id);
  }
});

Deno.test("says what needs a daemon that answers", () => {
  const at = /** @type {Circumstances} */ (/** @type {unknown} */ ({
    inspector: { travel: { whyNotAsk: "not connected" } },
  }));
  for (const id of ["mark", "export", "compare-parent", "rename", "delete"]) {
    assert.equal(commandOf(id)?.whyNot?.(at), "not connected", id);
  }
});

Deno.test("explains entries of a daemon, also without a host, and none of a file", () => {
  const why = (/** @type {object} */ given) => commandOf("explain")?.whyNot?.(circumstances(given));
  assert.equal(why({ noEdit: "no host", kind: "daemon" }), undefined);
  assert.equal(
    why({ kind: "file" }),
    "This is a file. To explain an entry, import the file into a daemon.",
  );
});

Deno.test("finds invariants of a daemon's recordings, also without a host, and none of a file", () => {
  const why = (/** @type {object} */ given) =>
    commandOf("invariants")?.whyNot?.(circumstances(given));
  assert.equal(why({ kind: "daemon" }), undefined);
  assert.equal(
    why({ kind: "file" }),
    "This is a file. To find invariants, import the file into a daemon.",
  );
});

Deno.test("runs a command on the part of the page that it names, and ignores unknown ones", () => {
  /** @type {string[]} */
  const ran = [];
  const page = /** @type {CommandPage} */ (/** @type {unknown} */ ({
    inspector: { step: (/** @type {number} */ by) => ran.push(`step ${by}`) },
    details: { reveal: (/** @type {string} */ pane) => ran.push(`reveal ${pane}`) },
    events: { focus: () => ran.push("focus") },
  }));
  runCommand("next-ten", page);
  runCommand("focus-events", page);
  runCommand("unheard-of", page);
  assert.deepEqual(ran, ["step 10", "reveal events", "focus"]);
});

Deno.test("commands that ask a daemon say why they cannot, and open nothing", () => {
  const asking = [
    "mark",
    "explain",
    "invariants",
    "coverage",
    "compare-parent",
    "export",
    "rename",
    "delete",
  ];
  const why = "The daemon is not connected.";
  for (const id of asking) {
    /** @type {string[]} */
    const notices = [];
    const at = circumstances({ noAnswer: why, kind: "daemon" });
    assert.equal(commandOf(id)?.whyNot?.(at), why, id);
    const notify = (/** @type {string} */ _, /** @type {string} */ text) => notices.push(text);
    // Anything but the notice would fail, as the page has nothing else.
    runCommand(id, /** @type {any} */ ({ inspector: { ...at.inspector, notify } }));
    assert.deepEqual(notices, [why], id);
  }
});
