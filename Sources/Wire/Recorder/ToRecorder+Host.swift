package import JSONCore
package import Timelines

extension ToRecorder {
  /// Lets a host run a reducer on new values.
  package struct Reduce: Message {
    package static let type = "reduce"
    package static let role = MessageRole.request
    /// The expression of the machine.
    package var make = ""
    /// The state before the first step, or of entry 0 when `seq` is 0; absent for that of a fresh
    /// machine.
    package var state: JSONSlice?
    /// The outputs of that state.
    package var outputState: JSONSlice?
    /// The number of the entry that the first step makes; 0 also requests entry 0 itself.
    package var seq: Int64 = 0
    /// What happens, in order.
    package var steps = [ReduceStep]()
    /// How many of the steps run without making entries.
    package var quiet: Int64?
    /// Whether the last part of the answer has the state and the outputs after the last step.
    package var snapshot = false
    /// The states of earlier entries to which events may refer.
    package var remembered: [RememberedState]?
    /// The time limit, if it is less than the host's own.
    package var milliseconds: Int64?
    /// The memory limit, if it is less than the host's own.
    package var bytes: Int64?
    /// The timeline to which the steps belong, if the host keeps them, so that they need not be
    /// sent again.
    package var timeline: TimelineID?
    /// The timeline whose steps `kept` means.
    package var of: TimelineID?
    /// The entry of that timeline whose place entry 0 takes, if nothing before it is shared.
    package var base: Int64?
    /// Whether to keep the steps without running them.
    package var load = false
    /// How many of the kept steps to run, from `seq` on, if none are sent.
    package var count: Int64?
    /// Instead of steps: many events to send to many states, whose entries are not needed. Only for
    /// hosts whose offer has `expands`.
    package var expand: Expansion?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("make", &make)
      try fields.field("state", &state)
      try fields.field("outputState", &outputState)
      try fields.field("seq", &seq)
      try fields.field("steps", &steps)
      try fields.field("quiet", &quiet)
      try fields.flag("snapshot", &snapshot)
      try fields.field("remembered", &remembered)
      try fields.field("milliseconds", &milliseconds)
      try fields.field("bytes", &bytes)
      try fields.field("timeline", &timeline)
      try fields.field("of", &of)
      try fields.field("base", &base)
      try fields.flag("load", &load)
      try fields.field("count", &count)
      try fields.field("expand", &expand)
    }
  }

  /// One thing that happens to a machine in a host, or several that the host keeps.
  package struct ReduceStep: MessagePart {
    /// The event.
    package var event: JSONSlice?
    /// The state to set, if there is no event, as with `restored` and `jump`.
    package var state: JSONSlice?
    /// The outputs of that state, if they do not follow from it.
    package var outputState: JSONSlice?
    /// The entry of the parent that it recomputes.
    package var was: Int64?
    /// The time that the entry will have.
    package var t: Int64 = 0
    /// The cause that the entry will have.
    package var cause: JSONSlice?
    /// The origin that the entry will have.
    package var origin: String?
    /// The call site that the entry will have.
    package var at: String?
    /// Instead of all these keys: steps of another timeline that the host keeps, as they were
    /// there.
    package var kept: SeqRange?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("event", &event)
      try fields.field("state", &state)
      try fields.field("outputState", &outputState)
      try fields.field("was", &was)
      try fields.field("t", &t)
      try fields.field("cause", &cause)
      try fields.field("origin", &origin)
      try fields.field("at", &at)
      try fields.field("kept", &kept)
    }
  }

  /// The state of an entry before the first step.
  package struct RememberedState: MessagePart {
    /// The seq in the recording, to which events refer.
    package var was: Int64 = 0
    /// The seq in the computed timeline.
    package var seq: Int64 = 0
    /// The state.
    package var state = JSONSlice.null

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("was", &was)
      try fields.field("seq", &seq)
      try fields.field("state", &state)
    }
  }

  /// Lets a host count how many recorded entries it reproduces byte for byte.
  ///
  /// Only for hosts whose offer has `confirms`.
  package struct Confirm: Message {
    package static let type = "confirm"
    package static let role = MessageRole.request
    /// The expression of the machine.
    package var make = ""
    /// The state before the first of the entries.
    package var state = JSONSlice.null
    /// The outputs of that state.
    package var outputState: JSONSlice?
    /// The number of the first of the entries.
    package var seq: Int64 = 0
    /// The time limit, if it is less than the host's own.
    package var milliseconds: Int64?
    /// The memory limit, if it is less than the host's own.
    package var bytes: Int64?
    /// The entries in order, each as it is stored.
    package var lines = JSONSlice.null

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("make", &make)
      try fields.field("state", &state)
      try fields.field("outputState", &outputState)
      try fields.field("seq", &seq)
      try fields.field("milliseconds", &milliseconds)
      try fields.field("bytes", &bytes)
      try fields.field("lines", &lines)
    }
  }

  /// Cancels a `reduce` or `confirm` in progress.
  package struct Cancel: Message {
    package static let type = "cancel"
    /// The `id` of that request.
    package var request = RequestID.number(0)

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("request", &request)
    }
  }
}

extension ToRecorder.Reduce {
  /// How many steps it is about: those that are sent, and those that the host keeps.
  package var stepCount: Int64 {
    count ?? steps.reduce(0) { $0 + ($1.kept.map { Int64($0.seqs.count) } ?? 1) }
  }
}
