import assert from "node:assert/strict";
import {
  insertNote,
  insertsAt,
  NO_SUCH_BRANCH,
  readInserts,
  whatIfNote,
  whatIfWords,
  whyNoInsert,
  whyNotInserted,
} from "../../../../web/model/files/what-if.js";

const TEA = { event: "tea", before: [4, 5, 6] };
const REFUND = { event: { refund: {} }, before: [5, 6] };
const WITH_INSERTS = { first: 1, last: 7, count: 31, hasFewest: false, inserts: [TEA, REFUND] };

Deno.test("counts the edits of a file as the command that wrote it, without the fewest events", () => {
  const whatIf = { first: 1, last: 7, count: 31, hasFewest: false, inserts: [] };
  assert.match(whatIfNote(whatIf), /has the results of 31 edits, as the reducer computed them\. /);
  assert.match(
    whatIfNote({ ...whatIf, hasFewest: true }),
    /has the results of 30 edits, as the reducer computed them, and the fewest events for a failure\. /,
  );
  assert.match(whatIfNote({ ...whatIf, count: 1 }), /the results of 1 edit, /);
});

Deno.test("insertions are offered only where a file has their results", () => {
  const none = { ...WITH_INSERTS, inserts: [] };
  assert.match(whatIfWords(none), /: skip, move by one, and repeat\. For other edits, /);
  assert.match(
    whatIfWords(WITH_INSERTS),
    /repeat, and for the nearest also insert tea or refund after them\. /,
  );
  assert.deepEqual(insertsAt(WITH_INSERTS, 5), [TEA, REFUND]);
  assert.deepEqual(insertsAt(WITH_INSERTS, 7), []);
  assert.deepEqual(insertsAt(undefined, 5), []);
  assert.equal(whyNoInsert(WITH_INSERTS, 4), undefined);
  assert.equal(whyNoInsert(none, 4), NO_SUCH_BRANCH);
  assert.equal(
    whyNoInsert(WITH_INSERTS, 7),
    "This file has branches with an inserted event only after the entries 3 to 5. To insert one here, export the .timeline (⇧E), and run it with your program: debugd view FILE --host EXE",
  );
  assert.equal(insertNote(WITH_INSERTS, 4), "This file has the results of inserting tea here.");
});

Deno.test("an event is not inserted where a file lacks its result", () => {
  assert.equal(whyNotInserted(WITH_INSERTS, 5, "tea"), undefined);
  assert.equal(whyNotInserted(WITH_INSERTS, 5, { refund: {} }), undefined);
  assert.equal(
    whyNotInserted(WITH_INSERTS, 5, { insert: { cents: 5 } }),
    "This file has no branch with this event here. It has tea or refund.",
  );
  assert.match(whyNotInserted(WITH_INSERTS, 4, { refund: {} }) ?? "", /It has tea\.$/);
  assert.match(whyNotInserted(WITH_INSERTS, 7, "tea") ?? "", /only after the entries 3 to 5/);
});

Deno.test("a damaged list of insertions offers what can be read of it", () => {
  for (const json of [null, 7, "x", {}, [1], [{ event: 1 }], [{ before: [1] }]]) {
    assert.deepEqual(readInserts(json), []);
  }
  assert.deepEqual(readInserts([{ event: "tea", before: [4, "5", null] }]), [
    { event: "tea", before: [4] },
  ]);
});
