/// The arguments that a state names, in order.
///
/// ```swift
/// let arguments = FunctionalArguments("x", 3)
/// assert(arguments.description == "x, 3")
/// ```
public struct FunctionalArguments: Sendable, CustomStringConvertible {
  /// The arguments.
  public let values: [any Codable & Sendable]

  /// Stores arguments of any types.
  public init<each Argument: Codable & Sendable>(_ arguments: repeat each Argument) {
    var values: [any Codable & Sendable] = []
    for argument in repeat each arguments { values.append(argument) }
    self.values = values
  }

  /// The arguments, separated by commas.
  public var description: String { values.map { "\($0)" }.joined(separator: ", ") }
}

extension FunctionalArguments: Encodable {
  /// Encodes the arguments as a list.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for value in values { try list.encode(value) }
  }
}
