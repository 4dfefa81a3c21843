/// What you send to a ``Statechart``: a name, and optionally a payload.
///
/// ```swift
/// let message = ChartMessage("failed", "no network")
/// assert(message.name == "failed")
/// assert(message.payload as? String == "no network")
/// ```
public struct ChartMessage: Sendable, CustomStringConvertible {
  /// What happened.
  public let name: String
  /// More about what happened.
  public let payload: (any Codable & Sendable)?

  /// Makes a message without a payload.
  public init(_ name: String) {
    self.name = name
    payload = nil
  }

  /// Makes a message with a payload.
  public init(_ name: String, _ payload: any Codable & Sendable) {
    self.name = name
    self.payload = payload
  }

  /// The name, with the payload in parentheses.
  public var description: String { payload.map { "\(name)(\($0))" } ?? name }
}
