import JSONCore
import StatesCore

/// A property that a rule hides by its key path. It is set to the stand-in in a copy of the state, so
/// that the encoding cannot have the value, whatever `encode(to:)` does.
struct RedactedProperty: Sendable {
  struct Outcome {
    /// The state with the stand-in.
    let hidden: Any
    /// The property's value, as the state's encoding has it.
    let real: JSON
    /// The value with everything that `Redacted` hides inside it.
    let secret: JSON
    /// The keys of its dictionaries.
    let keys: () -> [String]
    let standIn: JSON
    /// The state with a third value of the property, if there is one.
    let other: () -> Any?
  }

  /// The type with the property.
  let root: Any.Type

  /// Applies the rule to a state; `nil` if its type does not have the property.
  let apply: @Sendable (Any) throws -> Outcome?

  init<Root, Value: Encodable & SendableMetatype>(
    _ path: any WritableKeyPath<Root, Value> & Sendable, standIn: @escaping @Sendable () -> Value,
    other: @escaping @Sendable () -> Value?
  ) {
    precondition(
      !(path is ReferenceWritableKeyPath<Root, Value>),
      "hiding \(path) would change the live object; hide it by a pattern, such as \"/token\"")
    root = Root.self
    apply = { state in
      guard var root = state as? Root else { return nil }
      let real = root[keyPath: path]
      let standIn = standIn()
      root[keyPath: path] = standIn
      let hidden = root
      let count = RedactionMarks.redactedCount
      let shown = try JSON(parsing: CanonicalEncoder().encode(real))
      return Outcome(
        hidden: hidden, real: shown,
        secret: RedactionMarks.redactedCount == count ? shown : try HiddenValue.reveal(real),
        keys: { DictionaryKeys.texts(in: real) },
        standIn: try JSON(parsing: CanonicalEncoder().encode(standIn)),
        other: {
          other().map { other in
            var root = hidden
            root[keyPath: path] = other
            return root
          }
        })
    }
  }
}

/// A state with the app's own state as a part, to which rules apply.
protocol RedactionRoot {
  static var redactedPart: Any.Type { get }

  var redactedPart: Any { get }

  /// The state with another part; unchanged if the part has another type.
  func replacing(redactedPart: Any) -> Self
}

extension ChartPosition: RedactionRoot {
  static var redactedPart: Any.Type { Value.self }
  var redactedPart: Any { value }
  func replacing(redactedPart: Any) -> Self {
    guard let value = redactedPart as? Value else { return self }
    return ChartPosition(path: path, value: value)
  }
}

extension Reflected: RedactionRoot {
  static var redactedPart: Any.Type { Value.self }
  var redactedPart: Any { value }
  func replacing(redactedPart: Any) -> Self {
    guard let value = redactedPart as? Value else { return self }
    return Reflected(value)
  }
}
