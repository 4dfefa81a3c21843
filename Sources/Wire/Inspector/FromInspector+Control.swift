package import Timelines

extension FromInspector {
  /// Acquires control of a live machine, or renews the lease.
  package struct Hold: Message {
    package static let type = "hold"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// How to handle the app's own events.
    package var policy = HoldPolicyWord.refuse
    /// The lease to renew.
    package var lease: String?
    /// Whether to take it over from another inspector.
    package var take = false
    /// Whether to share control with the current holder, if both are on the daemon's Unix socket:
    /// the answer has the holder's lease, and nothing else happens.
    package var join = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("policy", &policy)
      try fields.field("lease", &lease)
      try fields.flag("take", &take)
      try fields.flag("join", &join)
    }
  }

  /// Replaces the live state with that of a moment.
  package struct Restore: Message {
    package static let type = "restore"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The lease.
    package var lease = ""
    /// The moment.
    package var from = EntryReference()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("lease", &lease)
      try fields.field("from", &from)
    }
  }

  /// Sends an event to the live machine.
  ///
  /// The daemon answers a repeated `id` of a command with the answer that it gave.
  package typealias Dispatch = ControlCommand.Dispatch

  /// Releases one queued event of a held machine.
  package typealias Step = ControlCommand.Step

  /// Ends the lease.
  package typealias Resume = ControlCommand.Resume

  /// Selects the events that a live app records from now on; without `allow` and `deny`, the app's
  /// own selection applies again.
  package struct Capture: Message {
    package static let type = "capture"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The names of the events to record; absent for all.
    package var allow: [String]?
    /// The names of the events not to record.
    package var deny: [String]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("allow", &allow)
      try fields.field("deny", &deny)
    }
  }
}
