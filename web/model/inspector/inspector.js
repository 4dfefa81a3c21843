/**
 * What the page shows and what the reader can do: everything but how it looks. Knows no document;
 * time and the ways to a daemon are given to it.
 */

import { Emitter } from "../../base/emitter.js";
import { newestOf, reportMissingEntry, WAS_DELETED } from "./linked-place.js";
import { isNewFocus, linkedSeq, START } from "./location.js";
import { endingFor } from "./cover.js";
import { CursorMoment } from "../state/cursor-moment.js";
import { FollowedValues } from "../state/followed-values.js";
import { loadHosts } from "../branches/hosts.js";
import { KeptView } from "./kept-view.js";
import { NamedFilters } from "./named-filters.js";
import { Notices } from "./notices.js";
import { continueInNextRun, shareView } from "../live/runs.js";
import { Subscriptions } from "../sources/subscriptions.js";
import { TimelineData } from "../timeline/timeline-data.js";
import { Travel } from "./travel.js";

/** @import { ConnectionState, News } from "../../wire/connection-state.js" */
/** @import { Message, TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Location, Tab } from "./location.js" */
/** @import { Source } from "../sources/source.js" */

export class Inspector {
  /** Something has to be rendered again. @readonly @type {Emitter<void>} */
  changed = new Emitter();
  /** The place changed; `true` when Back should lead to the one before. @readonly @type {Emitter<boolean>} */
  moved = new Emitter();
  /** @type {Source | undefined} */
  source;
  /** @type {ConnectionState} */
  connection = { is: "idle" };
  /** @type {Map<string, TimelineSummary>} */
  summaries = new Map();
  /** Whether the list of timelines has come. */
  hasList = false;
  /** The timeline that a link names and the daemon does not have. @type {string | undefined} */
  missing;
  location = /** @type {Location} */ ({ ...START });
  /** @type {TimelineData | undefined} */
  data;
  /** Where that timeline comes from. @type {Source | undefined} */
  #dataSource;
  /** Ways along causes, changes and matches. @readonly */
  travel = new Travel(this);
  namedFilters = new NamedFilters(this);
  #keptView = new KeptView();
  moment = new CursorMoment(() => this.#tell());
  #values = new FollowedValues(this);
  /** Whether the cursor goes along with what is live. */
  isFollowing = false;
  /** The last entry that the reader has seen while following. */
  #seen = -1;
  /** The moment that others are compared with. @type {{ timeline: string, seq: number } | undefined} */
  marked;
  /** The other end of the selected stretch. @type {number | undefined} */
  anchor;
  hosts = /** @type {Message<"hosts">["hosts"]} */ ([]);
  sessions = /** @type {Message<"sessions">["sessions"]} */ ([]);
  controls = /** @type {Map<string, Message<"control">>} */ (new Map());
  /** @readonly */
  notices = new Notices(() => this.#tell());
  /** @type {Notices["add"]} */
  notify = (level, text, subject) => this.notices.add(level, text, subject);
  /** A request failed. @type {Notices["report"]} */
  report = (error, subject) => this.notices.report(error, subject);
  #subscriptions = new Subscriptions((data, summary) => {
    if (this.data === data) this.#update(data, summary);
  }, this.report);
  #stopListening = /** @type {() => void} */ (() => {});

