import Timelines
package import Wire

/// Dispatches the daemon's commands to the parts that execute them.
package final class RecorderCommandHandler: CommandHandler {
  private let host: (any ReducerRunner)?
  private let control: ControlCenter
  private let capture: @Sendable (ToRecorder.Capture, CommandAnswer) -> Void

  /// Creates a handler. Without a host, `reduce` is refused.
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
          This app's options do not let it run reducers for the daemon. \
          To fix, register an executable that makes the machine: debugd host PATH
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

  /// Removes what belongs to a machine that is gone.
  func forget(_ timeline: TimelineID) { control.forget(timeline) }

  /// Moves what belongs to a machine to its new timeline.
  func move(_ old: TimelineID, to new: TimelineID) { control.move(old, to: new) }

  /// Stops executing commands: held machines resume.
  func stop() {
    control.stop()
    host?.stop()
  }

  package func disconnected() {
    control.disconnected()
    host?.cancelAll()
  }
}
