import assert from "node:assert/strict";
import { LEASE, LiveControl, stripOf } from "../../../../web/model/live/control.js";
import { RequestError } from "../../../../web/wire/requests.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

const ROOT = "aaaaaaaa-0000-4000-8000-000000000000";
const LIVE = /** @type {any} */ ({
  header: { timeline: ROOT, machine: { name: "coin" } },
  live: true,
  controllable: true,
});

/** A daemon for control whose answers a test gives, and time by hand. */
function controlled() {
  /** @type {{ request: Json, answer: (error?: RequestError) => void }[]} */
  const waiting = [];
  /** @type {[number, () => void][]} */
  let alarms = [];
  /** @type {string[]} */
  const warnings = [];
  let now = 0;
  const source = /** @type {any} */ ({
    ask: (/** @type {Json} */ request) =>
      new Promise((resolve, reject) => {
        const reply = { type: "done", lease: "l1" };
        waiting.push({ request, answer: (error) => error ? reject(error) : resolve(reply) });
      }),
  });
  const control = new LiveControl({
    source: () => source,
    now: () => now,
    later: (call, milliseconds) => void alarms.push([now + milliseconds, call]),
    changed: () => {},
    warn: (text) => void warnings.push(text),
  });
  const turn = async () => {
    for (let count = 0; count < 8; count++) await Promise.resolve();
  };
  /** @param {RequestError} [error] */
  const answer = async (error) => {
    waiting.shift()?.answer(error);
    await turn();
  };
  const pass = async (/** @type {number} */ milliseconds) => {
    now += milliseconds;
    const due = alarms.filter(([at]) => at <= now);
    alarms = alarms.filter(([at]) => at > now);
    for (const [, call] of due) call();
    await turn();
  };
  const strip = () => stripOf(control, LIVE, now);
  const hold = async () => {
    const holding = control.hold(ROOT, "queue");
    await answer();
    await holding;
    control.heard({ type: "control", timeline: ROOT, held: true, yours: true, holder: "Me" });
  };
  return { control, waiting, warnings, answer, pass, strip, hold };
}

Deno.test("never takes itself for another inspector", async () => {
  const { control, answer, strip, hold } = controlled();
  // The report comes before the answer.
  const holding = control.hold(ROOT, "queue");
  control.heard({ type: "control", timeline: ROOT, held: true, yours: true, holder: "Me" });
  assert.notEqual(strip()?.is, "other");
  await answer();
  await holding;
  assert.equal(strip()?.is, "mine");
  // And the answer before the report.
  await hold();
  const resuming = control.resume(ROOT);
  await answer();
  await resuming;
  assert.equal(strip()?.is, "free");
});

Deno.test("keeps its lease until the app resumes", async () => {
  const { control, answer, warnings, strip, hold } = controlled();
  await hold();
  const resuming = control.resume(ROOT);
  assert.equal(strip()?.is, "mine");
  await Promise.all([
    assert.rejects(resuming, /did not answer/),
    answer(new RequestError("failed", "The app did not answer in time.")),
  ]);
  assert.equal(strip()?.is, "mine");
  assert.ok(control.heldOf(ROOT));
  // Resuming does not count as a loss, whichever message comes first.
  const again = control.resume(ROOT);
  control.heard({ type: "control", timeline: ROOT, why: "It was let go." });
  await answer();
  await again;
  assert.equal(strip()?.is, "free");
  assert.deepEqual(warnings, []);
});

Deno.test("it knows the holder even when a release is refused", async () => {
  const { control, answer, strip, hold } = controlled();
  await hold();
  const resuming = control.resume(ROOT);
  await Promise.all([
    assert.rejects(resuming, /not held by this lease/),
    answer(new RequestError("conflict", "The machine is not held by this lease.")),
  ]);
  assert.equal(strip()?.is, "free");
});

Deno.test("says that control is lost when the renewal is not answered in time", async () => {
  const { control, waiting, warnings, answer, pass, strip, hold } = controlled();
  await hold();
  await pass(LEASE / 3);
  await answer();
  for (let passed = 0; passed < LEASE; passed += LEASE / 3) {
    assert.equal(strip()?.is, "mine");
    await pass(LEASE / 3);
  }
  assert.equal(strip()?.is, "lost");
  assert.match(strip()?.detail ?? "", /not renewed in time/);
  assert.equal(warnings.length, 1);
  // An answer that comes after all takes nothing back, and nothing is renewed any more.
  await answer();
  await pass(2 * LEASE);
  assert.deepEqual([strip()?.is, control.holding, waiting.length], ["lost", [], 0]);
});

Deno.test("pauses recording without a lease, and says so as long as it does", async () => {
  const { control, waiting, answer, strip } = controlled();
  const refused = control.capture(ROOT, true);
  await Promise.all([
    assert.rejects(refused),
    answer(new RequestError("forbidden", "The program did not opt in to control.")),
  ]);
  assert.doesNotMatch(strip()?.detail ?? "", /paused/);
  const pausing = control.capture(ROOT, true);
  assert.deepEqual(waiting.map(({ request }) => request), [
    { type: "capture", timeline: ROOT, allow: [] },
  ]);
  await answer();
  await pausing;
  assert.match(strip()?.detail ?? "", /^Recording is paused\. Pause it/);
  const going = control.capture(ROOT, false);
  assert.deepEqual(waiting.map(({ request }) => request), [{ type: "capture", timeline: ROOT }]);
  await answer();
  await going;
  assert.equal(strip()?.detail, "Pause it to time-travel or send events.");
});

Deno.test("offers no control of a wrapped reducer", () => {
  const { control } = controlled();
  const machine = { name: "basket", kind: "reducer" };
  assert.equal(stripOf(control, { ...LIVE, header: { ...LIVE.header, machine } }, 0), undefined);
});
