/** Where reducers run, and what to do when they run nowhere. */

import { visible } from "../../base/text.js";
import { NO_SUCH_BRANCH } from "../files/what-if.js";
import { isAway } from "../sources/source.js";

/** @import { Message, TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { Source } from "../sources/source.js" */

/** @typedef {Message<"hosts">["hosts"][number]} Host */

/** What a recorder calls the maker of a machine in Swift, with its module. */
const SWIFT_MAKER = /^(?:\w+\.)?(\w+(?:\.\w+)*)\.(?:self|make\(\))$/u;

/**
 * How the program of a timeline becomes a host, as Swift code.
 *
 * @param {TimelineSummary | undefined} summary
 */
export function hostCode(summary) {
  const [, type = "Checkout"] = SWIFT_MAKER.exec(summary?.header.machine.make ?? "") ?? [];
  return `// the first line of main, with the types of all machines\nReducerHost.runIfAsked(${type}.self)`;
}

/**
 * How a daemon gets an executable as a host.
 *
 * @param {Pick<Source, "isTemporary"> | undefined} source
 */
export function hostCommand(source) {
  return source?.isTemporary ? "debugd view FILE --host EXE" : "debugd host EXE";
}

/**
 * The host that runs a timeline's reducer, as the daemon chooses it: the first executable that makes
 * its machine, one for its version before others; else an app's process before a live app, and the
 * timeline's own run before others of its version, and these before the rest.
 *
 * @param {TimelineSummary | undefined} summary
 * @param {readonly Host[]} hosts in the daemon's order
 * @returns {Host | undefined}
 */
export function hostOf(summary, hosts) {
  if (!summary) return undefined;
  const fitting = makersOf(summary, hosts).filter(({ problem }) => problem === undefined);
  const { app } = summary.header;
  const names = namesOfRun(app);
  const rank = (/** @type {Host} */ { executable, version, place, name }) => {
    if (executable !== undefined) return version === undefined ? 1 : 0;
    return (place === "process" ? 2 : 5) +
      (names.includes(name) ? 0 : version === app.version ? 1 : 2);
  };
  return fitting.sort((left, right) => rank(left) - rank(right))[0];
}

/**
 * The hosts in the order of their use for a timeline: the one that runs it, those of its app, and
 * those of other programs.
 *
 * @param {TimelineSummary | undefined} summary
 * @param {readonly Host[]} hosts in the daemon's order
 * @returns {Host[]}
 */
export function hostsFor(summary, hosts) {
  const used = hostOf(summary, hosts);
  const app = summary?.header.app.name;
  const rank = (/** @type {Host} */ host) => host === used ? 0 : host.app === app ? 1 : 2;
  return [...hosts].sort((left, right) => rank(left) - rank(right));
}

/**
 * The hosts that make a timeline's machine and are not for another app or version alone, usable or
 * not.
 *
 * @param {TimelineSummary} summary
 * @param {readonly Host[]} hosts
 */
function makersOf({ header: { app, machine: { make } } }, hosts) {
  return hosts.filter((host) =>
    make !== undefined && host.makes.includes(make) &&
    (host.app === undefined || host.app === app.name) && !isForOtherVersion(host, app.version)
  );
}

/**
 * Whether an executable was given for another version of its app.
 *
 * @param {Host} host
 * @param {string | undefined} version
 */
function isForOtherVersion(host, version) {
  return host.executable !== undefined && host.version !== undefined && host.version !== version;
}

/**
 * What the daemon calls a host that is offered by a timeline's own run.
 *
 * @param {TimelineSummary["header"]["app"]} app
 */
function namesOfRun({ name, pid, run }) {
  const parts = [pid, run].filter((part) => part !== undefined);
  return [...parts.map((part) => `${name}-${part}`), ...(run === undefined ? [] : [run])];
}

/** A host that an app offers has no name but its connection's. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * What a host is called: one that an app offers by its app.
 *
 * @param {Host} host
 */
export function hostName({ name, app, executable, place }) {
  const own = executable === undefined && app !== undefined ? app : name;
  if (!UUID.test(own)) return visible(own);
  return executable === undefined
    ? place === "live" ? "the live program" : "a program"
    : visible(executable.split("/").at(-1) ?? executable);
}

/**
 * Where a host runs, what that means, and for which version of its app an executable is.
 *
 * @param {Host} host
 */
export function placeText({ place, app, version, executable }) {
  if (executable !== undefined && app !== undefined && version !== undefined) {
    return `in a separate process, for ${visible(app)} ${visible(version)}`;
  }
  return place === "process"
    ? "in a separate process"
    : "inside the live program: an edit that traps ends it";
}

/**
 * What a host does at the moment.
 *
 * @param {Host} host
 * @returns {{ word: string, tone: "ok" | "warn" | "err" }}
 */
export function hostState({ problem, busy }) {
  if (problem !== undefined) return { word: "cannot be used", tone: "err" };
  return busy ? { word: "busy", tone: "warn" } : { word: "ready", tone: "ok" };
}

/** Why no reducer runs for a file. */
const FILE_WITHOUT_HOST =
  "This is a file. To edit it, run its .timeline with the executable of the app: debugd view FILE --host EXE";
