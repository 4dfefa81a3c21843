package import JSONCore
package import Timelines

extension ToInspector {
  /// A timeline in the list.
  package struct TimelineSummary: MessagePart {
    /// The header.
    package var header = JSONSlice.null
    /// The name that a person gave it.
    package var name: String?
    /// How many entries it has.
    package var entries: Int64 = 0
    /// The first stored seq; absent if there is none.
    package var first: Int64?
    /// The last seq.
    package var last: Int64?
    /// The last durable seq.
    package var durable: Int64?
    /// Its size on disk.
    package var bytes: Int64 = 0
    /// The `t` of the last entry.
    package var duration: Int64 = 0
    /// Whether a recorder is writing it.
    package var live = false
    /// Whether it can be controlled: its app opted in, and the machine is not a wrapped reducer.
    package var controllable = false
    /// The last seq of a branch that is being computed; absent when it is complete.
    package var computing: Int64?
    /// Why a branch ends before all edits were applied.
    package var ended: BranchEnd?
    /// How many branches start from it.
    package var branches: Int64?
    /// Its marks.
    package var marks: [TimelineMark]?
    /// What was lost after the last entry, as its recorder reported when it closed the timeline.
    package var gap: Gap?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("header", &header)
      try fields.field("name", &name)
      try fields.field("entries", &entries)
      try fields.field("first", &first)
      try fields.field("last", &last)
      try fields.field("durable", &durable)
      try fields.field("bytes", &bytes)
      try fields.field("duration", &duration)
      try fields.flag("live", &live)
      try fields.flag("controllable", &controllable)
      try fields.field("computing", &computing)
      try fields.field("ended", &ended)
      try fields.field("branches", &branches)
      try fields.field("marks", &marks)
      try fields.field("gap", &gap)
    }
  }

  /// A mark on an entry.
  package struct TimelineMark: MessagePart {
    /// The entry.
    package var seq: Int64 = 0
    /// The text.
    package var text = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seq", &seq)
      try fields.field("text", &text)
    }
  }

  /// Answers `timelines`.
  package struct Timelines: Message {
    package static let type = "timelines"
    package static let role = MessageRole.reply
    /// The timelines, the newest first.
    package var timelines = [TimelineSummary]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timelines", &timelines)
    }
  }

  /// Reports that a timeline is new or has changed, other than by entries.
  package struct Timeline: Message {
    package static let type = "timeline"
    /// The current summary.
    package var timeline = TimelineSummary()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
    }
  }

  /// Reports that a timeline was deleted.
  package struct Gone: Message {
    package static let type = "gone"
    /// The timeline.
    package var timeline = TimelineID.zero

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
    }
  }

  /// Reports that a timeline has grown.
  package struct Live: Message {
    package static let type = "live"
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The last seq.
    package var last: Int64 = 0
    /// The `t` of the last entry.
    package var t: Int64 = 0
    /// The last durable seq.
    package var durable: Int64?
    /// The seq of the first reported entry; those between the last update and it are omitted.
    package var from: Int64?
    /// The latest entries, cut as in `entries`.
    package var entries = [JSONSlice]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("last", &last)
      try fields.field("t", &t)
      try fields.field("durable", &durable)
      try fields.field("from", &from)
      try fields.field("entries", &entries)
    }
  }

  /// Reports which client controls a live machine.
  ///
  /// Also notifies an inspector that loses control to another client.
  package struct Control: Message {
    package static let type = "control"
    /// The timeline.
    package var timeline = TimelineID.zero
    /// Whether it is held.
    package var held = false
    /// Whether by this inspector.
    package var yours = false
    /// The name of the controller, for display.
    package var holder: String?
    /// How to handle the app's own events.
    package var policy: HoldPolicyWord?
    /// How many of the app's own events wait.
    package var queued: Int64?
    /// Why control ended.
    package var why: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.flag("held", &held)
      try fields.flag("yours", &yours)
      try fields.field("holder", &holder)
      try fields.field("policy", &policy)
      try fields.field("queued", &queued)
      try fields.field("why", &why)
    }
  }
}
