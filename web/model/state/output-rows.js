/** The outputs at a moment as rows, in the same order at every entry. */

import { formatCount } from "../../base/format.js";
import { equalJson, member } from "../../base/json.js";
import { compareText } from "../../base/text.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { Operation } from "../../base/patch.js" */

/**
 * `old` is absent when it is unknown; `fires` says that one came that was absent.
 *
 * @typedef {{ name: string, kind: string, value: Json | undefined, old: Json | undefined, isChanged: boolean, fires: boolean }} OutputRow
 */

/** @type {Record<string, string>} */
const SHORT_KINDS = { ui: "ui", data: "data", navigation: "nav" };

/**
 * @param {JsonObject} values
 * @param {JsonObject | undefined} before
 * @param {readonly Operation[] | undefined} changes
 * @param {Map<string, string> | undefined} kinds the outputs of the header, also absent ones
 * @returns {OutputRow[]}
 */
export function outputRows(values, before, changes, kinds) {
  const others = new Set(Object.keys(values));
  /** @type {Map<string, { isAdded: boolean }>} */
  const changed = new Map();
  for (const { op, tokens } of changes ?? []) {
    const [name] = tokens;
    if (name === undefined) continue;
    others.add(name);
    changed.set(name, { isAdded: op === "add" && tokens.length === 1 });
  }
  return [...new Set([...kinds?.keys() ?? [], ...[...others].sort(compareText)])]
    .map((name) => {
      const kind = kinds?.get(name);
      const isTouched = changed.has(name);
      const isSame = before !== undefined && equalJson(member(before, name), member(values, name));
      return {
        name,
        kind: kind === undefined ? "out" : SHORT_KINDS[kind] ?? kind,
        value: member(values, name),
        old: before ? member(before, name) ?? null : undefined,
        isChanged: isTouched && !isSame,
        fires: changed.get(name)?.isAdded ?? false,
      };
    });
}

/**
 * How many of them changed, in a few words; nothing if no changes can be known.
 *
 * @param {readonly OutputRow[]} rows
 * @param {{ isKnown: boolean, isUnknown: boolean }} change whether it is known what changed, or
 *   it cannot be known; neither at the first entry, and while it is asked for
 */
export function changedText(rows, { isKnown, isUnknown }) {
  if (rows.length === 0) return "";
  if (!isKnown) return isUnknown ? "changes unknown" : "";
  const changed = rows.filter(({ isChanged }) => isChanged).length;
  return `${formatCount(changed)} of ${formatCount(rows.length)} changed`;
}
