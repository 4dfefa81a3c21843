package import Timelines

/// What a daemon asks of a recorder beyond taking its entries.
package enum RecorderCommand: Sendable {
  /// Runs a reducer on fresh values; answered by `reduced` in one or more parts.
  case reduce(ToRecorder.Reduce)
  /// Ends a `reduce` of that id; not answered.
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
  /// Says which events are recorded from now on.
  case capture(ToRecorder.Capture)
}

/// Carries out what the daemon asks for.
///
/// It is called on the sink's thread, in the order in which the commands came, and must not wait
/// there: what takes time goes on elsewhere and answers later. Whatever the peer sent is hostile and
/// answered, never trapped on.
package protocol CommandHandler: AnyObject, Sendable {
  /// What `hello` says that this recorder can be asked for; read anew for each connection.
  var abilities: FromRecorder.Abilities { get }

  /// Carries out a command and answers it once, or in parts, through `answer`.
  func handle(_ command: RecorderCommand, answer: CommandAnswer)

  /// The connection is gone: nobody waits for an answer, and a lease that came over it has ended.
  func disconnected()
}

/// The way back for one command: whoever carries it out answers from any thread.
///
/// After the connection has ended answers go nowhere, without harm. One that is longer than
/// ``maxMessage`` becomes the error `limit`.
package struct CommandAnswer: Sendable {
  /// The request's id; `nil` for a command that is not answered.
  package let id: RequestID?

  /// The bytes that one message may have: longer answers go in parts.
  package let maxMessage: Int

  private let send: @Sendable (Envelope<FromRecorder>) -> Void

  /// A way back that hands messages to `send`.
  package init(
    id: RequestID?, maxMessage: Int, send: @escaping @Sendable (Envelope<FromRecorder>) -> Void
  ) {
    self.id = id
    self.maxMessage = maxMessage
    self.send = send
  }

  /// A part of what `reduce` asked for.
  package func reduced(_ reduced: FromRecorder.Reduced) { reply(.reduced(reduced)) }

  /// The command was carried out; the timeline's last entry after it is `seq`, and so many events of
  /// the app wait.
  package func done(seq: Int64? = nil, queued: Int? = nil) {
    reply(
      .done(
        FromRecorder.Done {
          $0.seq = seq
          $0.queued = queued.map { Int64($0) }
        }))
  }

  /// The command was not carried out.
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

  /// Tells, unasked, that a machine goes on by itself.
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
