/** The commands for changing the past, driving live machines, and proving things. */

import {
  asking,
  unlessFile,
  whyNoAnswer,
  whyNoControl,
  whyNoEdit,
  whyNoEditOf,
  whyNoImport,
  whyNoInsert,
  whyNoRun,
  whyNoSkip,
  whyNotLive,
} from "./availability.js";

/** @import { DraftMode } from "../branches/event-draft.js" */
/** @import { Circumstances, Command, CommandPage } from "./command.js" */

/** @type {readonly Command[]} */
export const CHANGING = [
  {
    id: "mark",
    title: "Mark this entry, or remove its mark",
    keys: ["m"],
    group: "Change",
    whyNot: whyNoAnswer,
    run: asking(({ inspector }) => inspector.travel.toggleMark()),
  },
  {
    id: "undo",
    title: "Undo the last edit",
    keys: ["u"],
    group: "Change",
    whyNot: ({ timeTravel }) => timeTravel.forking.whyNotWalk("undo"),
    run: ({ timeTravel }) => timeTravel.forking.undo(),
  },
  {
    id: "redo",
    title: "Redo the last undone edit",
    keys: ["r"],
    group: "Change",
    whyNot: ({ timeTravel }) => timeTravel.forking.whyNotWalk("redo"),
    run: ({ timeTravel }) => timeTravel.forking.redo(),
  },
  {
    id: "skip",
    title: "Skip this entry, or the selected range",
    keys: ["x"],
    group: "Change",
    whyNot: whyNoSkip,
    run: ({ timeTravel }) => timeTravel.rewriting.skip(),
  },
  {
    id: "skip-caused",
    title: "Skip it with everything that it caused",
    keys: ["Shift+X"],
    group: "Change",
    whyNot: whyNoSkip,
    run: ({ timeTravel }) => timeTravel.rewriting.skipCaused(),
  },
  {
    id: "edit",
    title: "Edit this event",
    keys: ["e"],
    group: "Change",
    whyNot: unlessFile(whyNoEditOf("edit")),
    run: (page) => edit(page, "replace"),
  },
  {
    id: "fork",
    title: "Apply the edit in a new branch",
    keys: ["Mod+Enter"],
    group: "Change",
    run: ({ timeTravel }) => timeTravel.rewriting.applyDraft(),
  },
  {
    id: "insert-before",
    title: "Insert an event before",
    keys: ["Shift+I"],
    group: "Change",
    whyNot: whyNoInsert("before"),
    run: (page) => edit(page, "before"),
  },
  {
    id: "insert-after",
    title: "Insert an event after",
    keys: ["i"],
    group: "Change",
    whyNot: whyNoInsert("after"),
    run: (page) => edit(page, "after"),
  },
  {
    id: "repeat",
    title: "Repeat this event",
    keys: ["d"],
    group: "Change",
    whyNot: whyNoEditOf("repeat"),
    run: ({ timeTravel }) => timeTravel.rewriting.repeat(),
  },
  {
    id: "redispatch",
    title: "Dispatch it again at the end",
    keys: ["Shift+D"],
    group: "Change",
    whyNot: unlessFile(whyNoEditOf("dispatch")),
    run: ({ timeTravel }) => timeTravel.rewriting.redispatch(),
  },
  {
    id: "move-before",
    title: "Move before…",
    keys: ["o"],
    group: "Change",
    whyNot: whyNoEditOf("move"),
    run: ({ palette }) => palette.showMove(),
  },
  {
    id: "move-earlier",
    title: "Move up",
    keys: ["<"],
    group: "Change",
    whyNot: whyNoEditOf("move"),
    run: ({ timeTravel }) => timeTravel.rewriting.move(-1),
  },
  {
    id: "move-later",
    title: "Move down",
    keys: [">"],
    group: "Change",
    whyNot: whyNoEditOf("move"),
    run: ({ timeTravel }) => timeTravel.rewriting.move(1),
  },
  {
    id: "undo-to-here",
    title: "Drop everything after this entry",
    keys: ["Shift+U"],
    group: "Change",
    whyNot: unlessFile(whyNoEdit),
    run: ({ timeTravel }) => timeTravel.rewriting.undoToHere(),
  },
  {
    id: "start-here",
    title: "Start a branch from this state",
    keys: ["Shift+S"],
    group: "Change",
    whyNot: unlessFile(whyNoEdit),
    run: ({ timeTravel }) => timeTravel.rewriting.startHere(),
  },
  {
    id: "sweep",
    title: "Sweep: one branch without everything that was skipped",
    keys: [],
    group: "Change",
    whyNot: whyNoEdit,
    run: ({ timeTravel }) => timeTravel.rewriting.sweep(),
  },
  {
    id: "compute",
    title: "Compute the states that were not captured",
    keys: [],
    group: "Change",
    whyNot: whyNoEdit,
    run: ({ timeTravel }) => timeTravel.rewriting.compute(),
  },
  {
    id: "recompute",
    title: "Compute this branch again",
    keys: [],
    group: "Change",
    whyNot: whyNoEdit,
    run: (page) => recompute(page),
  },
  {
    id: "hold",
    title: "Pause or resume the live machine",
    keys: ["h"],
    group: "Live",
    whyNot: whyNoControl,
    run: (page) => holdOrResume(page),
  },
  {
    id: "hold-refuse",
    title: "Pause the live machine and drop its events",
    keys: [],
    group: "Live",
    whyNot: whyNoControl,
    run: ({ timeTravel }) => timeTravel.driving.hold("refuse"),
  },
  {
    id: "live-restore",
    title: "Move the live machine to this moment",
    keys: ["Shift+H"],
    group: "Live",
    whyNot: whyNotLive,
    run: ({ timeTravel }) => timeTravel.driving.restore(),
  },
  // The second key also works in the fields of the editor.
  {
    id: "live-send",
    title: "Send this event to the live machine",
    keys: ["Shift+L", "Mod+Shift+Enter"],
    group: "Live",
    whyNot: whyNotLive,
    run: ({ timeTravel }) => timeTravel.driving.sendLive(),
  },
  {
    id: "live-step",
    title: "Deliver one queued event",
    keys: ["s"],
    group: "Live",
    whyNot: whyNotLive,
    run: ({ timeTravel }) => timeTravel.driving.step(),
  },
  {
    id: "live-resume",
    title: "Resume the live machine",
    keys: [],
    group: "Live",
    whyNot: whyNotLive,
    run: ({ timeTravel }) => timeTravel.driving.resume(),
  },
  {
    id: "pause-recording",
    title: "Pause recording; the machine keeps running",
    keys: [],
    group: "Live",
    whyNot: whyNoControl,
    run: ({ timeTravel }) => timeTravel.driving.capture(true),
  },
  {
    id: "go-on-recording",
    title: "Resume recording",
    keys: [],
    group: "Live",
    whyNot: whyNoControl,
    run: ({ timeTravel }) => timeTravel.driving.capture(false),
  },
  {
    id: "take-over",
    title: "Take over control from another inspector",
    keys: [],
    group: "Live",
    whyNot: whyNoControl,
    run: ({ timeTravel }) => timeTravel.driving.hold("queue", { take: true }),
  },
  {
    id: "verify",
    title: "Verify that the reducer still does this…",
    keys: ["v"],
    group: "Test",
    whyNot: whyNoRun,
    run: ({ windows }) => windows.prove("verify"),
  },
  {
    id: "minimise",
    title: "Minimize to the fewest events…",
    keys: ["Shift+M"],
    group: "Test",
    whyNot: whyNoRun,
    run: ({ windows }) => windows.prove("minimise"),
  },
  {
    id: "explain",
    title: "Explain this entry…",
    keys: ["Shift+Y"],
    group: "Test",
    whyNot: ({ inspector }) =>
      inspector.source?.kind === "file"
        ? "This is a file. To explain an entry, import the file into a daemon."
        : inspector.travel.whyNotAsk,
    run: asking(({ windows }) => windows.explain()),
  },
  {
    id: "explore",
    title: "Explore from here…",
    keys: ["Shift+V"],
    group: "Test",
    whyNot: whyNoRun,
    run: ({ windows }) => windows.explore(),
  },
  {
    id: "invariants",
    title: "Find invariants…",
    keys: [],
    group: "Test",
    whyNot: ({ inspector }) =>
      inspector.source?.kind === "file"
        ? "This is a file. To find invariants, import the file into a daemon."
        : inspector.travel.whyNotAsk,
    run: asking(({ windows }) => windows.invariants()),
  },
  {
    id: "coverage",
    title: "Show which events occurred in which states…",
    keys: ["Shift+T"],
    group: "Test",
    whyNot: whyNoAnswer,
    run: asking(({ windows }) => windows.coverage()),
  },
  {
    id: "compare-parent",
    title: "Compare with the parent, a branch, or the recording before",
    keys: ["Shift+B"],
    group: "Test",
    whyNot: whyNoAnswer,
    run: asking((page) => compareWithPartner(page)),
  },
  {
    id: "export",
    title: "Export a test or a timeline…",
    keys: ["Shift+E"],
    group: "Test",
    whyNot: whyNoAnswer,
    run: asking(({ windows }) => windows.exporting()),
  },
  {
    id: "entry-menu",
    title: "Show all actions for this entry",
    keys: ["a"],
    group: "Change",
    run: ({ showEntryMenu }) => showEntryMenu(),
  },
  {
    id: "rename",
    title: "Name this timeline…",
    keys: [],
    group: "Change",
    whyNot: whyNoAnswer,
    run: asking(({ palette }) => palette.showRename()),
  },
  {
    id: "delete",
    title: "Delete this timeline…",
    keys: [],
    group: "Change",
    whyNot: whyNoAnswer,
    run: asking(({ palette }) => palette.showDelete()),
  },
  {
    id: "import",
    title: "Import this file into the daemon",
    keys: [],
    group: "Change",
    whyNot: whyNoImport,
    run: ({ opened }) => opened.give(),
  },
];

