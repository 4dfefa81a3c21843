package import Timelines
package import Wire

/// A request of the daemon to a recorder.
package enum RecorderCommand: Sendable {
  /// Runs a reducer on fresh values. Answered by `reduced` in one or more parts.
  case reduce(ToRecorder.Reduce)
  /// Cancels the `reduce` with this id. Not answered.
  case cancel(RequestID)
  /// Holds a machine, or renews its lease.
  case hold(ToRecorder.Hold)
  /// Replaces a live state.
  case restore(ToRecorder.Restore)
  /// Sends an event to a live machine.
  case dispatch(ToRecorder.Dispatch)
  /// Lets one queued event through.
  case step(ToRecorder.Step)
  /// Ends a lease.
  case resume(ToRecorder.Resume)
  /// Sets which events are recorded from now on.
  case capture(ToRecorder.Capture)
}

/// Executes the daemon's commands.
///
/// It is called on the sink's thread, in the order of the commands, and must not block there: slow
/// work runs elsewhere and answers later. Commands are untrusted: they are answered with an error,
/// and must never trap.
package protocol CommandHandler: AnyObject, Sendable {
  /// The capabilities to announce in `hello`, read again for each connection.
  var abilities: FromRecorder.Abilities { get }

  /// Executes a command, and answers it once, or in parts.
  func handle(_ command: RecorderCommand, answer: CommandAnswer)

  /// Ends everything that belongs to the connection, which was lost: answers go nowhere, and its
  /// leases end.
  func disconnected()
}

/// Sends the answer to one command, from any thread.
///
/// After the connection has ended, answers are dropped. One that is longer than ``maxMessage``
/// becomes the error `limit`.
package struct CommandAnswer: Sendable {
  /// The request's id; `nil` for a command without an answer.
  package let id: RequestID?

  /// The maximum length of a message in bytes. Longer answers must be split into parts.
  package let maxMessage: Int

  private let send: @Sendable (Envelope<FromRecorder>) -> Void

  /// Creates an answer that passes messages to `send`.
  package init(
    id: RequestID?, maxMessage: Int, send: @escaping @Sendable (Envelope<FromRecorder>) -> Void
  ) {
    self.id = id
    self.maxMessage = maxMessage
    self.send = send
  }

  /// Sends a part of the answer to `reduce`.
  package func reduced(_ reduced: FromRecorder.Reduced) { reply(.reduced(reduced)) }

  /// Reports success, with the timeline's last entry afterwards, and the number of queued events of
  /// the app.
  package func done(seq: Int64? = nil, queued: Int? = nil) {
    reply(
      .done(
        FromRecorder.Done {
          $0.seq = seq
          $0.queued = queued.map { Int64($0) }
        }))
  }

  /// Reports that the command failed.
  package func error(
    _ code: ErrorCode, _ message: String, path: String? = nil, timeline: TimelineID? = nil
  ) {
    reply(
      .error(
        ErrorReply {
          $0.code = code
          $0.message = message
          $0.path = path
          $0.timeline = timeline
        }))
  }

  /// Notifies the daemon that a machine was released.
  package func released(_ timeline: TimelineID, lease: String, why: String) {
    send(
      Envelope(
        .released(
          FromRecorder.Released {
            $0.timeline = timeline
            $0.lease = lease
            $0.why = why
          })))
  }

  private func reply(_ body: FromRecorder) {
    guard let id else { return }
    send(Envelope(body, re: id))
  }
}
