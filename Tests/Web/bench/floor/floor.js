/**
 * The smallest page that does what the inspector has to do: it loads as many bytes, connects, asks the
 * questions that the inspector asked, and shows as many rows, as plain text. The inspector's times are
 * compared with its times.
 *
 * @typedef {{ type: string, id?: number, seq?: number, from?: number, count?: number }} Question
 * @typedef {{ seq: number }} Entry
 * @typedef {{ type: string, re?: number, nonce?: string, proof?: string, seq?: number,
 *   entries?: Entry[], value?: unknown }} Reply
 * @typedef {{ questions: Question[], rows: number, lines: number, last: number, ballast: string }} Task
 */

import { answerTo, credentialOf, newNonce } from "../../../../web/wire/handshake.js";

/** As many entries as the inspector requests at once. */
const WINDOW = 128;

const slider = /** @type {HTMLElement} */ (document.querySelector(".slider"));
const title = /** @type {HTMLElement} */ (document.querySelector(".tree-title"));
const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
const [task, credential] = await Promise.all([
  fetch("task.json").then((response) => /** @type {Promise<Task>} */ (response.json())),
  credentialOf(code),
]);
if (!credential) throw new Error("The address has no code.");

/** @type {Map<number, (reply: Reply) => void>} */
const open = new Map();
/** The windows of entries by their first seq. @type {Map<number, Entry[]>} */
const windows = new Map();
let lastID = 0;
const nonce = newNonce();
const socket = new WebSocket(`ws://${location.host}/`, "inspector.v1");
socket.binaryType = "arraybuffer";

/** @param {object} message */
const send = (message) => socket.send(JSON.stringify(message));

/** @param {Question} question @returns {Promise<Reply>} */
const ask = (question) => {
  const id = ++lastID;
  send({ ...question, id });
  return new Promise((resolve) => open.set(id, resolve));
};

/** @param {ArrayBuffer} frame the header's length, the header, and bytes @returns {Reply} */
const headOf = (frame) => {
  const length = new DataView(frame).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length)));
};

socket.onopen = () => send({ type: "hello", version: "1.0", key: credential.name, nonce });
socket.onmessage = async (/** @type {MessageEvent<string | ArrayBuffer>} */ { data }) => {
  const reply = /** @type {Reply} */ (typeof data === "string" ? JSON.parse(data) : headOf(data));
  if (reply.type === "challenge") {
    const handshake = { credential, host: location.host, nonce, daemonNonce: reply.nonce ?? "" };
    const proof = await answerTo(handshake, reply.proof ?? "");
    send({ type: "hello", version: "1.0", proof, client: "floor" });
  } else if (reply.type === "welcome") {
    await begin();
  } else if (reply.re !== undefined) {
    open.get(reply.re)?.(reply);
    open.delete(reply.re);
  }
};

/** @param {Element | null} parent @param {number} count @param {string} name */
const makeRows = (parent, count, name) =>
  Array.from({ length: count }, () => {
    const row = document.createElement("div");
    row.className = name;
    parent?.append(row);
    return row;
  });

const rows = makeRows(document.querySelector("tt-events"), task.rows, "row");
const lines = makeRows(document.querySelector("tt-state-tree"), task.lines, "tree-row");

async function begin() {
  // The inspector needs the list before it can ask about one of its timelines.
  const [list, ...rest] = task.questions;
  if (list) await ask(list);
  const replies = await Promise.all(rest.map((question) => ask(question)));
  const state = replies.find((reply) => reply.type === "state");
  const entries = replies.find((reply) => reply.type === "entries")?.entries;
  const lane = document.createElement("div");
  lane.className = "lane";
  document.querySelector("tt-timeline")?.append(lane);
  if (state && entries) show(state.seq ?? 0, state, entries);
}

/** @param {number} cursor @param {Reply} state @param {Entry[]} entries */
function show(cursor, state, entries) {
  slider.setAttribute("aria-valuenow", `${cursor}`);
  title.textContent = `State after ${cursor}`;
  title.hidden = false;
  const at = entries.findIndex((entry) => entry.seq === cursor);
  const start = Math.max(0, Math.min(at - rows.length + 1, entries.length - rows.length));
  for (const [index, row] of rows.entries()) {
    const entry = entries[start + index];
    row.dataset["seq"] = `${entry?.seq ?? -1}`;
    row.textContent = entry ? JSON.stringify(entry) : "";
  }
  const text = JSON.stringify(state.value, undefined, 1).split("\n");
  for (const [index, line] of lines.entries()) line.textContent = text[index] ?? "";
}

/** The cursor that the pointer wants, while another one is being fetched. */
let wanted = -1;
let isFetching = false;

slider.addEventListener("pointermove", (event) => {
  const { x, width } = slider.getBoundingClientRect();
  wanted = Math.round((event.clientX - x) / width * task.last);
  slider.setAttribute("aria-valuenow", `${wanted}`);
  if (!isFetching) void follow();
});

/** Asks for the wanted moment until the pointer rests. */
async function follow() {
  isFetching = true;
  const state = task.questions.find((question) => question.type === "state");
  const entries = task.questions.find((question) => question.type === "entries");
  for (let cursor = -1; state && entries && cursor !== wanted;) {
    cursor = wanted;
    const from = cursor - cursor % WINDOW;
    const [moment, list] = await Promise.all([
      ask({ ...state, seq: cursor }),
      windows.get(from) ?? ask({ ...entries, from, count: WINDOW }),
    ]);
    const window = Array.isArray(list) ? list : list.entries ?? [];
    windows.set(from, window);
    show(cursor, moment, window);
  }
  isFetching = false;
}
