/** Which events occurred in which states, as a table: a row for each state, a column for each event. */

import { formatCount, formatNumbered } from "../base/format.js";
import { shortenMiddle, visible } from "../base/text.js";
import { isUnhandled } from "../model/verification/machine-coverage.js";
import { h } from "./dom.js";

/** @import { Count, MachineCoverage } from "../model/verification/machine-coverage.js" */

/** Events that have a column; the others are only counted. */
const MAXIMUM_COLUMNS = 60;

/** Characters of a state's name and of an event's. */
const STATE = 40;
const EVENT = 28;

/**
 * The table of the counts.
 *
 * @param {MachineCoverage} coverage
 * @param {(first: Count["first"]) => void} go goes to the first event of a cell
 * @returns {{ table: HTMLTableElement, hidden: number }} `hidden` is the number of events without a
 *   column
 */
export function coverageTable(coverage, go) {
  const events = coverage.events.slice(0, MAXIMUM_COLUMNS);
  const rows = coverage.states.map((state) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", title: visible(state) }, shortenMiddle(visible(state), STATE)),
      ...events.map((event) => cellOf(coverage.count(state, event), state, event, go)),
    )
  );
  const table = h(
    "table",
    { class: "coverage-table" },
    h("caption", { class: "sr-only" }, "How often each event occurred in each state"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "State"),
        ...events.map((event) =>
          h(
            "th",
            { scope: "col", title: visible(event) },
            h("span", { class: "coverage-event" }, shortenMiddle(visible(event), EVENT)),
          )
        ),
      ),
    ),
    h("tbody", {}, ...rows),
  );
  table.querySelector("button")?.setAttribute("tabindex", "0");
  table.addEventListener("keydown", (event) => moveFocus(table, event));
  return { table, hidden: coverage.events.length - events.length };
}

/**
 * @param {Count | undefined} count
 * @param {string} state
 * @param {string} event
 * @param {(first: Count["first"]) => void} go
 */
function cellOf(count, state, event, go) {
  if (!count) return h("td", {});
  const { events, effects, failures } = count;
  const words = [
    `${formatNumbered(events, "event")} ${visible(event)} in ${visible(state)}`,
    isUnhandled(count)
      ? "nothing handled any of them"
      : `${formatCount(effects)} changed the state or an output`,
    ...(failures > 0 ? [`${formatCount(failures)} ended with an error`] : []),
  ].join(", ");
  const shown = effects + failures === events
    ? formatCount(events)
    : `${formatCount(effects)}/${formatCount(events)}`;
  const button = h(
    "button",
    { type: "button", tabindex: -1, title: words, "aria-label": words },
    shown,
    failures > 0 && h("span", { class: "coverage-errors" }, formatNumbered(failures, "error")),
  );
  button.addEventListener("click", () => go(count.first));
  return h("td", { class: isUnhandled(count) ? "unhandled" : undefined }, button);
}

/**
 * The arrow keys go to the next number, over the empty cells: only one of them is reached by Tab.
 *
 * @param {HTMLTableElement} table
 * @param {KeyboardEvent} event
 */
function moveFocus(table, event) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[
    event.key
  ];
  const cell = event.target instanceof Element ? event.target.closest("td") : null;
  const row = cell?.closest("tr");
  if (!step || !cell || !row) return;
  event.preventDefault();
  const [down = 0, right = 0] = step;
  let [y, x] = [row.rowIndex + down, cell.cellIndex + right];
  for (; table.rows[y]?.cells[x]; y += down, x += right) {
    const next = table.rows[y]?.cells[x]?.querySelector("button");
    if (!next) continue;
    event.target instanceof HTMLElement && event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
    return;
  }
}
