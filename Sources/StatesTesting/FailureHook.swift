import Synchronization

/// Handles failed expectations instead of throwing them (default: `nil`, which throws).
///
/// With a hook, a failed expectation does not end the test, and the test runner can show it at its
/// exact place. All tests of the process share one hook.
///
/// ```swift
/// StatesTesting.onFailure = { failure in
///   print("\(failure.fileID):\(failure.line):\(failure.column): \(failure.text)")
/// }
/// StatesTesting.onFailure = nil
/// ```
///
/// In Swift Testing, call `Issue.record(Comment(rawValue: $0.text))` with a `SourceLocation` made
/// from the failure's place; in XCTest, call `XCTFail($0.text)`.
public var onFailure: (@Sendable (ExpectationFailure) -> Void)? {
  get { hook.withLock { $0 } }
  set { hook.withLock { $0 = newValue } }
}

private let hook = Mutex<(@Sendable (ExpectationFailure) -> Void)?>(nil)
