/** What always held, as a daemon sends it. */

import { list, maybe, object, text, whole, word } from "./shape.js";

const kind = word(
  "sum",
  "equality",
  "order",
  "inclusion",
  "implied",
  "monotonic",
  "sign",
  "subset",
  "range",
  "constant",
  "present",
);

export const invariants = object({
  invariants: list(object({ kind, predicate: text, support: whole })),
  entries: whole,
  unknown: maybe(whole),
  recordings: whole,
  skipped: maybe(whole),
});