const NO_HOST_OF_FILE =
  "This is a file, and no host runs its events. To get one, run its .timeline with the executable of the app: debugd view FILE --host EXE";

/**
 * Why the past of a timeline cannot be changed here, in a sentence with what to do; nothing when it
 * can.
 *
 * @param {{ source: Pick<Source, "kind" | "capabilities" | "isTemporary" | "whatIf"> | undefined,
 *   summary: TimelineSummary | undefined, hosts: readonly Host[],
 *   connection?: { is: string } }} what
 * @returns {string | undefined}
 */
export function whyNoFork({ source, summary, hosts, connection }) {
  if (!source || !summary) return "No timeline is open.";
  if (isAway({ source, connection })) {
    return source.isTemporary
      ? "debugd view has ended. To edit again, run: debugd view FILE --host EXE"
      : "The daemon is not connected. You can edit again when it is back.";
  }
  if (source.whatIf) {
    if (summary.header.parent === undefined) return undefined;
    return "This file has branches only of its recording. To go back to it, press u.";
  }
  if (source.kind === "file") {
    return FILE_WITHOUT_HOST;
  }
  if (!source.capabilities.has("change")) {
    return "This session can look, but not edit. To open one that can, run: debugd open";
  }
  return whyNoHost(summary, hosts, source);
}

/** Why a file with branches has none for a kind of edit that is never in one. @param {Pick<Source, "whatIf"> | undefined} source */
export function whyNoSuchBranch(source) {
  return source?.whatIf && NO_SUCH_BRANCH;
}

/**
 * Why no reducer can run: a file has at most branches that were computed before.
 *
 * @param {Parameters<typeof whyNoFork>[0]} what
 */
export function whyNoRun(what) {
  return what.summary && what.source?.kind === "file" ? NO_HOST_OF_FILE : whyNoFork(what);
}

/**
 * Why nothing can run a timeline's reducer.
 *
 * @param {TimelineSummary} summary
 * @param {readonly Host[]} hosts
 * @param {Pick<Source, "isTemporary">} [source]
 * @returns {string | undefined}
 */
export function whyNoHost(summary, hosts, source) {
  if (hostOf(summary, hosts)) return undefined;
  const { make, name } = summary.header.machine;
  if (make === undefined) {
    return `This recording of ${
      visible(name)
    } has no reducer, so edits cannot be computed. To fix, record it again with 'madeBy:' and a Replayable type.`;
  }
  const broken = makersOf(summary, hosts).find(({ problem }) => problem !== undefined);
  if (broken) {
    return `The host ${hostName(broken)} cannot be used: ${visible(broken.problem ?? "")}`;
  }
  const { app } = summary.header;
  const other = hosts.find((host) =>
    host.app === app.name && host.makes.includes(make) && isForOtherVersion(host, app.version)
  );
  if (other) {
    const made = app.version === undefined ? "a version without a name" : visible(app.version);
    const why = `The host ${hostName(other)} is for version ${
      visible(other.version ?? "")
    }, and ${made} made the recording.`;
    if (source?.isTemporary) return `${why} To get a host for it, run: ${hostCommand(source)}`;
    return `${why} To get a host for it, run: debugd host EXE --app ${shellWord(app.name)}${
      app.version === undefined ? "" : ` --app-version ${shellWord(app.version)}`
    }`;
  }
  const isEnded = summary.live !== true && !hosts.some((host) => host.app === app.name);
  if (isEnded && !source?.isTemporary && !isOfTests(app.process)) {
    const what = hosts.length === 0
      ? "No host runs the reducer of this recording now."
      : `No host makes ${visible(make)} of ${visible(app.name)}.`;
    return `${what} To get one, start ${visible(app.name)} again, or run: debugd host ${
      executableOf(summary)
    }`;
  }
  return hosts.length === 0
    ? `This needs a host that runs the reducer. To get one, call ReducerHost.runIfAsked(…) first in the program's main, and run: ${
      hostCommand(source)
    }`
    : `No host makes ${visible(make)} of ${
      visible(summary.header.app.name)
    }. To get one, pass its type to ReducerHost.runIfAsked(…) first in the program's main, and run: ${
      hostCommand(source)
    }`;
}

/**
 * A recorded name as one word of a command.
 *
 * @param {string} name
 */
function shellWord(name) {
  const text = visible(name);
  return /^[\w.+@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Whether a process is a runner of tests, which cannot be a host.
 *
 * @param {string | undefined} process
 */
function isOfTests(process = "") {
  return process.endsWith(".xctest") || process === "xctest" ||
    process === "swiftpm-testing-helper";
}

/**
 * Where the executable of a recording in Swift usually is.
 *
 * @param {TimelineSummary} summary
 */
function executableOf({ header: { app: { process = "" }, machine: { make = "" } } }) {
  return SWIFT_MAKER.test(make) && /^\w[\w.-]*$/.test(process) ? `.build/debug/${process}` : "EXE";
}

/**
 * Asks which hosts there are.
 *
 * @param {Inspector} inspector
 */
export async function loadHosts(inspector) {
  try {
    inspector.hosts = (await inspector.source?.ask({ type: "hosts" }))?.hosts ?? [];
    inspector.changed.emit();
  } catch (error) {
    inspector.report(error);
  }
}
