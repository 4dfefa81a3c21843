/** The page: registers the elements, connects them with a model and a source, and runs commands. */

import { formatCount } from "./base/format.js";
import { readPointer } from "./base/pointer.js";
import { visible } from "./base/text.js";
import { runCommand } from "./model/commands/table.js";
import { hasFirstSight } from "./model/inspector/first-sight.js";
import { Inspector } from "./model/inspector/inspector.js";
import { ListRefresh } from "./model/sources/list-refresh.js";
import { readCode, readLocation, writeLocation } from "./model/inspector/location.js";
import { readSample } from "./model/files/samples.js";
import { nameOf } from "./model/sources/source-list.js";
import { Address } from "./page/address.js";
import { Playing } from "./page/playing.js";
import { fetchPage, watchForFileServer } from "./page/file-server.js";
import { servingDaemon } from "./page/serving-daemon.js";
import { watchDrops } from "./page/drops.js";
import { embeddedFile } from "./page/embedded-file.js";
import { fetchSample } from "./feed/sample.js";
import { listenToKeys } from "./page/keys.js";
import { copyLink } from "./page/links.js";
import { OpenedFile } from "./page/opened-file.js";
import {
  makeTimeTravel,
  reportResumedMachines,
  showEntryMenu,
  TRAVEL_VIEWS,
  TravelElements,
} from "./page/windows.js";
import { h, setAttribute } from "./elements/dom.js";
import { Settings } from "./elements/settings.js";
import { LaneColors } from "./model/timeline/lane-colors.js";
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
import { ValueLanesView } from "./elements/value-lanes.js";
import { frames } from "./elements/view.js";
import { WatchView } from "./elements/watch.js";

/** @import { Source } from "./model/sources/source.js" */
/** @import { CommandPage } from "./model/commands/command.js" */
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
  ValueLanesView,
  WatchView,
  ...TRAVEL_VIEWS,
];
// The daemon that served this page: it answers while the page is still being built.
const code = removeCodeFromAddress();
const feed = servingDaemon(code);
const embedded = embeddedFile(document);
// Without a daemon, even if the timeline in the file is damaged.
const isOnDisk = location.protocol === "file:";
if (!isOnDisk) feed.start();

for (const view of VIEWS) view.define();

const inspector = new Inspector();
const settings = new Settings(localStorage);
const travelElements = new TravelElements();
/** @type {Context} */
const context = {
  inspector,
  timeTravel: makeTimeTravel(inspector),
  settings,
  laneColors: new LaneColors(localStorage),
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
const outputs = make(OutputsView);
const eventPanel = make(EventPanelView);
palette.showValue = showValue;
splitters[0]?.setAttribute("data-between", "events state");
splitters[1]?.setAttribute("data-between", "state side");
const sources = make(SourcesView);
const side = h("div", { class: "side" }, outputs, eventPanel);
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
  "Drop the timeline file to open it here",
);
const { strips, jobs } = travelElements.put(context);
// Empty panes would be laid out for nothing, while the answers wait.
document.body.classList.add("opening");
frames.hold();
let endWaiting = () => {};
const waiting = setTimeout(open, FIRST_SIGHT);
document.body.append(toolbar, strips, timeline, make(ValueLanesView), main, status, palette, jobs);
document.body.append(make(NoticesView), drop);
details.receive("machines", sources, 900);
details.receive("event", side, 900);
details.receive("events", events, 600);

/** Shows a value of the moment, and selects it. @param {string} pointer */
function showValue(pointer) {
  const [side, name = ""] = readPointer(pointer) ?? [];
  if (side !== "outputs") return details.showValue(pointer.slice("/state".length));
  details.reveal("event");
  details.render();
  outputs.select(name);
}

// Where one is: the hash and the title.

/** Takes the code of a link, if there is one, out of the address: it is a secret, and good once. */
function removeCodeFromAddress() {
  const { code, rest } = readCode(location.hash);
  if (code !== undefined) history.replaceState(null, "", rest ? `#${rest}` : location.pathname);
  return code;
}

inspector.location = readLocation(location.hash);

const opened = new OpenedFile({
  inspector,
  daemon: feed,
  attach,
  leaves: () => address.keep(),
  report: (opening) => {
    cover.opening = opening;
    inspector.changed.emit();
  },
}, embedded?.read);

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
  if (readCode(location.hash).code === undefined) void opened.visit(readLocation(location.hash));
});
globalThis.addEventListener("hashchange", () => {
  // A link of debugd open that is opened where the page stands already changes the hash alone.
  const fresh = removeCodeFromAddress();
  if (fresh !== undefined && !isOnDisk) feed.authorize({ code: fresh });
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
  document.documentElement.classList.toggle("playing", isPlaying);
  toolbar.invalidate();
  status.invalidate();
});

// Commands.

/** @type {CommandPage} */
const page = {
  inspector,
  timeTravel: context.timeTravel,
  windows: context.windows,
  toolbar,
  timeline,
  palette,
  details,
  events,
  actOnValue: (act) => {
    const focused = [outputs, eventPanel, details].find(({ hasFocus }) => hasFocus);
    return (focused ?? (outputs.choosePointed() ? outputs : details)).act(act);
  },
  playing,
  opened,
  showEntryMenu: () => showEntryMenu(context),
  chooseFile: () => chooser.click(),
  copyLink: () => copyLink(inspector),
  switchTheme: () => settings.set({ theme: isDark() ? "light" : "dark" }),
  switchLetters,
  reconnect: () => isOnDisk || feed.start(),
};

/** @param {string} id */
function run(id) {
  runCommand(id, page);
}

function isDark() {
  const { theme } = settings.values;
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

function switchLetters() {
  const allowsLetters = !settings.values.allowsLetters;
  settings.set({ allowsLetters });
  inspector.notify(
    "info",
    allowsLetters
      ? "Single-letter keys are on."
      : "Single-letter keys are off. Every command is still in the palette.",
  );
}

listenToKeys({ open, run, allowsLetters: () => settings.values.allowsLetters });

// Files.

const chooser = h("input", {
  type: "file",
  accept: ".timeline,.zst,.gz",
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

/** Opens the timeline in this page, or the sample that the address asks for. */
async function openFirst() {
  if (embedded) return await opened.open(embedded.file);
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

watchForFileServer(feed.states, (isFileServer) => {
  cover.isFileServer = status.isFileServer = isFileServer;
  cover.invalidate();
  status.invalidate();
}, fetchPage);
feed.states.listen((state) => {
  inspector.setConnection(state);
  if (state.is === "open" && inspector.source?.kind !== "file") void inspector.attach(feed);
});
feed.news.listen(() => {
  status.roundTrip = feed.roundTrip;
});
const listRefresh = new ListRefresh(inspector);
setInterval(() => {
  if (!document.hidden) void listRefresh.refresh();
}, REFRESH_EVERY);
inspector.setConnection(feed.state);

/** Shows the page, unless it is shown. */
function open() {
  if (!frames.isHeld) return;
  endWaiting();
  clearTimeout(waiting);
  document.body.classList.remove("opening");
  // After the listeners of the last answer have run.
  queueMicrotask(() => frames.release());
}

endWaiting = inspector.changed.listen(() => {
  if (hasFirstSight(inspector)) open();
});
reportResumedMachines(inspector, context.timeTravel);
inspector.changed.emit();
void openFirst();
