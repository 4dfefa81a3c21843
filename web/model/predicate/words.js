/** The words of the language. */

export const ROOTS = /** @type {const} */ ([
  "event",
  "name",
  "state",
  "outputs",
  "before.state",
  "before.outputs",
  "seq",
  "t",
  "ns",
  "cause",
  "origin",
  "at",
  "error",
  "gap",
  "restored",
  "jump",
  "was",
  "redacted",
  "omitted",
  "keyframe",
  "thinned",
]);

/** @type {Map<string, null | boolean>} */
export const LITERALS = new Map([["true", true], ["false", false], ["null", null]]);

/** The words that values begin with. */
export const WORDS = [
  ...ROOTS.filter((root) => !root.includes(".")),
  "anywhere",
  "before",
  ...LITERALS.keys(),
];
