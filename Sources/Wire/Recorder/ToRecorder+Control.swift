package import JSONCore
package import Timelines

extension ToRecorder {
  /// Holds a machine, or renews its lease.
  package struct Hold: Message {
    package static let type = "hold"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// How to handle the app's own events.
    package var policy = HoldPolicyWord.refuse
    /// How many are queued before further ones are refused.
    package var limit: Int64?
    /// The lease that later commands carry.
    package var lease = ""
    /// The time without renewal after which the recorder resumes the machine.
    package var milliseconds: Int64 = 0
    /// Whether to replace another lease; otherwise that is refused.
    package var take = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("policy", &policy)
      try fields.field("limit", &limit)
      try fields.field("lease", &lease)
      try fields.field("milliseconds", &milliseconds)
      try fields.flag("take", &take)
    }
  }

  /// Replaces the live state.
  ///
  /// Refused with `forbidden` if the state contains stand-ins.
  package struct Restore: Message {
    package static let type = "restore"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The lease.
    package var lease = ""
    /// The moment that the state comes from.
    package var from = EntryReference()
    /// The state.
    package var state = JSONSlice.null

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("lease", &lease)
      try fields.field("from", &from)
      try fields.field("state", &state)
    }
  }

  /// Sends an event to the live machine.
  package typealias Dispatch = ControlCommand.Dispatch

  /// Releases one queued event.
  package typealias Step = ControlCommand.Step

  /// Ends the lease, which resumes the machine.
  package typealias Resume = ControlCommand.Resume
}
