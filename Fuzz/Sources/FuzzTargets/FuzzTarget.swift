internal import Foundation

/// One thing that must hold for any bytes whatever.
package struct FuzzTarget: Sendable {
  /// What the target is called on the command line, and its folder in `Corpus/`.
  package let name: String

  /// Tries the bytes: traps when a promise is broken, and returns otherwise.
  package let run: @Sendable (_ bytes: [UInt8]) -> Void

  /// Every target there is, in the order in which `scripts/fuzz all` runs them.
  package static let all: [FuzzTarget] = [
    .scanner, .value, .pointer, .patch, .decoder, .reuse, .predicate, .timeline, .edits, .messages,
  ]

  /// The target that the environment names.
  package static let chosen: FuzzTarget? = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"]
    return all.first { $0.name == name }
  }()
}

/// Ends the process, which libFuzzer reports with the bytes that led here, unless the promise
/// holds.
func promise(_ holds: Bool, _ promise: @autoclosure () -> String) {
  if !holds { preconditionFailure("broken promise: \(promise())") }
}
