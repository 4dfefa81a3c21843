/** What is to be exported, and as what: the choices of the dialog. */

import { isNumber, isObject } from "../../base/json.js";
import { readPointer, writePointer } from "../../base/pointer.js";
import { PredicateError } from "../predicate/lexer.js";
import { parsePredicate } from "../predicate/parser.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Request } from "../../wire/from-inspector.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/** @typedef {Request<"export">["format"]} Format */
/** @typedef {NonNullable<Request<"export">["assertion"]>} Assertion */

/** What a test can check: recorded values, or a condition. @typedef {Assertion | "never" | "expect"} Asserted */

/** The kinds of file, as they are offered. */
export const FORMATS =
  /** @type {const} @satisfies {readonly { id: Format, title: string, detail: string, isTest: boolean, colors: string }[]} */ ([
    {
      id: "swift-testing",
      title: "Swift Testing",
      detail: "a test that replays the events",
      isTest: true,
      colors: "swift",
    },
    {
      id: "xctest",
      title: "XCTest",
      detail: "a test that replays the events",
      isTest: true,
      colors: "swift",
    },
    {
      id: "quick",
      title: "Quick",
      detail: "a spec that replays the events",
      isTest: true,
      colors: "swift",
    },
    {
      id: "json",
      title: "JSON",
      detail: "events and expectations for your own test",
      isTest: true,
      colors: "json",
    },
    {
      id: "timeline",
      title: "Timeline file",
      detail: "opens in any inspector",
      isTest: false,
      colors: "json",
    },
    {
      id: "html",
      title: "HTML file",
      detail: "this inspector with the recording; opens without debugd",
      isTest: false,
      colors: "plain",
    },
    {
      id: "redux",
      title: "Redux DevTools",
      detail: "a lifted state with every action",
      isTest: false,
      colors: "json",
    },
    {
      id: "json-lines",
      title: "JSON Lines",
      detail: "one entry per line",
      isTest: false,
      colors: "json",
    },
    {
      id: "csv",
      title: "CSV",
      detail: "the values at chosen paths as columns",
      isTest: false,
      colors: "plain",
    },
  ]);

/** What a test asserts, as it is offered. */
export const ASSERTIONS =
  /** @type {const} @satisfies {readonly { id: Asserted, title: string, detail: string }[]} */ ([
    {
      id: "never",
      title: "A condition is never true",
      detail: "for a bug: the test fails until it is fixed",
    },
    {
      id: "expect",
      title: "A condition holds at the end",
      detail: "after the last event: what should be true, and is not yet",
    },
    {
      id: "changed-outputs",
      title: "Outputs that changed",
      detail: "after each event, the outputs that it changed",
    },
    { id: "paths", title: "Chosen paths", detail: "after each event, the values at these paths" },
    { id: "state", title: "The full state", detail: "after each event, all of it" },
    { id: "final", title: "The final state only", detail: "once, after the last event" },
  ]);

/** Paths that are offered when nothing is watched: enough to see what a column is. */
const MAXIMUM_OFFERED = 4;

/**
 * The paths that are offered first: the watched paths, or else the plain values at the
 * top of the state and of the outputs.
 *
 * @param {readonly string[]} watched
 * @param {{ state: Json, outputs: Json } | undefined} moment
 * @returns {string[]}
 */
export function offeredPaths(watched, moment) {
  if (watched.length > 0 || !moment) return [...watched];
  return /** @type {const} */ (["state", "outputs"]).flatMap((part) => {
    const values = moment[part];
    if (!isObject(values)) return [];
    return Object.entries(values)
      .filter(([, value]) => isPlain(value))
      .map(([key]) => writePointer([part, key]));
  }).slice(0, MAXIMUM_OFFERED);
}

/**
 * Whether a machine has outputs, as far as it is known.
 *
 * @param {TimelineSummary} summary
 * @param {{ outputs: Json } | undefined} moment
 */
