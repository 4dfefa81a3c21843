package import JSONCore

extension FromRecorder {
  /// What the events that were sent to one state did.
  package struct ExpandedOrigin: MessagePart {
    /// The places in `sent` of the events that led to another state.
    package var changed = [Int64]()
    /// For each of `changed`, 16 hexadecimal digits that identify the state it led to.
    package var reached = ""
    /// The states that this search had not answered before.
    package var states = [ExpandedState]()
    /// The places in `sent` of the events that cannot be decoded.
    package var undecodable: [Int64]?
    /// The errors that the reducer threw.
    package var errors: [ExpandedError]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("changed", &changed)
      try fields.field("reached", &reached)
      try fields.field("states", &states)
      try fields.field("undecodable", &undecodable)
      try fields.field("errors", &errors)
    }
  }

  /// A state that an event led to.
  package struct ExpandedState: MessagePart {
    /// The place in `sent` of the event.
    package var sent: Int64 = 0
    /// The state.
    package var state = JSONSlice.null
    /// Its outputs; absent if there are none.
    package var outputs: JSONSlice?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("sent", &sent)
      try fields.field("state", &state)
      try fields.field("outputs", &outputs)
    }
  }

  /// An error that the reducer threw at an event.
  package struct ExpandedError: MessagePart {
    /// The place in `sent` of the event.
    package var sent: Int64 = 0
    /// The error.
    package var message = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("sent", &sent)
      try fields.field("message", &message)
    }
  }
}
