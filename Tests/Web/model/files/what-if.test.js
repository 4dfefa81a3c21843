import assert from "node:assert/strict";
import { whatIfNote } from "../../../../web/model/files/what-if.js";

Deno.test("counts the edits of a file as the command that wrote it, without the fewest events", () => {
  const whatIf = { first: 1, last: 7, count: 31, hasFewest: false };
  assert.match(whatIfNote(whatIf), /has the results of 31 edits, as the reducer computed them\. /);
  assert.match(
    whatIfNote({ ...whatIf, hasFewest: true }),
    /has the results of 30 edits, as the reducer computed them, and the fewest events for a failure\. /,
  );
  assert.match(whatIfNote({ ...whatIf, count: 1 }), /the results of 1 edit, /);
});
