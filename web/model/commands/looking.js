/** The commands for going through a recording and looking at it. */

/** @import { Circumstances, Command } from "./command.js" */

/** @type {readonly Command[]} */
export const LOOKING = [
  {
    id: "next",
    title: "Next entry",
    keys: ["ArrowRight"],
    group: "Navigate",
    run: ({ inspector }) => inspector.step(1),
  },
  {
    id: "previous",
    title: "Previous entry",
    keys: ["ArrowLeft"],
    group: "Navigate",
    run: ({ inspector }) => inspector.step(-1),
  },
  {
    id: "next-ten",
    title: "Ten entries forward",
    keys: ["Shift+ArrowRight"],
    group: "Navigate",
    run: ({ inspector }) => inspector.step(10),
  },
  {
    id: "previous-ten",
    title: "Ten entries back",
    keys: ["Shift+ArrowLeft"],
    group: "Navigate",
    run: ({ inspector }) => inspector.step(-10),
  },
  {
    id: "next-match",
    title: "Next entry that matches the filter",
    keys: ["."],
    group: "Navigate",
    whyNot: whyNoMatch,
    run: ({ inspector }) => inspector.travel.stepMatch(1),
  },
  {
    id: "previous-match",
    title: "Previous entry that matches the filter",
    keys: [","],
    group: "Navigate",
    whyNot: whyNoMatch,
    run: ({ inspector }) => inspector.travel.stepMatch(-1),
  },
  {
    id: "first",
    title: "First entry",
    keys: ["Home"],
    group: "Navigate",
    run: ({ inspector }) => inspector.goTo(inspector.data?.first ?? 0, { isJump: true }),
  },
  {
    id: "last",
    title: "Last entry",
    keys: ["End"],
    group: "Navigate",
    run: ({ inspector }) => inspector.goTo(inspector.data?.last ?? 0, { isJump: true }),
  },
  {
    id: "next-change",
    title: "Next change of the pinned value",
    keys: ["n"],
    group: "Navigate",
    whyNot: whyNoChange,
    run: ({ inspector }) => inspector.travel.stepChange(1),
  },
  {
    id: "previous-change",
    title: "Previous change of the pinned value",
    keys: ["p"],
    group: "Navigate",
    whyNot: whyNoChange,
    run: ({ inspector }) => inspector.travel.stepChange(-1),
  },
  {
    id: "cause",
    title: "Cause of this entry",
    keys: ["["],
    group: "Navigate",
    run: ({ inspector }) => inspector.travel.goToCause(),
  },
  {
    id: "effect",
    title: "First effect of this entry",
    keys: ["]"],
    group: "Navigate",
    run: ({ inspector }) => inspector.travel.goToEffect(),
  },
  {
    id: "go-to",
    title: "Go to an entry or a time…",
    keys: ["g"],
    group: "Navigate",
    run: ({ palette }) => palette.showGoTo(),
  },
  {
    id: "play",
    title: "Play or pause",
    keys: ["Space"],
    group: "Play",
    run: ({ playing }) => playing.toggle(),
  },
  {
    id: "live",
    title: "Follow live",
    keys: ["l"],
    group: "Play",
    run: ({ inspector }) => inspector.follow(),
  },
  {
    id: "filter",
    title: "Filter the entries",
    keys: ["/"],
    group: "View",
    run: ({ toolbar }) => toolbar.focusFilter(),
  },
  {
    id: "filters",
    title: "Named filters…",
    keys: [],
    group: "View",
    whyNot: ({ inspector }) => inspector.namedFilters.whyNot,
    run: ({ palette }) => palette.showFilters(),
  },
  {
    id: "mute",
    title: "Mute this event",
    keys: [],
    group: "View",
    whyNot: ({ inspector }) => inspector.travel.whyNotMute,
    run: ({ inspector }) => inspector.travel.mute(),
  },
  {
    id: "show-in-timeline",
    title: "Show the selection in the timeline",
    keys: ["f"],
    group: "View",
    run: ({ timeline }) => timeline.showSelection(),
  },
  {
    id: "zoom-in",
    title: "Zoom the timeline in",
    keys: ["+", "="],
    group: "View",
    run: ({ timeline }) => timeline.zoom(0.5),
  },
  {
    id: "zoom-out",
    title: "Zoom the timeline out",
    keys: ["-"],
    group: "View",
    run: ({ timeline }) => timeline.zoom(2),
  },
  {
    id: "stop-search",
    title: "Stop the search, close the event editor",
    keys: ["Escape"],
    group: "View",
    run: ({ inspector, timeTravel }) => {
      inspector.data?.stopSearching();
      timeTravel.rewriting.leaveDraft();
    },
  },
  {
    id: "compare",
    title: "Compare with the mark",
    keys: ["c"],
    group: "View",
    run: ({ inspector }) => inspector.setTab("diff"),
  },
  {
    id: "branches",
    title: "Show the branches…",
    keys: ["b"],
    group: "View",
    run: ({ windows }) => windows.branches(),
  },
  {
    id: "run",
    title: "Show all machines of this run…",
    keys: ["Shift+R"],
    group: "View",
    whyNot: ({ inspector }) => inspector.travel.whyNoRun,
    run: ({ windows }) => windows.run(),
  },
  {
    id: "growth",
    title: "Show what grows…",
    keys: [],
    group: "View",
    run: ({ windows }) => windows.growth(),
  },
  {
    id: "tab-state",
    title: "Show the state",
    keys: ["1"],
    group: "View",
    run: ({ details }) => details.showTab("state"),
  },
  {
    id: "tab-diff",
    title: "Show the diff",
    keys: ["2"],
    group: "View",
    run: ({ details }) => details.showTab("diff"),
  },
  {
    id: "tab-raw",
    title: "Show the stored line",
    keys: ["3"],
    group: "View",
    run: ({ details }) => details.showTab("raw"),
  },
  {
    id: "tab-chart",
    title: "Show the chart",
    keys: ["4"],
    group: "View",
    run: ({ details }) => details.showTab("chart"),
  },
  {
    id: "tab-watch",
    title: "Show the watched values",
    keys: ["5"],
    group: "View",
    run: ({ details }) => details.showTab("watch"),
  },
  {
    id: "find-in-state",
    title: "Search in the state",
    keys: ["Shift+F"],
    group: "View",
    run: ({ details }) => details.findInState(),
  },
  {
    id: "who-set",
    title: "Go to the entry that set the selected value",
    keys: ["w"],
    group: "Navigate",
    run: ({ actOnValue }) => actOnValue("who"),
  },
  {
    id: "ask-value",
    title: "Ask about the selected value…",
    keys: ["q"],
    group: "Navigate",
    run: ({ actOnValue }) => actOnValue("ask"),
  },
  {
    id: "pin-value",
    title: "Pin or unpin the selected value",
    keys: ["Shift+P"],
    group: "View",
    run: ({ actOnValue }) => actOnValue("pin"),
  },
  {
    id: "watch-value",
    title: "Watch or stop watching the selected value",
    keys: ["Shift+W"],
    group: "View",
    run: ({ actOnValue }) => actOnValue("watch"),
  },
  {
    id: "copy-path",
    title: "Copy the path of the selected value",
    keys: ["y"],
    group: "View",
    run: ({ actOnValue }) => actOnValue("copy"),
  },
];

/** @param {Circumstances} at */
function whyNoChange({ inspector }) {
  return inspector.pin ? undefined : "Pin a value first.";
}

/** @param {Circumstances} at */
function whyNoMatch({ inspector }) {
  return inspector.location.filter === "" ? "Filter the entries first." : undefined;
}
