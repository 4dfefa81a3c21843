/// The daemon's messages to a recorder.
package enum ToRecorder: MessageSet {
  /// Answers a `hello` that came over TCP: proves the daemon, asks for the recorder's proof.
  case challenge(Challenge)
  /// Accepts the recorder.
  case welcome(Welcome)
  /// Reports how far a timeline is durable.
  case ack(Ack)
  /// Adds to the credit.
  case credit(Credit)
  /// Reports a deleted timeline. The recorder opens another one, which begins with a keyframe.
  case gone(Gone)
  /// Selects the events to record from now on.
  case capture(Capture)
  /// Lets a host run a reducer on new values.
  case reduce(Reduce)
  /// Asks a host how far recorded entries can be reproduced byte for byte.
  case confirm(Confirm)
  /// Cancels a `reduce` or `confirm` in progress.
  case cancel(Cancel)
  /// Holds a machine, or renews its lease.
  case hold(Hold)
  /// Replaces the live state.
  case restore(Restore)
  /// Sends an event to the live machine.
  case dispatch(Dispatch)
  /// Releases one queued event.
  case step(Step)
  /// Ends the lease, which resumes the machine.
  case resume(Resume)
  /// Shows a notice.
  case notice(Notice)
  /// Reports that a message was not understood, or that a request failed.
  case error(ErrorReply)
}

extension ToRecorder {
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
