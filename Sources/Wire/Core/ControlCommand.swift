package import JSONCore
package import Timelines

/// Commands to a held machine that the daemon passes on from inspector to recorder as they are.
package enum ControlCommand {
  /// Sends an event to the live machine.
  package struct Dispatch: Message {
    package static let type = "dispatch"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The lease.
    package var lease = ""
    /// The event.
    package var event = JSONSlice.null

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("lease", &lease)
      try fields.field("event", &event)
    }
  }

  /// Releases one queued event of a held machine.
  package struct Step: Message {
    package static let type = "step"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The lease.
    package var lease = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("lease", &lease)
    }
  }

  /// Ends the lease, which resumes the machine.
  package struct Resume: Message {
    package static let type = "resume"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The lease.
    package var lease = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("lease", &lease)
    }
  }
}
