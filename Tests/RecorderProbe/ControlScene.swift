import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `control ALLOWED|CLOSED MILLISECONDS`: an app on the main actor whose machine ticks by itself
  /// until its standard input ends, and one that was recorded where its isolation is not known.
  ///
  /// Prints the state of both when it ends.
  static let control = Scene(name: "control") { arguments in
    guard arguments.count == 2, let pause = Int(arguments[1]) else { exit(64) }
    Task { @MainActor in
      var options = RecorderOptions()
      options.allowsControl = arguments[0] == "allowed"
      let recorder = StateRecorder(app: "control", options: options)
      let clock = recorder.record(Machine(Ticking()), as: "clock")
      let astray = recorder.record(Machine(Ticking()), as: "astray", isolation: nil)
      printLine("ready")
      let isOver = InputEnd()
      while !isOver.isReached {
        clock.send(.ticked)
        astray.send(.ticked)
        await rest(milliseconds: pause)
      }
      recorder.flush(within: .seconds(120))
      recorder.close(within: .seconds(120))
      printLine("clock \(clock.state.ticks) \(clock.state.words.joined(separator: ","))")
      printLine("astray \(astray.state.ticks)")
      exit(0)
    }
    dispatchMain()
  }
}

/// A machine that ticks by itself, and also handles events.
private struct Ticking: Reducible, Codable {
  var ticks = 0
  var words: [String] = []

  enum Event: Codable {
    case ticked
    case said(String)
  }

  static func reduce(state: Ticking, event: Event) -> Ticking {
    var next = state
    switch event {
    case .ticked: next.ticks += 1
    case .said(let word): next.words.append(word)
    }
    return next
  }
}

/// Whether standard input has ended.
private final class InputEnd: Sendable {
  private let hasEnded = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [hasEnded] in
      while readLine() != nil {}
      hasEnded.signal()
    }
  }

  var isReached: Bool { hasEnded.wait(timeout: .now()) == .success }
}
