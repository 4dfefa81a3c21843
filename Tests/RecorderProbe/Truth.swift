import Foundation
import Synchronization

/// A file with the states of live machines after every step: one line each, in order.
///
/// Foundation's encoder writes the lines, which shares no code with the recorder's.
final class Truth: Sendable {
  private let file: Mutex<FileHandle>

  init(_ path: String) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { Scene.exit(66) }
    file = Mutex(handle)
  }

  /// Notes what a machine is now.
  func append<State: Encodable>(_ machine: String, _ state: State) {
    append(machine, state, None())
  }

  /// Notes what a machine is now, with its outputs.
  func append<State: Encodable, Outputs: Encodable>(
    _ machine: String, _ state: State, _ outputs: Outputs
  ) {
    let moment = Moment(machine: machine, state: state, outputs: outputs)
    guard let line = try? JSONEncoder().encode(moment) else { Scene.exit(70) }
    file.withLock { $0.write(line + Data("\n".utf8)) }
  }

  private struct Moment<State: Encodable, Outputs: Encodable>: Encodable {
    let machine: String
    let state: State
    let outputs: Outputs
  }

  /// Encodes as an empty object.
  struct None: Encodable {}
}

/// Random numbers, the same in every run with the same seed: SplitMix64.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number below a bound.
  mutating func pick(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
