/** An event that is being written: one value, as a form and as text. */

import { cutBytes } from "../../base/event-name.js";
import { equalJson, isObject, JsonError, parseJson, writeJson } from "../../base/json.js";
import { lookUp, readPointer } from "../../base/pointer.js";
import { checkEvent } from "./event-check.js";
import { caseOf, formOf, leastValue, newEvent, withoutValue, withValue } from "./form.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { Schema } from "../../wire/header.js" */
/** @import { Problem } from "./event-check.js" */
/** @import { FormField } from "./form.js" */

/** Where the event goes: in place of an entry's, or as a new one before or behind it. */
/** @typedef {"replace" | "before" | "after"} DraftMode */

export class EventDraft {
  #original;
  #value;
  /** The text, while it is invalid JSON. @type {string | undefined} */
  #broken;
  /** Why the text is invalid JSON. */
  #brokenWhy = "";
  /** Texts of fields that do not form values yet, by their place. @type {Map<string, string>} */
  #wrong = new Map();

  /**
   * @param {object} what
   * @param {string} what.timeline where it was begun, and may be applied
   * @param {number} what.seq the entry that it replaces or is next to
   * @param {DraftMode} what.mode
   * @param {Json} what.event
   * @param {Schema | undefined} what.schema
   * @param {ReadonlyMap<string, string>} [what.redacted] of the entry that the event comes from
   */
  constructor({ timeline, seq, mode, event, schema, redacted = new Map() }) {
    /** @readonly */
    this.timeline = timeline;
    /** @readonly */
    this.seq = seq;
    /** @readonly */
    this.mode = mode;
    /** @readonly */
    this.schema = schema;
    this.#original = event;
    this.#value = event;
    /** Where the event holds stand-ins. @type {readonly string[][]} */
    this.standIns = [...redacted.keys()].flatMap((pointer) => {
      const tokens = readPointer(pointer);
      return tokens?.[0] === "event" ? [tokens.slice(1)] : [];
    });
  }

  /** @returns {Json} */
  get value() {
    return this.#value;
  }

  /** The entry before which it is inserted; nothing when it replaces one. */
  get before() {
    if (this.mode === "replace") return undefined;
    return this.mode === "before" ? this.seq : this.seq + 1;
  }

  /** Whether it differs from what it began with; a new event always does. */
  get isChanged() {
    return this.mode !== "replace" || this.#broken !== undefined || this.#wrong.size > 0 ||
      !equalJson(this.#value, this.#original);
  }

  /** @returns {FormField[]} */
  get fields() {
    return formOf(this.schema, this.#value);
  }

  /** The cases that there are to choose from. */
  get cases() {
    return this.schema?.cases.map(({ name }) => name) ?? [];
  }

  get case() {
    return caseOf(this.schema, this.#value)?.name;
  }

  /** Whether the text is invalid JSON, so that there is no form for it. */
  get isBroken() {
    return this.#broken !== undefined;
  }

  /** The value as text, or the typed text while that is invalid. */
  get text() {
    return this.#broken ?? writeJson(this.#value, 2);
  }

  /**
   * What is wrong with it; none where it can be sent.
   *
   * @returns {Problem[]}
   */
  get problems() {
    if (this.#broken !== undefined) return [{ tokens: [], text: this.#brokenWhy }];
    const wrong = [...this.#wrong].map(([key, text]) => ({
      tokens: /** @type {string[]} */ (JSON.parse(key)),
      text,
    }));
    return wrong.length > 0 ? wrong : checkEvent(this.schema, this.#value);
  }

  /** Why it cannot be sent to a live app though it is an event; nothing when it can. */
  get whyNotLive() {
    const kept = this.standIns.filter((tokens) => {
      const value = lookUp(this.#value, tokens);
      return value !== undefined && equalJson(value, lookUp(this.#original, tokens) ?? null);
    });
    if (kept.length === 0) return undefined;
    return `It holds ${
      kept.length === 1 ? "a redacted value" : "redacted values"
    }: the recording has only stand-ins. Type real values to send it.`;
  }

  /** @param {string} text */
  setText(text) {
    this.#wrong.clear();
    try {
      const value = parseJson(text);
      if (!isObject(value) && typeof value !== "string") {
        this.#broken = text;
        this.#brokenWhy = "An event is an object, or a text.";
        return;
      }
      this.#value = value;
      this.#broken = undefined;
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      this.#broken = text;
      this.#brokenWhy = `This is not JSON: ${error.message}.`.replace(/\.\.$/, ".");
    }
  }

  /**
   * A field has another value.
   *
   * @param {readonly string[]} tokens
   * @param {Json} value
   */
  setValue(tokens, value) {
    this.#wrong.delete(JSON.stringify(tokens));
    this.#value = withValue(this.#value, tokens, value);
  }

  /**
   * Keeps the text of a field that does not form a value.
   *
   * @param {readonly string[]} tokens
   * @param {string} why
   */
  setWrong(tokens, why) {
    this.#wrong.set(JSON.stringify(tokens), why);
  }

  /**
   * Why the text of a field does not form a value.
   *
   * @param {readonly string[]} tokens
   */
  wrongAt(tokens) {
    return this.#wrong.get(JSON.stringify(tokens));
  }

  /**
   * Takes a value out: an optional one, an item, a member.
   *
   * @param {readonly string[]} tokens
   */
  remove(tokens) {
    this.#forgetBelow(tokens.slice(0, -1));
    this.#value = withoutValue(this.#value, tokens);
  }

  /**
   * Gives an absent value its least one, a list one more item, a map one more member.
   *
   * @param {FormField} field
   * @param {string} [key] of the member
   */
  add(field, key) {
    const { tokens, type } = field;
    const held = lookUp(this.#value, tokens);
    const element = type.element ?? { kind: /** @type {const} */ ("any") };
    if (held === undefined || held === null) {
      this.setValue(tokens, leastValue(type, this.schema));
    } else if (Array.isArray(held)) {
      this.setValue(tokens, [...held, leastValue(element, this.schema)]);
    } else if (isObject(held) && key !== undefined && !Object.hasOwn(held, key)) {
      this.setValue([...tokens, key], leastValue(element, this.schema));
    }
  }

  /**
   * Starts over with another case.
   *
   * @param {string} name
   */
  chooseCase(name) {
    const one = this.schema?.cases.find((each) => each.name === name);
    if (!one || !this.schema) return;
    this.#wrong.clear();
    this.#broken = undefined;
    this.#value = newEvent(one, this.schema);
  }

  /** Takes back all changes. */
  revert() {
    this.#wrong.clear();
    this.#broken = undefined;
    this.#value = this.#original;
  }

  /**
   * What was wrong inside a value that moves is not known to be any more.
   *
   * @param {readonly string[]} tokens
   */
  #forgetBelow(tokens) {
    const prefix = JSON.stringify(tokens).slice(0, -1);
    for (const key of [...this.#wrong.keys()]) {
      if (key.startsWith(prefix)) this.#wrong.delete(key);
    }
  }
}

/**
 * Whether a value was cut from what an entry shows of its event: the whole of it must be fetched.
 *
 * @param {Entry} entry
 */
export function isCutEvent({ event }) {
  /** @param {Json} value @returns {boolean} */
  const holds = (value) => {
    if (Array.isArray(value)) return value.some(holds);
    if (!isObject(value)) return false;
    return cutBytes(value) !== undefined || Object.values(value).some(holds);
  };
  return event !== undefined && holds(event);
}
