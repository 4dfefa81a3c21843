import assert from "node:assert/strict";
import { Address } from "../../../web/page/address.js";
import { START } from "../../../web/model/inspector/location.js";

/** A browser's history whose time the test lets pass. */
class FakeHistory {
  steps = ["#first"];
  at = 0;
  /** @type {(() => void)[]} */
  waiting = [];
  hash = () => this.steps[this.at] ?? "";
  push = (/** @type {string} */ hash) => {
    this.steps = [...this.steps.slice(0, ++this.at), hash];
  };
  replace = (/** @type {string} */ hash) => {
    this.steps[this.at] = hash;
  };
  later = (/** @type {() => void} */ call) => {
    this.waiting.push(call);
    return () => {
      this.waiting = this.waiting.filter((one) => one !== call);
    };
  };
  /** The reader rests. */
  rest() {
    for (const call of this.waiting.splice(0)) call();
  }
}

const at = (/** @type {number} */ seq) => ({ ...START, seq });

function open() {
  const history = new FakeHistory();
  return { history, address: new Address(history) };
}

Deno.test("the address changes when the user pauses, and jumps add history", () => {
  const { history, address } = open();
  for (const seq of [5, 6, 7]) address.moved(at(seq), false);
  assert.deepEqual(history.steps, ["#first"]);
  history.rest();
  assert.deepEqual(history.steps, ["#seq=7"]);
  address.moved(at(90), true);
  address.moved(at(90), true);
  assert.deepEqual(history.steps, ["#seq=7", "#seq=90"]);
});

Deno.test("a jump right after a step adds to the history, and is not overwritten", () => {
  const { history, address } = open();
  address.moved(at(7), false);
  address.moved(at(90), true);
  history.rest();
  assert.deepEqual(history.steps, ["#seq=7", "#seq=90"]);
  address.moved(at(91), false);
  address.moved(at(90), true);
  assert.deepEqual(history.steps, ["#seq=7", "#seq=91", "#seq=90"]);
});

Deno.test("the place before another source keeps its step, and Back makes none", () => {
  const { history, address } = open();
  address.moved(at(7), false);
  address.keep();
  address.moved(at(30), false);
  address.moved(at(31), false);
  history.rest();
  assert.deepEqual(history.steps, ["#seq=7", "#seq=31"]);
  address.keep();
  history.at = 0;
  address.left();
  address.moved(at(8), false);
  history.rest();
  assert.deepEqual(history.steps, ["#seq=8", "#seq=31"]);
});

Deno.test("a pending address does not overwrite the history step that Back goes to", () => {
  const { history, address } = open();
  address.moved(at(90), true);
  address.moved(at(91), false);
  history.at = 0;
  address.left();
  history.rest();
  assert.deepEqual(history.steps, ["#first", "#seq=90"]);
});

Deno.test("returning to the place in the address stays there", () => {
  const { history, address } = open();
  address.moved(at(7), true);
  address.moved(at(8), false);
  address.moved(at(7), false);
  history.rest();
  assert.equal(history.hash(), "#seq=7");
});
