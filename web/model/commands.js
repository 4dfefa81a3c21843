/**
 * All that the page can be told to do, in one table: the keys, the palette and the help are made
 * from it.
 */

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {string} title what it does, as a sentence begins
 * @property {readonly string[]} keys as `matchesKey` reads them; the first is shown
 * @property {"Go" | "Play" | "See" | "Change" | "Live" | "Prove" | "Page"} group
 */

/** @type {readonly Command[]} */
export const COMMANDS = [
  { id: "next", title: "Next entry", keys: ["ArrowRight"], group: "Go" },
  { id: "previous", title: "Previous entry", keys: ["ArrowLeft"], group: "Go" },
  { id: "next-ten", title: "Ten entries on", keys: ["Shift+ArrowRight"], group: "Go" },
  { id: "previous-ten", title: "Ten entries back", keys: ["Shift+ArrowLeft"], group: "Go" },
  { id: "next-match", title: "Next entry that matches the filter", keys: ["."], group: "Go" },
  {
    id: "previous-match",
    title: "Previous entry that matches the filter",
    keys: [","],
    group: "Go",
  },
  { id: "first", title: "First entry", keys: ["Home"], group: "Go" },
  { id: "last", title: "Last entry", keys: ["End"], group: "Go" },
  { id: "next-change", title: "Next change of the pinned value", keys: ["n"], group: "Go" },
  { id: "previous-change", title: "Previous change of the pinned value", keys: ["p"], group: "Go" },
  { id: "cause", title: "Cause of this entry", keys: ["["], group: "Go" },
  { id: "effect", title: "First effect of this entry", keys: ["]"], group: "Go" },
  { id: "go-to", title: "Go to an entry or a time…", keys: ["g"], group: "Go" },
  { id: "play", title: "Play or pause", keys: ["Space"], group: "Play" },
  { id: "live", title: "Follow what is live", keys: ["l"], group: "Play" },
  { id: "filter", title: "Filter the entries", keys: ["/"], group: "See" },
  {
    id: "show-in-timeline",
    title: "Show the selection in the timeline",
    keys: ["f"],
    group: "See",
  },
  { id: "zoom-in", title: "Zoom the timeline in", keys: ["+", "="], group: "See" },
  { id: "zoom-out", title: "Zoom the timeline out", keys: ["-"], group: "See" },
  {
    id: "stop-search",
    title: "Stop searching, leave the event editor",
    keys: ["Escape"],
    group: "See",
  },
  { id: "compare", title: "Compare with the mark", keys: ["c"], group: "See" },
  { id: "branches", title: "Show the branches…", keys: ["b"], group: "See" },
  { id: "tab-state", title: "Show the state", keys: ["1"], group: "See" },
  { id: "tab-diff", title: "Show the difference", keys: ["2"], group: "See" },
  { id: "tab-raw", title: "Show the stored line", keys: ["3"], group: "See" },
  { id: "tab-chart", title: "Show the chart", keys: ["4"], group: "See" },
  { id: "tab-watch", title: "Show the watched values", keys: ["5"], group: "See" },
  { id: "find-in-state", title: "Search in the state", keys: ["Shift+F"], group: "See" },
  { id: "who-set", title: "Who set the chosen value of the state", keys: ["w"], group: "Go" },
  {
    id: "pin-value",
    title: "Pin the chosen value of the state, or let it go",
    keys: ["Shift+P"],
    group: "See",
  },
  {
    id: "watch-value",
    title: "Watch the chosen value of the state, or not any more",
    keys: ["Shift+W"],
    group: "See",
  },
  { id: "copy-path", title: "Copy the path of the chosen value", keys: ["y"], group: "See" },
  { id: "mark", title: "Mark this entry, or take its mark away", keys: ["m"], group: "Change" },
  {
    id: "undo",
    title: "Undo the last edit: back to where it was made",
    keys: ["u"],
    group: "Change",
  },
  { id: "redo", title: "Redo the edit that was undone", keys: ["r"], group: "Change" },
  { id: "skip", title: "Skip this entry, or the stretch", keys: ["x"], group: "Change" },
  {
    id: "skip-caused",
    title: "Skip it with all that it caused",
    keys: ["Shift+X"],
    group: "Change",
  },
  { id: "edit", title: "Edit this event", keys: ["e"], group: "Change" },
  { id: "fork", title: "Apply the edit as a fork", keys: ["Mod+Enter"], group: "Change" },
  { id: "insert-before", title: "Insert an event before", keys: ["Shift+I"], group: "Change" },
  { id: "insert-after", title: "Insert an event after", keys: ["i"], group: "Change" },
  { id: "repeat", title: "Repeat this event", keys: ["d"], group: "Change" },
  { id: "redispatch", title: "Dispatch it again at the end", keys: ["Shift+D"], group: "Change" },
  { id: "move-before", title: "Move before…", keys: ["o"], group: "Change" },
  { id: "move-earlier", title: "Move it before the one before", keys: ["<"], group: "Change" },
  { id: "move-later", title: "Move it behind the next one", keys: [">"], group: "Change" },
  {
    id: "undo-to-here",
    title: "Undo all that follows this entry",
    keys: ["Shift+U"],
    group: "Change",
  },
  { id: "start-here", title: "Start a branch from this state", keys: ["Shift+S"], group: "Change" },
  {
    id: "sweep",
    title: "Sweep: one branch without all that was skipped",
    keys: [],
    group: "Change",
  },
  { id: "compute", title: "Compute what was not captured here", keys: [], group: "Change" },
  { id: "recompute", title: "Compute this branch again", keys: [], group: "Change" },
  { id: "hold", title: "Hold the live machine, or let it go on", keys: ["h"], group: "Live" },
  { id: "hold-refuse", title: "Hold it and refuse its own events", keys: [], group: "Live" },
  {
    id: "live-restore",
    title: "Move the live machine to this moment",
    keys: ["Shift+H"],
    group: "Live",
  },
  {
    id: "live-send",
    title: "Send this event to the live machine",
    keys: ["Shift+L"],
    group: "Live",
  },
  { id: "live-step", title: "Let one waiting event through", keys: ["s"], group: "Live" },
  { id: "live-resume", title: "Let the live machine go on", keys: [], group: "Live" },
  {
    id: "pause-recording",
    title: "Pause recording: the program goes on unseen",
    keys: [],
    group: "Live",
  },
  { id: "go-on-recording", title: "Go on recording", keys: [], group: "Live" },
  { id: "take-over", title: "Take control over from another", keys: [], group: "Live" },
  { id: "verify", title: "Verify that the reducer still does this…", keys: ["v"], group: "Prove" },
  {
    id: "minimise",
    title: "Find the fewest events for something…",
    keys: ["Shift+M"],
    group: "Prove",
  },
  {
    id: "compare-parent",
    title: "Compare with the parent, side by side",
    keys: ["Shift+B"],
    group: "Prove",
  },
  { id: "export", title: "Export a test or a timeline…", keys: ["Shift+E"], group: "Prove" },
  { id: "entry-menu", title: "All that can be done with this entry", keys: ["a"], group: "Change" },
  { id: "hosts", title: "Hosts that run reducers…", keys: [], group: "Page" },
  { id: "rename", title: "Name this timeline…", keys: [], group: "Change" },
  { id: "delete", title: "Delete this timeline…", keys: [], group: "Change" },
  { id: "import", title: "Import this file into the daemon", keys: [], group: "Change" },
  { id: "open-file", title: "Open a timeline file…", keys: ["Mod+O"], group: "Page" },
  { id: "close-file", title: "Close the file", keys: [], group: "Page" },
  { id: "sessions", title: "Daemon and sessions: who may look…", keys: [], group: "Page" },
  { id: "copy-link", title: "Copy a link to this moment", keys: ["Shift+C"], group: "Page" },
  { id: "theme", title: "Light or dark", keys: ["t"], group: "Page" },
  { id: "keys", title: "Switch keys of one letter on or off", keys: [], group: "Page" },
  { id: "help", title: "Keys and help", keys: ["?"], group: "Page" },
  { id: "palette", title: "Find a command", keys: ["Mod+K"], group: "Page" },
];

