import Foundation

/// The number of rounds of a property test: enough to find most failures, or many more when
/// `TEST_ROUNDS` is `all`, which `scripts/test rounds` sets.
public enum Rounds {
  private static let areAll = ProcessInfo.processInfo.environment["TEST_ROUNDS"] == "all"

  /// What a run uses, and what the long run uses.
  public static func choose<Value>(_ usual: Value, all: Value) -> Value {
    areAll ? all : usual
  }
}
