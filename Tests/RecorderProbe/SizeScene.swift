import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `sizes EVENTBYTES STATEBYTES SECONDS`: sends a large event, grows the state, shrinks it again,
  /// and continues.
  static let sizes = Scene(name: "sizes") { arguments in
    guard arguments.count == 3, let event = Int(arguments[0]), let state = Int(arguments[1]),
      let seconds = Int(arguments[2])
    else { exit(64) }
    let recorder = StateRecorder(app: "sizes")
    let machine = recorder.record(Machine(Heap()), as: "heap")
    machine.send(.noted("small"))
    machine.send(.noted(String(repeating: "x", count: event)))
    machine.send(.grew(state))
    machine.send(.noted("while large"))
    // The buffer is limited by bytes: the large states are dropped first.
    let isWritten = recorder.flush(within: .seconds(seconds))
    machine.send(.shrank)
    // After a state that was too large, the next ones are skipped for a while.
    let end = Date(timeIntervalSinceNow: TimeInterval(state) * 250e-9)
    while Date() < end {
      machine.send(.noted("small again"))
      pause(microseconds: 200_000)
    }
    machine.send(.noted("last"))
    let isStored = recorder.flush(within: .seconds(seconds)) && isWritten
    let counts = recorder.statistics
    recorder.close(within: .seconds(seconds))
    printLine("stored \(isStored) thinned \(counts.thinned) lost \(counts.lost)")
  }
}

/// A state of any size.
private struct Heap: Reducible, Codable {
  var characters = 0
  var blocks: [String] = []

  enum Event: Codable {
    case noted(String)
    case grew(Int)
    case shrank
  }

  static func reduce(state: Heap, event: Event) -> Heap {
    var next = state
    switch event {
    case .noted(let text): next.characters += text.utf8.count
    case .grew(let bytes):
      let block = String(repeating: "y", count: 1 << 16)
      next.blocks = Array(repeating: block, count: bytes >> 16)
    case .shrank: next.blocks = []
    }
    return next
  }
}