  #tell() {
    this.changed.emit();
  }

  get cursor() {
    return this.location.seq ?? 0;
  }

  get pin() {
    return this.#values.pin;
  }

  get watch() {
    return this.#values.watch;
  }

  /** @returns {TimelineSummary | undefined} */
  get summary() {
    return this.data?.summary;
  }

  /** How many entries have come since the reader looked back. */
  get newCount() {
    return this.isFollowing || !this.data ? 0 : Math.max(0, this.data.last - this.#seen);
  }

  /** The selected stretch, both ends included; the cursor alone without one. */
  get stretch() {
    const other = this.anchor ?? this.cursor;
    return { from: Math.min(other, this.cursor), to: Math.max(other, this.cursor) };
  }

  /** Takes a source: a daemon that welcomed the page, or a file. @param {Source} source */
  async attach(source) {
    this.#stopListening();
    // What is marked is of another source.
    if (this.source !== source) this.marked = undefined;
    this.source = source;
    this.#stopListening = source.news.listen((message) => this.#hear(message));
    try {
      const [{ timelines }] = await Promise.all([
        source.ask({ type: "timelines" }),
        this.#subscriptions.list(source),
      ]);
      // Another one was taken meanwhile.
      if (this.source !== source) return;
      const fresh = timelines.filter(({ header }) => !this.summaries.has(header.timeline));
      this.summaries = new Map(timelines.map((summary) => [summary.header.timeline, summary]));
      this.hasList = true;
      const id = this.data?.id ?? this.location.timeline;
      const isLink = !this.data && source.kind === "daemon";
      const summary = id === undefined ? undefined : this.summaries.get(id);
      if (this.data && summary && this.#dataSource === source) {
        this.#resume(this.data, summary);
        continueInNextRun(this, fresh);
      } else if (summary) this.#showLinked(summary, this.location);
      else if (id !== undefined && timelines.length > 0 && isLink) this.missing = id;
      else this.#showFirst(timelines, this.data !== undefined);
      void loadHosts(this);
    } catch (error) {
      if (this.source === source) this.report(error);
    }
    this.#tell();
  }

  /** Leaves the timeline in view, for another source. A place that a link names is kept. */
  leave() {
    if (this.data || this.missing) this.location = { ...START, tab: this.location.tab };
    this.data = this.missing = undefined;
  }

  /** Shows what there is, in place of what a link names. */
  showNewest() {
    this.#showFirst(this.summaries.values());
  }

  /** @param {TimelineSummary} summary @param {Location} link */
  #showLinked(summary, link) {
    this.#show(summary);
    reportMissingEntry(this, link);
  }

  /** @param {Iterable<TimelineSummary>} summaries @param {boolean} [wasDeleted] what was in view */
  #showFirst(summaries, wasDeleted = false) {
    const first = newestOf(summaries);
    if (this.location.timeline !== undefined) this.location = { ...START, tab: this.location.tab };
    this.data = undefined;
    this.notices.show(undefined);
    if (first) this.#show(first);
    if (wasDeleted) this.notify("warning", WAS_DELETED);
  }

  /** The connection is back: goes on where the reader is. @param {TimelineData} data @param {TimelineSummary} summary */
  #resume(data, summary) {
    this.#update(data, summary);
    data.retry();
    this.moment.retry();
    this.#values.retry();
    if (this.source) this.#subscriptions.begin(this.source, data);
  }

  /** Takes what is true now of the timeline in view. @param {TimelineData} data @param {TimelineSummary} summary */
  #update(data, summary) {
    this.summaries.set(data.id, summary);
    if ((summary.last ?? -1) > data.last) this.#values.grew();
    data.update(summary);
    this.#keepUp();
  }

  /** @param {ConnectionState} state */
  setConnection(state) {
    const isKnown = this.connection.is === state.is;
    this.connection = state;
    if (state.is === "open") this.notices.connected();
    const ending = this.#dataSource?.kind === "daemon" && !isKnown ? endingFor(state) : undefined;
    if (ending) this.notify("warning", ending, { cause: "connection" });
    this.#tell();
  }

  /** Shows a timeline. @param {string} id @param {number} [seq] @param {TimelineData} [ready] what was fetched of it */
  open(id, seq, ready) {
    const summary = this.summaries.get(id);
    if (!summary) return;
    if (this.data?.id === id) {
      return seq === undefined ? undefined : this.goTo(seq, { isJump: true });
    }
    const keepsView = shareView(this.data?.id, id, this.summaries);
    const kept = this.#keptView.at(summary, keepsView ? this.location : undefined, this.summary);
    this.#go({ ...this.location, timeline: id, seq, ...kept }, true);
    this.#show(summary, ready);
  }

  /** What is held of a timeline, to be shown. @param {Source} source @param {TimelineSummary} summary */
  dataOf(source, summary) {
    const data = new TimelineData(source, summary, () => {
      if (this.data !== data) return;
      this.#values.keepUp();
      this.#tell();
    });
    return data;
  }

  /** @param {TimelineSummary} summary @param {TimelineData} [ready] */
  #show(summary, ready) {
    const { source } = this;
    if (!source) return;
    const id = summary.header.timeline;
    const keepsView = shareView(this.data?.id, id, this.summaries);
    const watched = keepsView ? this.watch?.paths ?? [] : [];
    this.notices.show(id);
    this.missing = undefined;
    this.#dataSource = source;
    const data = ready ?? this.dataOf(source, summary);
    this.data = data;
    this.anchor = undefined;
    this.#values.setWatched(watched);
    const linked = this.location.timeline === id ? linkedSeq(this.location) : undefined;
    this.isFollowing = (summary.live ?? false) && linked === undefined;
    const seq = linked === undefined ? Math.max(data.last, 0) : data.nearest(linked);
    this.#seen = data.last;
    this.location = { ...this.location, timeline: id, seq, wrongSeq: undefined };
    data.setFilter(this.location.filter);
    this.moment.show(data, seq);
    this.#values.setPin(this.location.pin);
    this.#subscriptions.begin(source, data);
    this.#go(this.location, false);
    this.#values.keepUp();
  }

  /** @param {Location} location @param {boolean} isJump */
  #go(location, isJump) {
    const isNew = isNewFocus(this.location, location, isJump);
    this.location = location;
    this.moved.emit(isNew);
    this.#tell();
  }

  /** Goes where a link or Back leads. @param {Location} location */
  visit(location) {
    const { data } = this;
    const id = location.timeline ?? data?.id;
    if (!data || id !== data.id) {
      const summary = id === undefined ? undefined : this.summaries.get(id);
      // Before the list arrives, the timeline may or may not exist.
      if (summary || !this.hasList) this.location = location;
      else this.notify("warning", "That timeline no longer exists.");
      if (summary) this.#showLinked(summary, location);
      // Without it the reader stays, and the address is put right.
      else if (this.hasList) this.moved.emit(false);
      return;
    }
    const seq = data.nearest(linkedSeq(location) ?? data.last);
    this.location = { ...location, timeline: id, seq, wrongSeq: undefined };
    reportMissingEntry(this, location);
    this.isFollowing = false;
    this.anchor = undefined;
    data.setFilter(location.filter);
    if (location.pin !== this.pin?.path) this.#values.setPin(location.pin);
    this.#arrived();
    this.#tell();
  }

  /**
   * Moves the cursor. The page stops following what is live.
   *
   * @param {number} seq
   * @param {{ isJump?: boolean, extend?: boolean }} [how] a jump is a step that Back takes back;
   *   `extend` selects the stretch from where the cursor was
   */
  goTo(seq, { isJump = false, extend = false } = {}) {
    const { data } = this;
    if (!data || data.last < 0) return;
    this.anchor = extend ? this.anchor ?? this.cursor : undefined;
    if (this.isFollowing && seq < data.last) this.#seen = data.last;
    this.isFollowing = this.isFollowing && seq >= data.last;
    this.#go({ ...this.location, seq: data.nearest(seq) }, isJump);
    this.#arrived();
  }

  #arrived() {
    const { data, cursor } = this;
    if (!data) return;
    this.#seen = Math.max(this.#seen, cursor);
    this.moment.show(data, cursor);
    this.#values.keepUp();
  }

  /** The entry that is so many away. @param {number} steps @param {{ extend?: boolean }} [how] */
  step(steps, how) {
    if (this.data) this.goTo(this.data.rows.stepped(this.cursor, steps), how);
  }

  /** Goes along with what is live, or does not any more. */
  follow() {
    const { data } = this;
    if (!data) return;
    if (this.isFollowing) return this.stopFollowing();
    this.isFollowing = true;
    this.anchor = undefined;
    this.#go({ ...this.location, seq: Math.max(data.last, 0) }, true);
    this.#arrived();
  }

  /** Stays at the cursor: the reader looks back. What comes from now on is counted as new. */
  stopFollowing() {
    if (!this.isFollowing || !this.data) return;
    this.isFollowing = false;
    this.#seen = this.data.last;
    this.#tell();
  }

  /** @param {Tab} tab */
  setTab(tab) {
    this.#go({ ...this.location, tab }, false);
    this.#values.keepUp();
  }

  /** @param {string} filter */
  setFilter(filter) {
    this.data?.setFilter(filter, true);
    this.#go({ ...this.location, filter }, false);
  }

  /** Follows a value through time, or none. @param {string | undefined} path a pointer into the moment */
  setPin(path) {
    this.#values.setPin(path);
    this.#go({ ...this.location, pin: path }, false);
  }

  /** @param {News} message */
  #hear(message) {
    switch (message.type) {
      case "timeline": {
        const { timeline: summary } = message;
        const isFresh = !this.summaries.has(summary.header.timeline);
        this.summaries.set(summary.header.timeline, summary);
        if (this.data?.id === summary.header.timeline) this.#update(this.data, summary);
        else if (!this.data && [undefined, summary.header.timeline].includes(this.missing)) {
          this.#show(summary);
        } else if (isFresh) continueInNextRun(this, [summary]);
        break;
      }
      case "gone":
        this.summaries.delete(message.timeline);
        this.notices.forget(message.timeline);
        if (this.data?.id === message.timeline) this.#showFirst(this.summaries.values(), true);
        break;
      case "live":
        this.#grow(message);
        break;
      case "control":
        this.controls.set(message.timeline, message);
        break;
      case "hosts":
        this.hosts = message.hosts;
        break;
      case "sessions":
        this.sessions = message.sessions;
        break;
      case "notice":
        this.notify(message.level, message.message, { timeline: message.timeline });
        break;
    }
    this.#tell();
  }

  /** @param {Message<"live">} message */
  #grow(message) {
    const { data } = this;
    if (data?.id !== message.timeline) return;
    data.grow(message);
    this.summaries.set(data.id, data.summary);
    this.#values.grew();
    this.#keepUp();
  }

  /** Goes to the last entry, where the reader follows what is live. */
  #keepUp() {
    const { data, cursor } = this;
    if (!data || !this.isFollowing || data.last <= cursor) return;
    this.#go({ ...this.location, seq: data.last }, false);
    this.#arrived();
  }
}
