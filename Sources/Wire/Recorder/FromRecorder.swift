/// A recorder's messages to the daemon.
package enum FromRecorder: MessageSet {
  /// Opens the connection.
  case hello(Hello)
  /// Begins or continues a timeline; idempotent.
  case open(Open)
  /// Adds entries to a timeline.
  case append(Append)
  /// Ends a timeline.
  case close(Close)
  /// Answers `reduce`, in one or more parts.
  case reduced(Reduced)
  /// Answers `confirm`.
  case confirmed(Confirmed)
  /// Answers a command that was carried out.
  case done(Done)
  /// Reports that a machine resumed, because its lease expired or the app requested it.
  case released(Released)
  /// Reports that a message was not understood, or that a request failed.
  case error(ErrorReply)
}

extension FromRecorder {
  package static let kinds = MessageKinds<Self>([
    MessageKind(Self.hello),
    MessageKind(Self.open),
    MessageKind(Self.append),
    MessageKind(Self.close),
    MessageKind(Self.reduced),
    MessageKind(Self.confirmed),
    MessageKind(Self.done),
    MessageKind(Self.released),
    MessageKind(Self.error),
  ])

  package var message: any Message {
    switch self {
    case .hello(let message): message
    case .open(let message): message
    case .append(let message): message
    case .close(let message): message
    case .reduced(let message): message
    case .confirmed(let message): message
    case .done(let message): message
    case .released(let message): message
    case .error(let message): message
    }
  }
}
