/** What led to an entry, as the daemon answers it. */

import { any, flag, list, maybe, object, text, uuid, whole, word } from "./shape.js";

const explainLabel = word("recorded", "inferred");

const explainedEntry = object({
  seq: whole,
  timeline: maybe(uuid),
  name: maybe(text),
  event: maybe(any),
  at: maybe(text),
  error: maybe(text),
});

/** The `explain` message. */
export const explain = object({
  predicate: maybe(text),
  since: maybe(whole),
  entries: list(explainedEntry),
  links: list(object({
    from: whole,
    to: whole,
    reason: word("cause", "value", "earlier"),
    path: maybe(text),
    label: explainLabel,
  })),
  values: list(object({
    path: text,
    value: maybe(any),
    before: maybe(any),
    seq: maybe(whole),
    label: explainLabel,
  })),
  fewest: maybe(object({
    entries: list(explainedEntry),
    minimal: maybe(flag),
    label: explainLabel,
  })),
  healthy: maybe(object({
    timeline: uuid,
    entry: maybe(explainedEntry),
    other: maybe(explainedEntry),
    label: explainLabel,
  })),
  missing: maybe(list(text)),
});
