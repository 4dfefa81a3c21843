/** The form of values without a label, whose encoded names say nothing to a reader. */

/** @import { FormField } from "./form.js" */

/**
 * Fields of an unlabeled value, which Swift encodes as `_0`: a structure's members stand for it, and
 * any other value gets a readable label.
 *
 * @param {FormField[]} fields
 * @param {number | undefined} number of the value, when there are several
 * @returns {FormField[]}
 */
export function withoutInternalName(fields, number) {
  const [first, ...inside] = fields;
  if (!first || !/^_\d+$/.test(first.label)) return fields;
  if (first.input === "group" && !first.isOptional && number === undefined) {
    return inside.map((field) => ({ ...field, depth: field.depth - 1 }));
  }
  return [{ ...first, label: number === undefined ? "value" : `value ${number}` }, ...inside];
}