/**
 * A key that was pressed; what is needed of a `KeyboardEvent`.
 *
 * @typedef {{ key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean }} Pressed
 */

/**
 * The command of a key that was pressed.
 *
 * @param {Pressed} pressed
 * @param {{ isTyping: boolean, allowsLetters: boolean }} where whether a text field has the focus;
 *   whether keys without Ctrl or ⌘ may be commands
 * @returns {Command | undefined}
 */
export function commandFor(pressed, { isTyping, allowsLetters }) {
  if (pressed.altKey) return undefined;
  return COMMANDS.find(({ keys }) =>
    keys.some((key) => {
      if (!matchesKey(key, pressed)) return false;
      if (key.startsWith("Mod+")) return true;
      return !isTyping && (allowsLetters || isNamedKey(key));
    })
  );
}

/**
 * Keys that write nothing may be commands even for those who speak to their computer.
 *
 * @param {string} key
 */
function isNamedKey(key) {
  return /(?:^|\+)(?:Arrow\w+|Home|End|Space|Escape)$/.test(key);
}

/**
 * @param {string} key such as `Shift+ArrowLeft`, `Mod+K` (Ctrl or ⌘), `Space`, `?`
 * @param {Pressed} pressed
 * @returns {boolean}
 */
function matchesKey(key, pressed) {
  const parts = key.split("+").filter((part) => part !== "");
  const name = key.endsWith("+") ? "+" : parts.at(-1) ?? "";
  const wantsMod = parts.length > 1 && parts[0] === "Mod";
  const wantsShift = parts.length > 1 && parts[0] === "Shift";
  if (wantsMod !== (pressed.ctrlKey || pressed.metaKey)) return false;
  const given = pressed.key === " " ? "Space" : pressed.key;
  if (name.length === 1) {
    // Signs come with or without Shift, depending on the keyboard; letters with it are other keys.
    const isLetter = /^[a-z]$/i.test(name);
    if (isLetter) {
      return given.toLowerCase() === name.toLowerCase() && pressed.shiftKey === wantsShift;
    }
    return given === name;
  }
  return given === name && pressed.shiftKey === wantsShift;
}

