import Testing

/// What a test does with a value of any Codable type.
package protocol AwkwardTrial {
  /// Tries one value; `isSame` tells whether another one is the same.
  func run<T: Codable & Sendable>(
    _ value: T, _ isSame: (T, T) -> Bool
  ) throws
}

/// A value of a type that coders get wrong easily.
///
/// ```swift
/// @Test(arguments: AwkwardType.all)
/// func readsBack(type: AwkwardType) throws {
///   try type.visit(ReadBack())
/// }
/// ```
package struct AwkwardType: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  /// What is awkward about it.
  package let name: String

  /// Hands the value to a trial, under its own type.
  package let visit: @Sendable (any AwkwardTrial) throws -> Void

  /// A value that is compared by `==`.
  init<T: Codable & Equatable & Sendable>(_ name: String, _ value: T) {
    self.name = name
    visit = { try $0.run(value) { $0 == $1 } }
  }

  /// A value that is compared in its own way.
  init<T: Codable & Sendable>(
    _ name: String, _ value: T, isSame: @escaping @Sendable (T, T) -> Bool
  ) {
    self.name = name
    visit = { try $0.run(value, isSame) }
  }

  /// The name.
  package var description: String { name }

  /// The name.
  package var testDescription: String { name }

  /// All values.
  package static let all = scalars + collections + foundation + enums + structs + classes
}
