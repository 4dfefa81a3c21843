/** The file that the page shows, and what is done with files: one thing at a time. */

import { formatCount } from "../base/format.js";
import { FileFeed } from "../feed/file.js";
import { uploadFile } from "../feed/upload.js";
import { endingFor } from "../model/inspector/cover.js";
import { START } from "../model/inspector/location.js";
import { RequestError } from "../wire/requests.js";
import { TimelineFileError } from "../wire/timeline-file.js";

/** @import { DaemonFeed } from "../feed/daemon.js" */
/** @import { Opening } from "../model/inspector/cover.js" */
/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { Location } from "../model/inspector/location.js" */
/** @import { Source } from "../model/sources/source.js" */

/**
 * The page around it.
 *
 * @typedef {object} Page
 * @property {Inspector} inspector
 * @property {Pick<DaemonFeed, "ask" | "state" | "restart"> & Source} daemon
 * @property {(source: Source) => Promise<void>} attach has the page show another source
 * @property {() => void} leaves Back is to lead to what the page shows now
 * @property {(opening: Opening | undefined) => void} report the current work, and its progress
 */

export class OpenedFile {
  /** The file that is shown, for as long as it is. @type {File | undefined} */
  file;
  /** The worker that answers for it. @type {FileFeed | undefined} */
  #feed;
  /** Ends what is under way. @type {AbortController | undefined} */
  #work;
  /** Where the reader was before the file was opened. @type {Location} */
  #before = { ...START };
  /** What the reader watched there. @type {readonly string[]} */
  #watched = [];
  /** Counts the ways of Back and of links: only the latest leads anywhere. */
  #visits = 0;
  #page;
  #read;

  /**
   * @param {Page} page
   * @param {typeof FileFeed.open} [read]
   */
  constructor(page, read = FileFeed.open) {
    this.#page = page;
    this.#read = read;
  }

