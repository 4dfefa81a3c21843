internal import Foundation

/// Properties that must hold for any bytes.
package struct FuzzTarget: Sendable {
  /// The target's name on the command line, and its folder in `Corpus/`.
  package let name: String

  /// Checks the properties for an input, and traps if one is broken.
  package let run: @Sendable (_ bytes: [UInt8]) -> Void

  /// All targets, in the order of `scripts/fuzz all`.
  package static let all: [FuzzTarget] = [
    .scanner, .value, .pointer, .patch, .decoder, .reuse, .predicate, .timeline, .edits, .messages,
  ]

  /// The target in the environment.
  package static let chosen: FuzzTarget? = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"]
    return all.first { $0.name == name }
  }()
}

/// Ends the process unless the property holds. libFuzzer reports that with the input.
func promise(_ holds: Bool, _ promise: @autoclosure () -> String) {
  if !holds { preconditionFailure("broken promise: \(promise())") }
}