/**
 * A key as it is shown.
 *
 * @param {string} key
 * @param {boolean} isMac
 * @returns {string}
 */
export function keyText(key, isMac) {
  if (key === "+") return key;
  return key.split("+").map((part) => KEY_NAMES[part] ?? part).join("").replace(
    "⌃",
    isMac ? "⌘" : "⌃",
  );
}

/** @type {Record<string, string>} */
const KEY_NAMES = {
  Mod: "⌃",
  Shift: "⇧",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "⏎",
  Escape: "Esc",
};

/**
 * The commands that fit what was typed, the best first: all words must occur, and the beginning of
 * a word counts more than its middle.
 *
 * @template {{ title: string }} Item
 * @param {readonly Item[]} items
 * @param {string} typed
 * @returns {Item[]}
 */
export function searchTitles(items, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return items
    .map((item, place) => ({ item, place, score: scoreOf(item.title.toLowerCase(), words) }))
    .filter(({ score }) => score !== undefined)
    .sort((left, right) => (right.score ?? 0) - (left.score ?? 0) || left.place - right.place)
    .map(({ item }) => item);
}

/**
 * @param {string} title
 * @param {string[]} words
 * @returns {number | undefined}
 */
function scoreOf(title, words) {
  let score = 0;
  for (const word of words) {
    const at = title.indexOf(word);
    if (at < 0) return undefined;
    score += at === 0 ? 3 : title[at - 1] === " " ? 2 : 1;
  }
  return score;
}
