/// A failed expectation: what was expected, where, and the events that led to the state.
///
/// Every test runner reports a thrown error, so this library imports none of them.
///
/// ```swift
/// struct Coin: Reducible {
///   var isHeads = true
///   enum Event { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
/// }
/// do {
///   try expect(Coin()).after(.flipped).toTurn { $0.isHeads }
/// } catch let failure as ExpectationFailure {
///   print(failure.text, failure.line)
/// }
/// ```
public struct ExpectationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The whole message. Control characters in values and keys are escaped.
  public let text: String
  /// Module and file of the expectation.
  public let fileID: String
  /// The file's path at the time of compilation.
  public let filePath: String
  /// The line of the expectation, from 1.
  public let line: Int
  /// The column of the expectation, from 1.
  public let column: Int

  init(text: String, fileID: String, filePath: String, line: Int, column: Int) {
    self.text = printable(text)
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The text; what test runners show.
  public var description: String { text }
}
