/** The page: registers the elements, connects them with a model and a source, and runs commands. */

import { formatCount } from "./base/format.js";
import { visible } from "./base/text.js";
import { commandFor } from "./model/commands.js";
import { hasFirstSight } from "./model/first-sight.js";
import { Inspector } from "./model/inspector.js";
import { refreshList } from "./model/list-refresh.js";
import { readLocation, takeCode, writeLocation } from "./model/location.js";
import { readSample } from "./model/samples.js";
import { nameOf } from "./model/source-list.js";
import { Address } from "./address.js";
import { Playing } from "./playing.js";
import { servingDaemon } from "./serving-daemon.js";
import { watchDrops } from "./drops.js";
import { fetchSample } from "./feed/sample.js";
import { copyLink } from "./links.js";
import { OpenedFile } from "./opened-file.js";
import { stateActions } from "./state-commands.js";
import { makeTimeTravel, TRAVEL_VIEWS, travelActions, TravelElements } from "./windows.js";
import { h, setAttribute } from "./elements/dom.js";
import { Settings } from "./elements/settings.js";
import { ChartView } from "./elements/chart.js";
import { CoverView } from "./elements/cover.js";
import { DetailsView } from "./elements/details.js";
import { DiffView } from "./elements/diff.js";
import { EventPanelView } from "./elements/event-panel.js";
import { EventsView } from "./elements/events.js";
import { NoticesView } from "./elements/notices.js";
import { OutputsView } from "./elements/outputs.js";
import { PaletteView } from "./elements/palette.js";
import { PinView } from "./elements/pin.js";
import { RawView } from "./elements/raw.js";
import { SourcesView } from "./elements/sources.js";
import { SplitterView } from "./elements/splitter.js";
import { StateTreeView } from "./elements/state-tree.js";
import { StatusView } from "./elements/status.js";
import { TimelineView } from "./elements/timeline.js";
import { ToolbarView } from "./elements/toolbar.js";
import { frames } from "./elements/view.js";
import { WatchView } from "./elements/watch.js";

/** @import { Source } from "./model/source.js" */
/** @import { Context } from "./elements/view.js" */

/** How often the list asks how far the other timelines have got, in milliseconds. */
const REFRESH_EVERY = 2_000;

/** How long the page waits at most for what it shows first, in milliseconds. */
const FIRST_SIGHT = 250;

const VIEWS = [
  ChartView,
  CoverView,
  DetailsView,
  DiffView,
  EventPanelView,
  EventsView,
  NoticesView,
  OutputsView,
  PaletteView,
  PinView,
  RawView,
  SourcesView,
  SplitterView,
  StateTreeView,
  StatusView,
  TimelineView,
  ToolbarView,
  WatchView,
  ...TRAVEL_VIEWS,
];
// The daemon that served this page: it answers while the page is still being built.
const code = takeCodeOfLink();
const feed = servingDaemon(code);
feed.start();

for (const view of VIEWS) view.define();

const inspector = new Inspector();
const settings = new Settings(localStorage);
const travelElements = new TravelElements();
/** @type {Context} */
const context = {
  inspector,
  timeTravel: makeTimeTravel(inspector),
  settings,
  windows: travelElements.windows,
  run,
  isMac: /Mac|iPhone|iPad/.test(navigator.platform),
};

/**
 * @template {import("./elements/view.js").View} View
 * @param {new () => View} Class
 */
function make(Class) {
  const view = new Class();
  view.context = context;
  return view;
}

const toolbar = make(ToolbarView);
const timeline = make(TimelineView);
const events = make(EventsView);
const palette = make(PaletteView);
const status = make(StatusView);
const cover = make(CoverView);
const details = make(DetailsView);
const splitters = [make(SplitterView), make(SplitterView)];
splitters[0]?.setAttribute("data-between", "events state");
splitters[1]?.setAttribute("data-between", "state side");
const sources = make(SourcesView);
const side = h("div", { class: "side" }, make(OutputsView), make(EventPanelView));
const main = h(
  "main",
  { class: "panes" },
  sources,
  events,
  splitters[0],
  h("div", { class: "middle" }, details, make(PinView)),
  splitters[1],
  side,
  cover,
);
const drop = h(
  "div",
  { class: "drop-target", role: "status", hidden: true },
  "Drop the timeline file to open it",
);
const { strips, jobs } = travelElements.put(context);
// Empty panes would be laid out for nothing, while the answers wait.
document.body.classList.add("opening");
frames.hold();
let endWaiting = () => {};
const waiting = setTimeout(open, FIRST_SIGHT);
document.body.append(toolbar, strips, timeline, main, status, palette, jobs);
document.body.append(make(NoticesView), drop);
details.receive("machines", sources, 900);
details.receive("event", side, 900);
details.receive("events", events, 600);

