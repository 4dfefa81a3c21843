/** What a command is, and what it acts on. */

/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { TimeTravel } from "../inspector/time-travel.js" */

/**
 * What decides whether a command is available.
 *
 * @typedef {{ inspector: Inspector, timeTravel: TimeTravel }} Circumstances
 */

/**
 * What commands act on: the model, and the parts of the page that do what only a page can.
 *
 * @typedef {Circumstances & {
 *   windows: {
 *     branches: () => void,
 *     compare: (a: string, b: string) => void,
 *     hosts: () => void,
 *     sessions: () => void,
 *     exporting: () => void,
 *     prove: (what: "verify" | "minimise") => void,
 *     explain: () => void,
 *     explore: () => void,
 *     invariants: () => void,
 *     run: () => void,
 *     coverage: () => void,
 *     growth: () => void,
 *   },
 *   toolbar: { focusFilter: () => void },
 *   timeline: { zoom: (factor: number) => void, showSelection: () => void },
 *   palette: {
 *     showCommands: () => void,
 *     showGoTo: () => void,
 *     showHelp: () => void,
 *     showFilters: () => void,
 *     showMove: () => void,
 *     showRename: () => void,
 *     showDelete: () => void,
 *   },
 *   details: {
 *     findInState: () => void,
    showTab: (tab: "state" | "diff" | "raw" | "chart" | "watch") => void,
 *     reveal: (pane: "event" | "events") => void,
 *   },
 *   events: { focus: () => void },
 *   actOnValue: (act: "ask" | "who" | "pin" | "watch" | "copy") => unknown,
 *   playing: { toggle: () => void },
 *   opened: { give: () => unknown, close: () => unknown, cancel: () => void },
 *   showEntryMenu: () => void,
 *   chooseFile: () => void,
 *   copyLink: () => unknown,
 *   switchTheme: () => void,
 *   switchLetters: () => void,
 *   reconnect: () => void,
 * }} CommandPage
 */

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {string} title what it does, as a sentence begins
 * @property {readonly string[]} keys as `commandFor` reads them; the first is shown
 * @property {"Navigate" | "Play" | "View" | "Change" | "Live" | "Test" | "Page"} group
 * @property {(at: Circumstances) => string | undefined} [whyNot] why it is not available, and what
 *   would make it so; absent for commands that always are
 * @property {(page: CommandPage) => unknown} run
 */

export {};
