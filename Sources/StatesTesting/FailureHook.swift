import Synchronization

/// What to do with a failed expectation instead of throwing it; nil, the default: throw.
///
/// With a hook an expectation that fails does not end the test, and the failure can be shown at its
/// exact place. It is one for the whole process.
///
/// ```swift
/// StatesTesting.onFailure = { failure in
///   print("\(failure.fileID):\(failure.line):\(failure.column): \(failure.text)")
/// }
/// StatesTesting.onFailure = nil
/// ```
///
/// In Swift Testing the body of the hook is `Issue.record(Comment(rawValue: $0.text))`, with a
/// `SourceLocation` made of the failure's place; in XCTest it is `XCTFail($0.text)`.
public var onFailure: (@Sendable (ExpectationFailure) -> Void)? {
  get { hook.withLock { $0 } }
  set { hook.withLock { $0 = newValue } }
}

private let hook = Mutex<(@Sendable (ExpectationFailure) -> Void)?>(nil)
