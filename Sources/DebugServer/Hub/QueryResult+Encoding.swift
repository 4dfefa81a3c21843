package import Wire

extension QueryResult {
  /// The result with its message encoded as the answer to a request.
  ///
  /// States and lists can have many megabytes. Encoding them on the hub's thread would delay all
  /// peers, so the task of the query does it. The hub adds to the other messages, or acts on them.
  package func encoded(re id: RequestID) -> QueryResult {
    guard case .message(let message) = self, message.isEncodedByItsTask else { return self }
    return .encoded(Envelope(message, re: id).encoded())
  }
}

extension ToInspector {
  /// Whether the task of a query encodes the message, because the hub has nothing to add to it.
  var isEncodedByItsTask: Bool {
    switch self {
    case .entries, .state, .raw, .diff, .changes, .find, .column, .series, .export, .verify,
      .compare, .minimize, .check, .explore, .explain, .manifest, .fetch, .growth, .invariants,
      .source,
      .filters:
      true
    case .challenge, .welcome, .timelines, .timeline, .gone, .live, .control, .fork, .done,
      .progress, .import, .status, .prune, .sessions, .invite, .hosts, .notice, .offer, .error:
      false
    }
  }
}