  /**
   * Reads a file and shows it, in place of another one and of what is under way. When it is
   * canceled, or the file cannot be read, what was shown before is still there.
   *
   * @param {File} file
   */
  async open(file) {
    const { inspector, attach } = this.#page;
    const work = this.#begin("reading");
    try {
      const feed = await this.#read(file, {
        onProgress: (done, of) => this.#report(work, "reading", of > 0 ? done / of : 1),
        signal: work.signal,
      });
      if (work.signal.aborted) return feed.close();
      this.#end(work);
      if (!this.file) this.#remember();
      this.#letGo();
      this.file = file;
      this.#feed = feed;
      feed.fileName = file.name;
      inspector.leave();
      // What was said was about another file, or about the daemon's timelines.
      inspector.notices.clear();
      await attach(feed);
      if (feed.tornBytes > 0) {
        inspector.notify(
          "warning",
          `The file ends in the middle of an entry, because its writer was stopped. Everything before these ${
            formatCount(feed.tornBytes)
          } bytes is here.`,
        );
      }
    } catch (error) {
      if (work.signal.aborted) return;
      if (!(error instanceof TimelineFileError)) throw error;
      inspector.notify("error", `${file.name} cannot be opened. ${error.message}`);
    } finally {
      this.#end(work);
    }
  }

  /** Gives the file to the daemon, which can change and run what it holds, and shows it there. */
  async give() {
    const { inspector, daemon, attach } = this.#page;
    const { file } = this;
    if (!file) {
      return inspector.notify("info", "Open a timeline file first. Then you can import it.");
    }
    if (daemon.state.is !== "open") {
      return inspector.notify(
        "warning",
        endingFor(daemon.state) ??
          "No daemon is connected. You can import the file when one is.",
      );
    }
    const work = this.#begin("giving");
    try {
      const [id] = await uploadFile(daemon, file, file.name, {
        onProgress: (done, of) => this.#report(work, "giving", done / of),
        signal: work.signal,
      });
      if (work.signal.aborted) {
        return inspector.notify(
          "info",
          `${file.name} was imported before you canceled.`,
        );
      }
      this.#end(work);
      const watched = inspector.watch?.paths ?? [];
      inspector.data = undefined;
      inspector.location = { ...inspector.location, timeline: id };
      this.#letGo();
      await attach(daemon);
      this.#watch(id, watched);
    } catch (error) {
      if (!work.signal.aborted) {
        if (!(error instanceof RequestError) || error.code !== "disconnected") {
          return inspector.report(error);
        }
        // Of other things the page says by itself that it is not connected.
        return inspector.notify(
          "warning",
          `${file.name} was not imported, because the connection was lost.`,
        );
      }
      // What came of the file has a place among the few that a daemon takes at a time, until the
      // connection ends. While a file is shown nothing else needs this one.
      const isAnother = this.#work !== undefined && this.#work !== work;
      if (inspector.source !== daemon && !isAnother) daemon.restart();
    } finally {
      this.#end(work);
    }
  }

  /** Stops what is under way. */
  cancel() {
    this.#work?.abort();
    if (this.#work) this.#end(this.#work);
  }

  /** Closes the file, and goes back to the daemon's timelines. @param {Location} [location] */
  async close(location = this.#before) {
    const { inspector, daemon, attach } = this.#page;
    if (!this.file) return inspector.notify("info", "No file is open.");
    this.cancel();
    inspector.leave();
    inspector.location = location;
    this.#letGo();
    if (daemon.state.is === "open") {
      await attach(daemon);
      return this.#watch(this.#before.timeline, this.#watched);
    }
    // Once there is one, its list comes.
    inspector.source = undefined;
    inspector.summaries = new Map();
    inspector.hasList = false;
    inspector.changed.emit();
  }

  /**
   * Goes where a link or Back leads: maybe from the file to a timeline of the daemon.
   *
   * @param {Location} location
   */
  async visit(location) {
    const { inspector, daemon } = this.#page;
    const visit = ++this.#visits;
    const { timeline } = location;
    const isElsewhere = timeline !== undefined && !inspector.summaries.has(timeline);
    if (this.file && isElsewhere && daemon.state.is === "open") {
      try {
        const { timelines } = await daemon.ask({ type: "timelines" });
        if (visit !== this.#visits) return;
        if (timelines.some(({ header }) => header.timeline === timeline)) {
          return await this.close(location);
        }
      } catch (error) {
        inspector.report(error);
      }
    }
    inspector.visit(location);
  }

  /** Where the reader is, to come back to. A reader who follows live continues to do so. */
  #remember() {
    const { inspector, leaves } = this.#page;
    const { location, isFollowing, data, watch } = inspector;
    this.#before = isFollowing ? { ...location, seq: undefined } : location;
    this.#watched = watch?.paths ?? [];
    if (data) leaves();
  }

  /**
   * Watches the same values again, if that timeline is shown now.
   *
   * @param {string | undefined} timeline
   * @param {readonly string[]} paths
   */
  #watch(timeline, paths) {
    const { data, watch, cursor } = this.#page.inspector;
    if (!watch || data?.id !== timeline || paths.length === 0) return;
    watch.paths = [...paths];
    void watch.load(cursor);
  }

  /** @param {Opening["kind"]} kind */
  #begin(kind) {
    this.cancel();
    this.#work = new AbortController();
    this.#report(this.#work, kind, 0);
    return this.#work;
  }

  /**
   * @param {AbortController} work
   * @param {Opening["kind"]} kind
   * @param {number} share
   */
  #report(work, kind, share) {
    if (this.#work === work) this.#page.report({ kind, share });
  }

  /** @param {AbortController} work */
  #end(work) {
    if (this.#work !== work) return;
    this.#work = undefined;
    this.#page.report(undefined);
  }

  #letGo() {
    this.#feed?.close();
    this.#feed = this.file = undefined;
  }
}