// Where one is: the hash and the title.

/** Takes the code of a link, if there is one, out of the address: it is a secret, and good once. */
function takeCodeOfLink() {
  const { code, rest } = takeCode(location.hash);
  if (code !== undefined) history.replaceState(null, "", rest ? `#${rest}` : location.pathname);
  return code;
}

inspector.location = readLocation(location.hash);

const opened = new OpenedFile({
  inspector,
  daemon: feed,
  attach,
  leaves: () => address.keep(),
  tell: (opening) => {
    cover.opening = opening;
    inspector.changed.emit();
  },
});

const address = new Address({
  hash: () => location.hash,
  push: (hash) => history.pushState(null, "", hash),
  replace: (hash) => history.replaceState(null, "", hash),
  later: (call, milliseconds) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
});
inspector.moved.listen((isNew) => address.moved(inspector.location, isNew));
globalThis.addEventListener("popstate", () => {
  address.left();
  if (takeCode(location.hash).code === undefined) void opened.visit(readLocation(location.hash));
});
globalThis.addEventListener("hashchange", () => {
  // A link of debugd open that is opened where the page stands already changes the hash alone.
  const fresh = takeCodeOfLink();
  if (fresh !== undefined) feed.authorise({ code: fresh });
  if (location.hash === "") return;
  const hash = "#" + writeLocation(inspector.location);
  if (location.hash !== hash) void opened.visit(readLocation(location.hash));
});

