/** What a predicate says about a moment: true, false, or unknown where it was not recorded. */

import { equalJson, isObject, member } from "../../base/json.js";
import { eventName } from "../../base/event-name.js";
import { beginsWith, readPointer } from "../../base/pointer.js";
import { LeafSearch } from "./leaves.js";
import { added, elementsAt, includesEach } from "./lists.js";
import { readAll, sideOf, tokensOf } from "./paths.js";
import { cutsIn, equal, follow, isCut, maskedAt, meansSame, orderOf, touches } from "./values.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { Expression, LeafTest, Operand, Path, Root } from "./parser.js" */
/** @import { Found } from "./values.js" */

/** @typedef {boolean | "unknown"} Answer */

/**
 * State and outputs on one side of an entry; `none` before the start.
 *
 * @typedef {{ state: Json, outputs: Json } | "unknown" | "none"} SideValues
 */

/**
 * One entry and the values around it. What is not given is taken from the line, as far as it goes.
 * `hiddenBefore` are pointers to stand-ins before the entry.
 *
 * @typedef {{ entry: JsonObject, before?: SideValues, after?: SideValues,
 *   hiddenBefore?: string[] }} Subject
 */

/**
 * @param {Expression} expression
 * @param {Subject} subject
 * @returns {Answer}
 */
export function evaluate(expression, subject) {
  return new Evaluation(subject).answer(expression);
}

/**
 * The tokens of the first leaf because of which a predicate with `anywhere` holds.
 *
 * @param {Expression} expression
 * @param {Subject} subject
 * @returns {string[] | undefined}
 */
export function leafOf(expression, subject) {
  if (expression.is === "anywhere") return new Evaluation(subject).leaf(expression.test).path;
  if (expression.is !== "all" && expression.is !== "any") return undefined;
  for (const part of expression.parts) {
    const found = evaluate(part, subject) === true ? leafOf(part, subject) : undefined;
    if (found) return found;
  }
  return undefined;
}

class Evaluation {
  #subject;
  /** @type {string[][]} */
  #hiddenAfter;
  /** @type {string[][]} */
  #hiddenBefore;

  /** @param {Subject} subject */
  constructor(subject) {
    this.#subject = subject;
    const redacted = member(subject.entry, "redacted");
    this.#hiddenAfter = readAll(isObject(redacted) ? Object.keys(redacted) : []);
    this.#hiddenBefore = readAll(subject.hiddenBefore ?? []);
  }

  /**
   * @param {Expression} expression
   * @returns {Answer}
   */
  answer(expression) {
    switch (expression.is) {
      case "value": {
        const found = this.#operand(expression.operand, false);
        if (!found) return "unknown";
        return found.value !== undefined && found.value !== null && found.value !== false;
      }
      case "compare":
        return this.#compare(expression);
      case "contains":
        return this.#contains(expression.left, expression.right);
      case "includes":
        return includesEach(
          this.#operand(expression.left, false),
          this.#operand(expression.right, false),
        );
      case "matches": {
        const found = this.#operand(expression.left, true);
        if (!found) return "unknown";
        return typeof found.value === "string" && expression.pattern.matches(found.value);
      }
      case "anywhere":
        return this.#anywhere(expression.test);
      case "changed":
        return this.#changed(expression.path);
      case "not": {
        const inner = this.answer(expression.inner);
        return inner === "unknown" ? inner : !inner;
      }
      case "all":
        return this.#first(false, expression.parts);
      case "any":
        return this.#first(true, expression.parts);
    }
  }

