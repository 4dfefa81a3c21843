/** Which rows of the state have a sparkline. */

import { lookUp, readPointer } from "../base/pointer.js";
import { isDrawn } from "../model/timeline/spark-line.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { TreeRow } from "../model/state/tree.js" */
/** @import { StateRow } from "./state-row.js" */
/** @import { LineRow } from "./value-lines.js" */

/**
 * @param {readonly { row: StateRow, item: TreeRow, y: number }[]} rows
 * @param {Json} state
 * @returns {LineRow[]}
 */
export function linesOf(rows, state) {
  return rows.map(({ row, item: { path, look, mark }, y }) => {
    const isLine = look !== "cut" && look !== "redacted" && mark !== "removed" &&
      isDrawn(lookUp(state, readPointer(path) ?? []));
    return { row, pointer: isLine ? "/state" + path : "", y };
  });
}
