import Testing

/// A test of a value of any Codable type.
package protocol AwkwardTrial {
  /// Tests one value; `isSame` compares it with another one.
  func run<T: Codable & Sendable>(
    _ value: T, _ isSame: (T, T) -> Bool
  ) throws
}

/// A value of a type that coders easily get wrong.
///
/// ```swift
/// @Test(arguments: AwkwardType.all)
/// func readsBack(type: AwkwardType) throws {
///   try type.visit(ReadBack())
/// }
/// ```
package struct AwkwardType: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  package let name: String

  /// Passes the value to a visitor, with its static type.
  package let visit: @Sendable (any AwkwardTrial) throws -> Void

  /// A value that is compared with `==`.
  init<T: Codable & Equatable & Sendable>(_ name: String, _ value: T) {
    self.name = name
    visit = { try $0.run(value) { $0 == $1 } }
  }

  /// A value with its own comparison.
  init<T: Codable & Sendable>(
    _ name: String, _ value: T, isSame: @escaping @Sendable (T, T) -> Bool
  ) {
    self.name = name
    visit = { try $0.run(value, isSame) }
  }

  package var description: String { name }

  package var testDescription: String { name }

  package static let all = scalars + collections + foundation + enums + structs + classes
}
