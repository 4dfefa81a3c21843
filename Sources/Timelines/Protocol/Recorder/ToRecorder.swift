/// What the daemon tells a recorder.
package enum ToRecorder: MessageSet {
  /// Answers a `hello` that came over TCP: proves the daemon, asks for the recorder's proof.
  case challenge(Challenge)
  /// Accepts the recorder.
  case welcome(Welcome)
  /// Tells how far a timeline is durable.
  case ack(Ack)
  /// Adds to the credit.
  case credit(Credit)
  /// Tells that a timeline was deleted; the recorder opens another, which begins with a keyframe.
  case gone(Gone)
  /// Says which events are recorded from now on.
  case capture(Capture)
  /// Asks a host to run a reducer on fresh values.
  case reduce(Reduce)
  /// Asks a host how far recorded entries come out again in the same bytes.
  case confirm(Confirm)
  /// Ends a `reduce` or `confirm` that is under way.
  case cancel(Cancel)
  /// Holds a machine, or renews its lease.
  case hold(Hold)
  /// Replaces the live state.
  case restore(Restore)
  /// Sends an event to the live machine.
  case dispatch(Dispatch)
  /// Lets one queued event through.
  case step(Step)
  /// Ends the lease; the machine goes on by itself.
  case resume(Resume)
  /// Tells something in words.
  case notice(Notice)
  /// Says that a message was not understood, or that what it asked for was not done.
  case error(ErrorReply)
}

extension ToRecorder {
  /// How its messages are read.
  package static let kinds = MessageKinds<Self>([
    MessageKind(Self.challenge),
    MessageKind(Self.welcome),
    MessageKind(Self.ack),
    MessageKind(Self.credit),
    MessageKind(Self.gone),
    MessageKind(Self.capture),
    MessageKind(Self.reduce),
    MessageKind(Self.confirm),
    MessageKind(Self.cancel),
    MessageKind(Self.hold),
    MessageKind(Self.restore),
    MessageKind(Self.dispatch),
    MessageKind(Self.step),
    MessageKind(Self.resume),
    MessageKind(Self.notice),
    MessageKind(Self.error),
  ])

  /// The message that it holds.
  package var message: any Message {
    switch self {
    case .challenge(let message): message
    case .welcome(let message): message
    case .ack(let message): message
    case .credit(let message): message
    case .gone(let message): message
    case .capture(let message): message
    case .reduce(let message): message
    case .confirm(let message): message
    case .cancel(let message): message
    case .hold(let message): message
    case .restore(let message): message
    case .dispatch(let message): message
    case .step(let message): message
    case .resume(let message): message
    case .notice(let message): message
    case .error(let message): message
    }
  }
}
