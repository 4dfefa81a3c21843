import assert from "node:assert/strict";
import {
  coverageGaps,
  exploreVerdict,
  findingWords,
} from "../../../../web/model/verification/exploration.js";

const found = {
  type: /** @type {const} */ ("explore"),
  findings: [],
  end: /** @type {const} */ ("everything"),
  states: 73,
  sent: 1360,
  depth: 3,
  events: [],
};
const finding = {
  cause: /** @type {const} */ ("predicate"),
  events: [{ added: { id: 1 } }, "removed"],
  timeline: "7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e",
  minimal: /** @type {const} */ (true),
};

Deno.test("a verdict says whether what was asked for was found, and what ended the search", () => {
  const trap = { ...finding, cause: /** @type {const} */ ("trap") };
  assert.deepEqual(exploreVerdict({ ...found, findings: [finding], end: "found" }, true), {
    tone: "err",
    title: "2 events lead there",
    text: "Sent 1,360 events to 73 states, 3 events deep. Found what you asked for.",
    seq: undefined,
  });
  // A trap is not what was asked for.
  assert.deepEqual(
    exploreVerdict({ ...found, findings: [trap] }, true).title,
    "No events lead there",
  );
  assert.deepEqual(exploreVerdict({ ...found, findings: [trap] }, false).title, "1 failure");
  assert.deepEqual(exploreVerdict(found, false).title, "No event traps or throws");
  // There may be events that lead there.
  assert.deepEqual(exploreVerdict({ ...found, end: "time" }, true).title, "Not found so far");
});

Deno.test("nothing found is good news only once every state was visited", () => {
  assert.deepEqual(exploreVerdict(found, true).tone, "ok");
  for (const end of /** @type {const} */ (["depth", "states", "time"])) {
    assert.deepEqual(exploreVerdict({ ...found, end }, true).tone, "warn");
  }
  const text = (/** @type {"states" | "time"} */ end) =>
    exploreVerdict({ ...found, end }, true).text;
  assert.ok(text("states").endsWith("To search further, use debugd explore --states."));
  assert.ok(text("time").endsWith("The time ran out. To search longer, allow more seconds."));
  assert.deepEqual(
    exploreVerdict({ ...found, end: "depth", walks: 16 }, true).text,
    "Sent 1,360 events to 73 states, 3 events deep, and 16 random walks. To search deeper, allow more events.",
  );
});

Deno.test("a finding shows its cause and its events", () => {
  assert.deepEqual(findingWords(finding, "state.total < 0"), {
    what: "state.total < 0",
    note: undefined,
    events: ['{"added":{"id":1}}', '"removed"'],
  });
  const trap = { cause: /** @type {const} */ ("trap"), events: ["x"], message: "signal 5" };
  assert.deepEqual(findingWords(trap, ""), {
    what: "Trap: signal 5",
    note: "It did not happen again, so the reducer depends on more than its input.",
    events: ['"x"'],
  });
  const { minimal: _, ...longer } = finding;
  assert.equal(
    findingWords(longer, "state.total < 0").what,
    "state.total < 0 (maybe not the fewest events)",
  );
  assert.equal(
    findingWords({ ...trap, problem: "The disk is full." }, "").note,
    "No branch was made: The disk is full.",
  );
});

Deno.test("shortens long messages, events, and names", () => {
  const long = "n".repeat(9_999);
  const { what, events: [event = ""] } = findingWords(
    { ...finding, cause: "error", message: long, events: [{ [long]: 1 }] },
    "",
  );
  const [gap] = coverageGaps({ ...found, missing: [`first ${long} last`] });
  assert.deepEqual([what.length, event.length, gap?.text.length], [500, 500, 80]);
  assert.match(gap?.text ?? "", /^first n+…n+ last$/);
});

Deno.test("reached states and payloads that could not be decoded are shown, too", () => {
  const more = { reached: ["empty", "filled"], undecodable: 1200 };
  assert.deepEqual(coverageGaps({ ...found, ...more }), [
    { title: "States reached", text: "empty, filled" },
    { title: "Changed payloads that could not be decoded", text: "1,200" },
  ]);
});

Deno.test("what was not reached is listed, long lists shortened", () => {
  assert.deepEqual(coverageGaps(found), []);
  const names = Array.from({ length: 14 }, (_, index) => `e${index}`);
  assert.deepEqual(coverageGaps({ ...found, edges: 3, untaken: ["a --b--> c"], missing: names }), [
    { title: "Edges taken", text: "3 of 4" },
    { title: "Edges not taken", text: "a --b--> c" },
    {
      title: "Events that could not be sent",
      text: "e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, and 2 more",
    },
  ]);
});