export function hasOutputs({ header }, moment) {
  const shown = moment && isObject(moment.outputs) ? Object.keys(moment.outputs) : [];
  return shown.length > 0 || (header.outputs?.size ?? 0) > 0;
}

/**
 * Why a text is not a condition; nothing when it is one.
 *
 * @param {string} text
 * @param {string} advice what to enter
 */
function problemWith(text, advice) {
  if (text === "") return advice;
  try {
    parsePredicate(text);
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error;
    return error.message;
  }
  return undefined;
}

/** @param {Json} value */
function isPlain(value) {
  return value !== null && (typeof value !== "object" || isNumber(value));
}

export class ExportDraft {
  /** @type {Format} */
  format;
  /** @type {Asserted} */
  assertion = "changed-outputs";
  /** The predicate that must hold at no entry, as it was typed. */
  never = "";
  /** The predicate that must hold at the last entry, as it was typed. */
  expect = "";
  /** One path a line, as it was typed. */
  paths = "";
  /** As it was typed; empty for the usual name. */
  name = "";
  make = "";
  /** As they were typed; empty for the start and the end. */
  from = "";
  to = "";
  /** Whether an HTML file contains branches around an entry. */
  hasBranches = false;
  #branchesAround;
  #summary;
  #isFile;
  #hasOutputs;
  #isMakeRefused = false;

  /**
   * @param {TimelineSummary} summary
   * @param {{ isFile?: boolean, stretch?: { from: number, to: number }, paths?: readonly string[], failure?: string | undefined,
   *   hasOutputs?: boolean, branchesAround?: number | undefined }} [how]
   *   whether there is no daemon, which alone writes all but timelines; the selected stretch; the
   *   paths that are offered first; the failure that the timeline was minimized to, when its header
   *   does not name it; whether the machine has outputs; the entry around
   *   which a host can compute branches
   */
  constructor(
    summary,
    { isFile = false, stretch, paths = [], failure, hasOutputs = true, branchesAround } = {},
  ) {
    this.#branchesAround = branchesAround;
    this.#summary = summary;
    this.#isFile = isFile;
    this.#hasOutputs = hasOutputs;
    if (!hasOutputs) this.assertion = "final";
    this.format = isFile ? "timeline" : "swift-testing";
    this.paths = paths.join("\n");
    this.never = failure ?? summary.header.parent?.failure ?? "";
    // Recorded values would make a test that passes as long as the bug is there.
    if (this.never !== "") this.assertion = "never";
    if (stretch && stretch.from !== stretch.to) {
      this.from = String(stretch.from);
      this.to = String(stretch.to);
    }
  }

  /**
   * What a test is named after unless the reader names it. The name that a minimization gave its branch
   * makes a poor one; whether a condition makes one is the daemon's decision.
   */
  get usualName() {
    const { name, header: { parent, machine } } = this.#summary;
    const isGenerated = parent?.failure !== undefined &&
      (!name || name === parent.name && /^(found: )?\d+ events?: /.test(name));
    const given = isGenerated ? undefined : name || parent?.name;
    const hasCondition = this.asksForNever || this.asksForExpect;
    return given || (hasCondition ? `after its condition, or ${machine.name}` : machine.name);
  }

  get kind() {
    return FORMATS.find(({ id }) => id === this.format) ?? FORMATS[4];
  }

  /**
   * Whether a kind can be had here.
   *
   * @param {Format} format
   */
  offers(format) {
    return !this.#isFile || format === "timeline";
  }

  /** Why not every format is offered; nothing if all are. */
  get whyNotAll() {
    return this.#isFile
      ? "Only debugd makes the other formats. To choose one, run: debugd view FILE"
      : undefined;
  }

  /**
   * Whether a test can assert this: outputs, only if the machine has some.
   *
   * @param {Asserted} assertion
   */
  canAssert(assertion) {
    return this.#hasOutputs || assertion !== "changed-outputs";
  }