/**
 * @param {CommandPage} page
 * @param {DraftMode} mode
 */
async function edit({ timeTravel: { rewriting }, details }, mode) {
  await rewriting.edit(mode);
  if (rewriting.draft) details.reveal("event");
}

/** @param {CommandPage} page */
async function recompute({ inspector, timeTravel, windows }) {
  const id = inspector.data?.id;
  const made = id === undefined ? undefined : await timeTravel.forking.recompute(id);
  if (id !== undefined && made !== undefined) windows.compare(id, made);
}

/** @param {CommandPage} page */
function compareWithPartner({ inspector, windows }) {
  const { partner, whyNoPartner } = inspector.travel;
  const id = inspector.data?.id;
  if (id !== undefined && partner !== undefined) return windows.compare(partner, id);
  inspector.notify("info", whyNoPartner);
}

/** @param {CommandPage} page */
function holdOrResume({ inspector, timeTravel: { control, driving } }) {
  const timeline = driving.summary?.header.timeline;
  if (control.heldOf(timeline)) return driving.resume();
  const status = timeline === undefined ? undefined : control.statusOf(timeline);
  if (status?.held && !status.yours) {
    const holder = status.holder ?? "Another inspector";
    return inspector.notify(
      "warning",
      `${holder} controls the machine. To control it here, take it over.`,
    );
  }
  return driving.hold("queue");
}
