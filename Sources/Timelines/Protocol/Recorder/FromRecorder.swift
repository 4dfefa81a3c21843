/// What a recorder tells the daemon.
package enum FromRecorder: MessageSet {
  /// Opens the connection.
  case hello(Hello)
  /// Begins or goes on with a timeline; idempotent.
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
  /// Tells that a machine goes on by itself, because its lease ran out or the app asked for it.
  case released(Released)
  /// Says that a message was not understood, or that what it asked for was not done.
  case error(ErrorReply)
}

extension FromRecorder {
  /// How its messages are read.
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

  /// The message that it holds.
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