/** The browser shows it outside the page, which takes longer than a frame of scrubbing has. */
function showTitle() {
  titling = undefined;
  const { summary } = inspector;
  const title = summary
    ? `${visible(summary.header.app.name)} › ${visible(nameOf(summary))} @ ${
      formatCount(inspector.cursor)
    }`
    : "Stateline";
  if (document.title !== title) document.title = title;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let titling;

inspector.changed.listen(() => {
  titling ??= setTimeout(showTitle, 100);
  main.classList.toggle("covered", !inspector.data || cover.opening !== undefined);
});

// Looks.

function applySettings() {
  const { theme, shares } = settings.values;
  setAttribute(document.documentElement, "data-theme", theme === "system" ? undefined : theme);
  for (const [name, share] of Object.entries(shares)) {
    main.style.setProperty(`--${name}`, `${share}fr`);
  }
  timeline.invalidate();
}
settings.changed.listen(applySettings);
applySettings();

// Playing.

const playing = new Playing(inspector, settings, (isPlaying) => {
  toolbar.isPlaying = status.isPlaying = isPlaying;
  toolbar.invalidate();
  status.invalidate();
});

// Commands.

/** @type {Record<string, () => unknown>} */
const ACTIONS = {
  "next": () => inspector.step(1),
  "previous": () => inspector.step(-1),
  "next-ten": () => inspector.step(10),
  "previous-ten": () => inspector.step(-10),
  "next-match": () => inspector.travel.stepMatch(1),
  "previous-match": () => inspector.travel.stepMatch(-1),
  "first": () => inspector.goTo(inspector.data?.first ?? 0, { isJump: true }),
  "last": () => inspector.goTo(inspector.data?.last ?? 0, { isJump: true }),
  "next-change": () => inspector.travel.stepChange(1),
  "previous-change": () => inspector.travel.stepChange(-1),
  "cause": () => inspector.travel.goToCause(),
  "effect": () => inspector.travel.goToEffect(),
  "go-to": () => palette.showGoTo(),
  "move-before": () => palette.showMove(),
  "play": () => playing.toggle(),
  "live": () => inspector.follow(),
  "filter": () => toolbar.focusFilter(),
  "show-in-timeline": () => timeline.showSelection(),
  "stop-search": () => {
    inspector.data?.stopSearching();
    context.timeTravel.rewriting.leaveDraft();
  },
  "zoom-in": () => timeline.zoom(0.5),
  "zoom-out": () => timeline.zoom(2),
  "compare": () => inspector.setTab("diff"),
  "tab-state": () => inspector.setTab("state"),
  "tab-diff": () => inspector.setTab("diff"),
  "tab-raw": () => inspector.setTab("raw"),
  "tab-chart": () => inspector.setTab("chart"),
  "tab-watch": () => inspector.setTab("watch"),
  "mark": () => inspector.travel.toggleMark(),
  "rename": () => palette.showRename(),
  "delete": () => palette.showDelete(),
  "import": () => opened.give(),
  "open-file": () => chooser.click(),
  "close-file": () => opened.close(),
  "cancel-opening": () => opened.cancel(),
  "copy-link": () => copyLink(inspector),
  "theme": () => settings.set({ theme: isDark() ? "light" : "dark" }),
  "keys": toggleLetters,
  "help": () => palette.showHelp(),
  "palette": () => palette.showCommands(),
  "reconnect": () => feed.start(),
  "focus-events": () => {
    details.reveal("events");
    events.focus();
  },
  ...stateActions(details),
  ...travelActions(context, () => details.reveal("event")),
};

/** @param {string} id */
function run(id) {
  ACTIONS[id]?.();
}

function isDark() {
  const { theme } = settings.values;
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

function toggleLetters() {
  const allowsLetters = !settings.values.allowsLetters;
  settings.set({ allowsLetters });
  inspector.notify(
    "info",
    allowsLetters
      ? "Keys of one letter are commands again."
      : "Keys of one letter are no commands any more; the palette has all of them.",
  );
}

document.addEventListener("keydown", (event) => {
  // What opens by a key is to get the focus.
  open();
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  // What was hidden, such as a window that was closed, has the focus until the next frame: keys that
  // are pressed before are meant for the page.
  const isShown = target.checkVisibility();
  const isTyping = isShown && target.matches("input, textarea, select, [contenteditable]");
  // A button that has the focus keeps the keys that press it.
  if (event.key === " " && isShown && target.matches("button, summary")) return;
  const command = commandFor(event, { isTyping, allowsLetters: settings.values.allowsLetters });
  if (!command) return;
  event.preventDefault();
  run(command.id);
});

// Files.

const chooser = h("input", {
  type: "file",
  accept: ".timeline",
  hidden: true,
  "aria-hidden": "true",
  tabindex: -1,
});
chooser.addEventListener("change", () => {
  const [file] = chooser.files ?? [];
  if (file) void opened.open(file);
  chooser.value = "";
});
document.body.append(chooser);

watchDrops(drop, (file) => void opened.open(file));

/** Opens the sample that the address asks for. */
async function openSample() {
  const name = readSample(location.search);
  if (name === undefined) return;
  try {
    await opened.open(await fetchSample(name));
  } catch (error) {
    inspector.notify("error", error instanceof Error ? error.message : String(error));
  }
}

/** @param {Source} source */
async function attach(source) {
  inspector.hasList = false;
  await inspector.attach(source);
  events.invalidate();
}

// A static server is no daemon: it says so by refusing.

feed.states.listen((state) => {
  inspector.setConnection(state);
  if (state.is === "open" && inspector.source?.kind !== "file") void inspector.attach(feed);
});
feed.news.listen(() => {
  status.roundTrip = feed.roundTrip;
});
setInterval(() => {
  if (!document.hidden) void refreshList(inspector);
}, REFRESH_EVERY);
inspector.setConnection(feed.state);

/** Shows the page, unless it is shown. */
function open() {
  if (!frames.isHeld) return;
  endWaiting();
  clearTimeout(waiting);
  document.body.classList.remove("opening");
  // Once whoever tells of the last answer is done.
  queueMicrotask(() => frames.release());
}

endWaiting = inspector.changed.listen(() => {
  if (hasFirstSight(inspector)) open();
});
inspector.changed.emit();
void openSample();
