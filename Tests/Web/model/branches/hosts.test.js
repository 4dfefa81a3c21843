import assert from "node:assert/strict";
import {
  hostCode,
  hostOf,
  hostsFor,
  placeText,
  whyNoFork,
  whyNoHost,
  whyNoRun,
  whyNoSuchBranch,
} from "../../../../web/model/branches/hosts.js";

/** @import { Host } from "../../../../web/model/branches/hosts.js" */

const RUN = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";

/** @param {string} name @param {Partial<Host>} [rest] */
const host = (name, rest = {}) => /** @type {Host} */ ({
  name,
  place: "process",
  makes: ["Cart()"],
  ...rest,
});

const timeline = /** @type {any} */ ({
  header: {
    timeline: RUN,
    app: { name: "Shop", version: "2.4", pid: 77, run: RUN },
    machine: { type: "Shop.Cart", name: "cart", make: "Cart()" },
  },
});

Deno.test("asks the hosts that the daemon asks, in its order", () => {
  const executable = { executable: "build/Depot" };
  /** @type {[string, Host[]][]} what is chosen of which */
  const cases = [
    // Only for another app.
    ["b", [host("a", { ...executable, app: "Depot" }), host("b", { app: "Shop", place: "live" })]],
    ["a", [host("a", { ...executable, app: "Shop" }), host("b", { app: "Shop" })]],
    // What an app offers is asked for by the app's name, in a process before inside the live app.
    ["c", [
      host("a", { app: "Depot" }),
      host("b", { app: "Shop", place: "live" }),
      host("c", { app: "Shop" }),
    ]],
    // The executables come first, wherever they are in the list.
    ["b", [host("a", { app: "Shop" }), host("b", executable)]],
    // Of those of one place the one of the timeline's own run.
    ["Shop-77", [host("Shop-7", { app: "Shop" }), host("Shop-77", { app: "Shop" })]],
    [RUN, [host("Shop-7", { app: "Shop", place: "live" }), host(RUN, { place: "live" })]],
    ["Shop-7", [
      host("Shop-77", { app: "Shop", place: "live" }),
      host("Shop-7", { app: "Shop" }),
    ]],
    // An executable for the version that recorded comes first, one for another version never.
    ["c", [
      host("a", executable),
      host("b", { ...executable, app: "Shop", version: "1.9" }),
      host("c", { ...executable, app: "Shop", version: "2.4" }),
    ]],
    ["a", [
      host("a", executable),
      host("b", { ...executable, app: "Shop", version: "1.9" }),
    ]],
    ["Shop-8", [
      host("Shop-7", { app: "Shop", version: "1.9" }),
      host("Shop-8", { app: "Shop", version: "2.4" }),
    ]],
  ];
  for (const [chosen, hosts] of cases) {
    assert.equal(hostOf(timeline, hosts)?.name, chosen, JSON.stringify(hosts));
  }
});

Deno.test("lists the host that runs a timeline first, and those of its app before others", () => {
  const hosts = [
    host("depot", { executable: "build/Depot", makes: ["Depot()"] }),
    host("live", { app: "Shop", place: "live" }),
    host("other", { app: "Depot" }),
    host("Shop-77", { app: "Shop" }),
  ];
  const names = (/** @type {any} */ summary) => hostsFor(summary, hosts).map(({ name }) => name);
  assert.deepEqual(names(timeline), ["Shop-77", "live", "depot", "other"]);
  assert.deepEqual(names(undefined), hosts.map(({ name }) => name));
});

Deno.test("reports that no host makes a machine that only another app's host makes", () => {
  const other = host("Depot", { executable: "build/Depot", app: "Depot" });
  assert.equal(hostOf(timeline, [other]), undefined);
  assert.match(whyNoHost(timeline, [other]) ?? "", /No host makes Cart\(\) of Shop/);
  const broken = { ...other, problem: "It died." };
  assert.match(whyNoHost(timeline, [broken]) ?? "", /No host makes/);
});

Deno.test("names the version of a host that is for another one, and shows it", () => {
  const other = host("Shop-1.9", { executable: "old/Shop", app: "Shop", version: "1.9" });
  assert.equal(
    whyNoHost(timeline, [other]),
    "The host Shop-1.9 is for version 1.9, and 2.4 made the recording. To get a host for it, run: debugd host EXE --app Shop --app-version 2.4",
  );
  assert.equal(placeText(other), "in a separate process, for Shop 1.9");
  // A name of several words is one argument.
  const app = { ...timeline.header.app, name: "Ann's Shop" };
  const ofAnn = { ...timeline, header: { ...timeline.header, app } };
  assert.match(
    whyNoHost(ofAnn, [{ ...other, app: "Ann's Shop" }]) ?? "",
    / run: debugd host EXE --app 'Ann'\\''s Shop' --app-version 2\.4$/,
  );
  // No other command reaches the daemon of debugd view.
  assert.match(
    whyNoHost(timeline, [other], { isTemporary: true }) ?? "",
    /made the recording\. To get a host for it, run: debugd view FILE --host EXE$/,
  );
});

Deno.test("names the type of the machine in the code of a host", () => {
  /** @type {[string | undefined, string][]} */
  const cases = [
    ["Garage.GarageRecording.make()", "GarageRecording"],
    ["Shop.Cart.self", "Cart"],
    ["Shop.Cart.Recording.make()", "Cart.Recording"],
    ["Cart.self", "Cart"],
    // Not of Swift, or not a type: an example.
    ["coin.New()", "Checkout"],
    ["Cart()", "Checkout"],
    ["<b>.self", "Checkout"],
    [undefined, "Checkout"],
  ];
  for (const [make, type] of cases) {
    const summary = /** @type {any} */ ({ header: { machine: { make } } });
    assert.equal(hostCode(summary).split("\n").at(-1), `ReducerHost.runIfAsked(${type}.self)`);
  }
});

Deno.test("a file with branches can be edited, and its branches cannot", () => {
  const whatIf = { first: 1, last: 7, count: 31, hasFewest: false, inserts: [] };
  const file = /** @type {any} */ ({ kind: "file", capabilities: new Set(["look"]) });
  const where = { summary: timeline, hosts: [] };
  assert.match(whyNoFork({ ...where, source: file }) ?? "", /^This is a file\./);
  assert.equal(whyNoFork({ ...where, source: { ...file, whatIf } }), undefined);
  assert.equal(whyNoSuchBranch(file), undefined);
  assert.equal(
    whyNoSuchBranch({ ...file, whatIf }),
    "This file has no branches for this kind of edit. To make one, export the .timeline (⇧E), and run it with your program: debugd view FILE --host EXE",
  );
  // Its branches are all that can be shown of the reducer.
  for (const source of [file, { ...file, whatIf }]) {
    assert.equal(
      whyNoRun({ ...where, source }),
      "This is a file, and no host runs its events. To get one, run its .timeline with the executable of the app: debugd view FILE --host EXE",
    );
  }
  const branch = { ...timeline, header: { ...timeline.header, parent: { timeline: RUN } } };
  assert.equal(
    whyNoFork({ ...where, summary: branch, source: { ...file, whatIf } }),
    "This file has branches only of its recording. To go back to it, press u.",
  );
});