  get asksForBranches() {
    return this.format === "html" && this.#branchesAround !== undefined;
  }

  get asksForPaths() {
    return this.format === "csv" || this.kind.isTest && this.assertion === "paths";
  }

  get asksForNever() {
    return this.kind.isTest && this.assertion === "never";
  }

  get asksForExpect() {
    return this.kind.isTest && this.assertion === "expect";
  }

  /** Whether the recording does not say how to make a new machine in Swift, so that the reader must. */
  get asksForMake() {
    return this.kind.isTest && this.format !== "json" &&
      (this.#isMakeRefused || this.#summary.header.machine.make === undefined);
  }

  /**
   * Asks for what the daemon refused: only the daemon knows whether what a recording says, such as
   * `coin.New()`, makes a machine in Swift.
   *
   * @param {string | undefined} path the path of the error
   */
  refuse(path) {
    if (path === "make") this.#isMakeRefused = true;
  }

  get #pathList() {
    return this.paths.split("\n").map((path) => path.trim()).filter((path) => path !== "");
  }

  /** What keeps it from being exported; nothing when it can be. @returns {string | undefined} */
  get problem() {
    const numbers = [this.from, this.to].filter((text) => text.trim() !== "");
    if (numbers.some((text) => !/^\d{1,15}$/.test(text.trim().replaceAll(",", "")))) {
      return "Enter the range as two entry numbers, or leave it empty.";
    }
    const { from, to } = this.#stretch;
    if (from !== undefined && to !== undefined && from > to) {
      return "The range ends before it begins.";
    }
    const hasStretch = from !== undefined || to !== undefined;
    if (this.asksForBranches && this.hasBranches && hasStretch) {
      return "Branches need the whole timeline. To export a range, leave them out.";
    }
    if (this.asksForPaths) {
      if (this.#pathList.length === 0) return "Give at least one path, such as /state/count.";
      const wrong = this.#pathList.find((path) =>
        !["state", "outputs", "event"].includes(readPointer(path)?.[0] ?? "")
      );
      if (wrong !== undefined) {
        return `“${wrong}” is not a path. Paths begin with /state, /outputs, or /event.`;
      }
    }
    const wrong = this.#conditionProblem;
    if (wrong !== undefined) return wrong;
    if (this.asksForMake && this.make.trim() === "") {
      return "Enter the Swift expression that makes a new machine, such as Checkout().";
    }
    return undefined;
  }

  get #conditionProblem() {
    if (this.asksForNever) {
      return problemWith(
        this.never.trim(),
        "Enter the condition that must never hold, such as state.total < 0.",
      );
    }
    if (this.asksForExpect) {
      return problemWith(
        this.expect.trim(),
        "Enter the condition that must hold after the last event, such as outputs.total == 0.",
      );
    }
    return undefined;
  }

  get #stretch() {
    const read = (/** @type {string} */ text) =>
      text.trim() === "" ? undefined : Number(text.trim().replaceAll(",", ""));
    return { from: read(this.from), to: read(this.to) };
  }

  /** @returns {Request<"export">} */
  get request() {
    const { kind, asksForMake, asksForPaths } = this;
    const { from, to } = this.#stretch;
    const name = this.name.trim();
    return {
      type: "export",
      timeline: this.#summary.header.timeline,
      format: this.format,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(kind.isTest && this.assertion !== "never" && this.assertion !== "expect"
        ? { assertion: this.assertion }
        : {}),
      ...(this.asksForNever ? { never: [this.never.trim()] } : {}),
      ...(this.asksForExpect ? { expect: [this.expect.trim()] } : {}),
      ...(asksForPaths ? { paths: this.#pathList } : {}),
      ...(kind.isTest && name !== "" ? { name } : {}),
      ...(asksForMake ? { make: this.make.trim() } : {}),
      ...(this.asksForBranches && this.hasBranches ? { whatIf: this.#branchesAround } : {}),
    };
  }
}
