package import Timelines

/// Gives each command of a daemon to who carries it out.
package final class RecorderCommandHandler: CommandHandler {
  private let host: (any ReducerRunner)?
  private let control: ControlCenter
  private let capture: @Sendable (ToRecorder.Capture, CommandAnswer) -> Void

  /// A handler for these; without a host, `reduce` is refused.
  package init(
    host: (any ReducerRunner)?, control: ControlCenter,
    capture: @escaping @Sendable (ToRecorder.Capture, CommandAnswer) -> Void
  ) {
    self.host = host
    self.control = control
    self.capture = capture
  }

  package var abilities: FromRecorder.Abilities {
    FromRecorder.Abilities {
      $0.control = control.isAllowed
      $0.host = host?.offer
    }
  }

  package func handle(_ command: RecorderCommand, answer: CommandAnswer) {
    switch command {
    case .reduce(let reduce):
      guard let host else {
        return answer.error(
          .noHost,
          """
          This app runs no reducers for the debugger: its options turn that off. \
          To fix, give the daemon the executable that makes the machine: debugd host PATH
          """)
      }
      host.reduce(reduce, answer: answer)
    case .cancel(let request): host?.cancel(request)
    case .hold(let hold): control.hold(hold, answer)
    case .restore(let restore): control.restore(restore, answer)
    case .dispatch(let dispatch): control.dispatch(dispatch, answer)
    case .step(let step): control.step(step, answer)
    case .resume(let resume): control.resume(resume, answer)
    case .capture(let filter): capture(filter, answer)
    }
  }

  /// A machine is gone.
  func forget(_ timeline: TimelineID) { control.forget(timeline) }

  /// A machine goes on in another timeline.
  func move(_ old: TimelineID, to new: TimelineID) { control.move(old, to: new) }

  /// Ends for good: everything that is held goes on.
  func stop() {
    control.stop()
    host?.stop()
  }

  package func disconnected() {
    control.disconnected()
    host?.cancelAll()
  }
}
