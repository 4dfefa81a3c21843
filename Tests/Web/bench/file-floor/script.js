/**
 * The smallest page that shows the end of a timeline in its own file: it decodes the timeline with the
 * browser's own means, parses each line, and shows the last state and as many rows as text. The times
 * of an HTML file of `debugd export` are compared with its times.
 *
 * @typedef {{ op: string, path: string, value: unknown }} Operation
 * @typedef {{ seq: number, state?: { [key: string]: unknown }, patch?: Operation[] }} Entry
 */

/** As many rows as the inspector shows. */
const ROWS = 40;

const packed = atob(document.getElementById("timeline")?.textContent ?? "");
const bytes = new Uint8Array(packed.length);
for (let at = 0; at < packed.length; at++) bytes[at] = packed.charCodeAt(at);
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const text = await new Response(stream).text();
/** @type {Entry[]} */
const entries = text.trimEnd().split("\n").slice(1).map((line) => JSON.parse(line));

/** @type {{ [key: string]: unknown }} */
let state = {};
for (const entry of entries) {
  if (entry.state) state = { ...entry.state };
  for (const { path, value } of entry.patch ?? []) state[path.slice(1)] = value;
}

/** @param {string} name @param {string} text @param {string} [seq] */
const row = (name, text, seq) => {
  const element = document.createElement("div");
  element.className = name;
  element.textContent = text;
  if (seq !== undefined) element.dataset.seq = seq;
  return element;
};
const last = entries.at(-1)?.seq ?? 0;
const slider = /** @type {HTMLElement} */ (document.querySelector(".slider"));
const title = /** @type {HTMLElement} */ (document.querySelector(".tree-title"));
slider.append(row("lane", "all"));
slider.setAttribute("aria-valuenow", String(last));
title.textContent = `State after ${last}`;
title.hidden = false;
document.querySelector("tt-state-tree")?.append(
  ...Object.entries(state).map(([key, value]) => row("tree-row", `${key}: ${value}`)),
);
document.querySelector("tt-events")?.append(
  ...entries.slice(-ROWS).map((entry) => row("row", JSON.stringify(entry), String(entry.seq))),
);
