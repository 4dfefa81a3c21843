import Foundation
import Recorder
import Replaying
import StatesCore

extension Scene {
  /// Runs as a host whose reducer does everything that a reducer must not do.
  static let host = Scene(name: "host") { _ in
    ReducerHost.run(
      Troubled.self, TroubledForm.self, NotCodable.self, Wayward.self, NoMachine.self)
  }
}

/// A type that was passed by mistake.
private struct NoMachine {}

/// A machine that misbehaves when an event requests it.
struct Troubled: Reducible, Codable {
  var total = 0
  var notes: [String] = []

  enum Event: Codable {
    case added(Int)
    case trapped
    case overflowed
    case slept
    case ate
    case printed(String)
    case grew(Int)
    case exited
    case asked
    /// Records the value of a variable.
    case variable(String)
    /// Records whether the process has a file open.
    case open(String)
  }

  static func reduce(state: Troubled, event: Event) -> Troubled {
    var next = state
    switch event {
    case .added(let number): next.total += number
    case .trapped: preconditionFailure("asked to trap")
    case .overflowed: next.total = depth(next.total + 1)
    case .slept: while true { pause() }
    case .ate: eat()
    case .printed(let text):
      print(text)
      fflush(nil)
    case .grew(let bytes): next.notes.append(String(repeating: "x", count: bytes))
    case .exited: Foundation.exit(3)
    case .variable(let name):
      next.notes.append(ProcessInfo.processInfo.environment[name] ?? "not set")
    case .open(let path): next.notes.append(has(open: path) ? "open" : "not open")
    case .asked: next.notes.append(readLine() ?? "nothing to read")
    }
    return next
  }

  static var outputs: Outputs<Troubled> { Output("isEven") { $0.total.isMultiple(of: 2) } }

  private static func has(open path: String) -> Bool {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return files.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  /// Overflows the stack.
  @inline(never)
  private static func depth(_ number: Int) -> Int {
    let numbers = (0..<8).map { $0 + number }
    return depth(numbers[3] + 1) + numbers[5]
  }

  /// Exhausts the memory.
  private static func eat() {
    var blocks: [[UInt8]] = []
    while true { blocks.append(Array(repeating: UInt8(blocks.count & 255), count: 4 << 20)) }
  }
}

enum TroubledForm: Replayable {
  static func make() -> StateForm<[Int], Never> { StateForm(state: [1]) }
}

struct NotCodable: Reducible {
  enum Event { case happened }
  static func reduce(state: NotCodable, event: Event) -> NotCodable { state }
}
