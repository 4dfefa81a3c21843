package import JSONCore

extension ToRecorder {
  /// Events to send to states, each of which is reached by other events.
  package struct Expansion: MessagePart {
    /// A name. With the same name, a later request of the same start continues: a state that was
    /// answered is not answered again.
    package var search = ""
    /// The events to which `origins` refer by their places.
    package var events = [JSONSlice]()
    /// The states to which events are sent.
    package var origins = [ExpansionOrigin]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("search", &search)
      try fields.list("events", &events)
      try fields.field("origins", &origins)
    }
  }

  /// A state, and the events to send to it.
  package struct ExpansionOrigin: MessagePart {
    /// The events that lead from the request's state to it, by their places.
    package var path = [Int64]()
    /// The events that are sent to it, each on its own, by their places.
    package var sent = [Int64]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("path", &path)
      try fields.field("sent", &sent)
    }
  }
}