  /**
   * @param {boolean} deciding
   * @param {Expression[]} parts
   * @returns {Answer}
   */
  #first(deciding, parts) {
    /** @type {Answer} */
    let result = !deciding;
    for (const part of parts) {
      const answer = this.answer(part);
      if (answer === deciding) return deciding;
      if (answer === "unknown") result = answer;
    }
    return result;
  }

  /**
   * State and outputs on one side, as given or as in the line.
   *
   * @param {"before" | "after"} side
   * @returns {SideValues}
   */
  #values(side) {
    const { entry, before, after } = this.#subject;
    if (side === "before") return before ?? (entry.seq === 0 ? "none" : "unknown");
    if (after !== undefined) return after;
    const state = member(entry, "state");
    return state === undefined ? "unknown" : { state, outputs: member(entry, "outputState") ?? {} };
  }

  /** @param {"before" | "after" | undefined} side */
  #hidden(side) {
    return side === "before" ? this.#hiddenBefore : this.#hiddenAfter;
  }

  /**
   * The value of an operand; nothing when it is unknown. Beside text a bare `event` is its name.
   *
   * @param {Operand} operand
   * @param {boolean} besideText
   * @returns {Found | undefined}
   */
  #operand(operand, besideText) {
    if (operand.is === "literal") return { value: operand.value, hidden: [] };
    if (operand.is === "sum") return this.#sum(operand.paths);
    const isName = besideText && operand.path.root === "event" && operand.path.steps.length === 0;
    return this.#at(isName ? { root: "name", steps: [] } : operand.path);
  }

  /**
   * @param {Path} path
   * @returns {Found | undefined}
   */
  #at(path) {
    const each = path.steps.indexOf(true);
    if (each >= 0) return this.#list(path, each);
    const tokens = tokensOf(path);
    /** @type {string[][]} */
    const hidden = [];
    for (const pointer of this.#hidden(sideOf(path.root))) {
      if (beginsWith(tokens, pointer)) return undefined;
      if (path.root !== "name" && beginsWith(pointer, tokens)) {
        hidden.push(pointer.slice(tokens.length));
      }
    }
    const root = this.#root(path.root);
    if (!root) return undefined;
    let { value } = root;
    for (const step of path.steps) {
      if (value === undefined) break;
      if (isCut(value)) return undefined;
      value = follow(value, step);
    }
    if (value === undefined) return { value, hidden: [] };
    if (isCut(value)) return undefined;
    return { value, hidden: [...hidden, ...cutsIn(value)] };
  }

  /**
   * The values at a path with `[*]`, as a list; nothing when one of them may be unknown.
   *
   * @param {Path} path
   * @param {number} each
   * @returns {Found | undefined}
   */
  #list({ root, steps }, each) {
    const list = this.#at({ root, steps: steps.slice(0, each) });
    if (!list || list.hidden.length > 0) return undefined;
    return { value: elementsAt(list.value, steps.slice(each + 1)), hidden: [] };
  }

  /** @param {Path[]} paths @returns {Found | undefined} */
  #sum(paths) {
    let sum = 0;
    for (const path of paths) {
      const found = this.#at(path);
      if (!found || found.hidden.length > 0) return undefined;
      const next = added(sum, found.value);
      if (next === undefined) return { value: undefined, hidden: [] };
      sum = next;
    }
    return { value: Number.isFinite(sum) ? sum : undefined, hidden: [] };
  }

  /**
   * @param {Root} root
   * @returns {{ value: Json | undefined } | undefined}
   */
  #root(root) {
    const { entry } = this.#subject;
    const side = sideOf(root);
    if (side) {
      const values = this.#values(side);
      if (values === "unknown") return undefined;
      if (values === "none") return { value: undefined };
      return { value: root.endsWith("state") ? values.state : values.outputs };
    }
    if (root === "name") return { value: eventName(member(entry, "event")) };
    if (root === "keyframe") return { value: Object.hasOwn(entry, "state") };
    if (root === "thinned") {
      const captured = ["state", "outputState", "patch", "outputs"];
      return { value: !captured.some((key) => Object.hasOwn(entry, key)) };
    }
    return { value: member(entry, root) };
  }

  /**
   * @param {Extract<Expression, { is: "compare" }>} expression
   * @returns {Answer}
   */
  #compare({ left: leftOperand, comparison, right: rightOperand }) {
    const plainLeft = this.#operand(leftOperand, false);
    const plainRight = this.#operand(rightOperand, false);
    if (!plainLeft || !plainRight) return "unknown";
    const left = typeof plainRight.value === "string"
      ? this.#operand(leftOperand, true)
      : plainLeft;
    const right = typeof plainLeft.value === "string"
      ? this.#operand(rightOperand, true)
      : plainRight;
    if (!left || !right) return "unknown";
    if (comparison === "==") return equal(left, right);
    if (comparison === "!=") {
      const answer = equal(left, right);
      return answer === "unknown" ? answer : !answer;
    }
    const order = orderOf(left.value, right.value);
    if (order === undefined) return false;
    if (comparison === "<") return order < 0;
    if (comparison === "<=") return order <= 0;
    return comparison === ">" ? order > 0 : order >= 0;
  }

  /**
   * A text in a string, an element in an array, a key in an object.
   *
   * @param {Operand} left
   * @param {Operand} right
   * @returns {Answer}
   */
  #contains(left, right) {
    const whole = this.#operand(left, true);
    const part = this.#operand(right, true);
    if (!whole || !part) return "unknown";
    if (typeof whole.value === "string") {
      return typeof part.value === "string" && whole.value.includes(part.value);
    }
    if (isObject(whole.value)) {
      return typeof part.value === "string" && Object.hasOwn(whole.value, part.value);
    }
    if (!Array.isArray(whole.value)) return false;
    if (part.hidden.length > 0) return "unknown";
    const wanted = part.value ?? null;
    const found = whole.value.some((element, index) =>
      !whole.hidden.some(([first]) => first === String(index)) && meansSame(element, wanted)
    );
    if (found) return true;
    return whole.hidden.length > 0 ? "unknown" : false;
  }

  /**
   * Whether a leaf of the event, the state, or the outputs passes.
   *
   * @param {LeafTest} test
   * @returns {Answer}
   */
  #anywhere(test) {
    const search = this.leaf(test);
    if (search.path) return true;
    return search.mayBeHidden ? "unknown" : false;
  }

  /**
   * The first leaf that passes.
   *
   * @param {LeafTest} test
   */
  leaf(test) {
    const search = new LeafSearch(test);
    const after = this.#values("after");
    if (after === "unknown") search.mayBeHidden = true;
    const values = after === "unknown" || after === "none" ? {} : after;
    for (const [root, value] of Object.entries({ event: this.#subject.entry.event, ...values })) {
      if (value !== undefined && search.find(value, [root], this.#hiddenAfter)) break;
    }
    return search;
  }

  /**
   * Whether the value differs before and after. Nothing is before the start, so nothing changes
   * there.
   *
   * @param {Path} path
   * @returns {Answer}
   */
  #changed(path) {
    if (this.#subject.entry.seq === 0) return false;
    /** @type {Path} */
    const earlier = {
      root: path.root === "state" ? "before.state" : "before.outputs",
      steps: path.steps,
    };
    const isHidden = this.#isHidden(path) || this.#isHidden(earlier);
    if (this.#isTouched(path) === false && !isHidden) return false;
    const before = this.#at(earlier);
    const after = this.#at(path);
    if (!before || !after) return "unknown";
    if (this.#values("before") === "none") return false;
    const hidden = [...before.hidden, ...after.hidden];
    const mask = (/** @type {Json | undefined} */ value) =>
      hidden.reduce((masked, tokens) => maskedAt(masked, tokens), value ?? null);
    if (!equalJson(mask(before.value), mask(after.value))) return true;
    return hidden.length > 0 ? "unknown" : false;
  }

  /**
   * Whether the line's patch has an operation that can change the value; nothing when the line has
   * none, so that the changes are unknown.
   *
   * @param {Path} path
   * @returns {boolean | undefined}
   */
  #isTouched(path) {
    const { entry } = this.#subject;
    const patch = member(entry, path.root === "state" ? "patch" : "outputs");
    if (patch === undefined) {
      // On a captured entry absent `outputs` says that none changed.
      return path.root === "outputs" && Object.hasOwn(entry, "patch") ? false : undefined;
    }
    const tokens = tokensOf(path).slice(1);
    for (const operation of Array.isArray(patch) ? patch : []) {
      const name = member(operation, "op");
      const text = member(operation, "path");
      const pointer = typeof text === "string" ? readPointer(text) : undefined;
      if (!pointer || (name !== "add" && name !== "remove" && name !== "replace")) return undefined;
      if (touches(pointer, tokens, name === "replace")) return true;
    }
    return false;
  }

  /** @param {Path} path */
  #isHidden(path) {
    const tokens = tokensOf(path);
    return this.#hidden(sideOf(path.root)).some((pointer) =>
      beginsWith(tokens, pointer) || beginsWith(pointer, tokens)
    );
  }
}
