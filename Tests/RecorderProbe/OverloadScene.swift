import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `overload PLACE SECONDS BYTES`: records a machine whose every event replaces a text of a
  /// kilobyte, as fast as it can for SECONDS, to the daemon at an address, with a buffer of BYTES.
  ///
  /// Prints how many events it sent, how many of them the daemon has, and its peak memory.
  static let overload = Scene(name: "overload") { arguments in
    guard arguments.count == 3, let seconds = Double(arguments[1]), let bytes = Int(arguments[2])
    else { exit(64) }
    var options = options(arguments[0])
    options.bufferBytes = bytes
    options.capture.bytes = bytes
    options.log = { _ in }
    let recorder = StateRecorder(app: "probe", options: options)
    let machine = recorder.record(Machine(Letter()), as: "letter")
    let isConnected = recorder.flush(within: .seconds(120))
    let before = residentKilobytes()
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    var sent = 0
    while clock.now < end {
      for _ in 0..<100 { machine.send(.written(sent)) }
      sent += 100
    }
    let counts = recorder.statistics
    print("connected \(isConnected) sent \(sent) stored \(counts.acknowledged)")
    print("grown \(residentKilobytes() - before) lost \(counts.lost) thinned \(counts.thinned)")
    fflush(nil)
    _exit(0)
  }
}

/// A state that every event replaces.
private struct Letter: Reducible, Codable {
  var text = ""
  var number = 0

  enum Event: Codable {
    case written(Int)
  }

  static func reduce(state: Letter, event: Event) -> Letter {
    switch event {
    case .written(let number):
      Letter(text: String(repeating: "\(number % 10)", count: 1_000), number: number)
    }
  }
}
