/** The commands for the page itself. */

/** @import { Command } from "./command.js" */

/** @type {readonly Command[]} */
export const PAGE = [
  {
    id: "hosts",
    title: "Hosts that run reducers…",
    keys: [],
    group: "Page",
    run: ({ windows }) => windows.hosts(),
  },
  {
    id: "open-file",
    title: "Open a timeline file…",
    keys: ["Mod+O"],
    group: "Page",
    run: ({ chooseFile }) => chooseFile(),
  },
  {
    id: "close-file",
    title: "Close the file",
    keys: [],
    group: "Page",
    run: ({ opened }) => opened.close(),
  },
  {
    id: "sessions",
    title: "Show daemon status and sessions…",
    keys: [],
    group: "Page",
    run: ({ windows }) => windows.sessions(),
  },
  {
    id: "copy-link",
    title: "Copy a link to this moment",
    keys: ["Shift+C"],
    group: "Page",
    run: ({ copyLink }) => copyLink(),
  },
  {
    id: "theme",
    title: "Switch between light and dark",
    keys: ["t"],
    group: "Page",
    run: ({ switchTheme }) => switchTheme(),
  },
  {
    id: "keys",
    title: "Turn single-letter keys on or off",
    keys: [],
    group: "Page",
    run: ({ switchLetters }) => switchLetters(),
  },
  {
    id: "help",
    title: "Keys and help",
    keys: ["?"],
    group: "Page",
    run: ({ palette }) => palette.showHelp(),
  },
  {
    id: "palette",
    title: "Find a command or a place",
    keys: ["Mod+K"],
    group: "Page",
    run: ({ palette }) => palette.showCommands(),
  },
];
