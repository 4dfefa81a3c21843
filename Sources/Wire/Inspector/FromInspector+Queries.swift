package import JSONCore
package import Predicates
package import Timelines

extension FromInspector {
  /// Requests the list of timelines.
  package struct Timelines: Message {
    package static let type = "timelines"
    package static let role = MessageRole.request
    /// Only those of the app with that name.
    package var app: String?
    /// Only those that are being written.
    package var live = false
    /// Only those that this word may mean: by their id or at least four characters of its beginning,
    /// or by the name of the timeline, the branch, or the machine, also as `app/machine`. For each app,
    /// only the newest recording and the newest branch of a machine; with `live`, all.
    package var named: String?
    /// Only this many, from 1, the newest ones.
    package var limit: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("app", &app)
      try fields.flag("live", &live)
      try fields.field("named", &named)
      try fields.field("limit", &limit)
    }
  }

  /// Begins or ends live updates: `live`, `timeline`, `gone`, `control`, `hosts`, and `sessions`.
  ///
  /// An inspector that reads slowly gets fewer of them, with more in each.
  package struct Watch: Message {
    package static let type = "watch"
    package static let role = MessageRole.request
    /// The timeline whose entries are reported; absent for the list of timelines.
    package var timeline: TimelineID?
    /// Whether to end them.
    package var stop = false
    /// Only entries for which it is true are reported.
    package var filter: Predicate?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.flag("stop", &stop)
      try fields.field("filter", &filter)
    }
  }

  /// Requests a window of entries.
  package struct Entries: Message {
    package static let type = "entries"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The first seq.
    package var from: Int64 = 0
    /// The maximum number of entries.
    package var count: Int64 = 0
    /// Which way from there; `forward` when absent.
    package var direction: SearchDirection?
    /// Only entries for which it is true.
    package var filter: Predicate?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("from", &from)
      try fields.field("count", &count)
      try fields.field("direction", &direction)
      try fields.field("filter", &filter)
    }
  }

  /// Requests the moment after an entry.
  package struct State: Message {
    package static let type = "state"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry.
    package var seq: Int64 = 0
    /// A path into the moment, `/state/…` or `/outputs/…`; absent for both as a whole.
    package var path: Pointer?
    /// Arrays and objects at this level and below are cut; the value itself is level 1, so 2 shows its
    /// members, and 0 and 1 cut it whole.
    package var depth: Int64?
    /// About how many bytes of JSON the value may have; larger parts are cut.
    package var bytes: Int64?
    /// A newer request with the same slot replaces this one.
    package var slot: String?
    /// Whether a host may compute a state that was not captured.
    package var compute = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("seq", &seq)
      try fields.field("path", &path)
      try fields.field("depth", &depth)
      try fields.field("bytes", &bytes)
      try fields.field("slot", &slot)
      try fields.flag("compute", &compute)
    }
  }

  /// Requests the stored line of an entry.
  package struct Raw: Message {
    package static let type = "raw"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry.
    package var seq: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("seq", &seq)
    }
  }

  /// Requests the difference between two moments of any timelines.
  package struct Diff: Message {
    package static let type = "diff"
    package static let role = MessageRole.request
    /// The first moment.
    package var a = EntryReference()
    /// The second moment.
    package var b = EntryReference()
    /// Only below that path.
    package var path: Pointer?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("a", &a)
      try fields.field("b", &b)
      try fields.field("path", &path)
    }
  }
}
