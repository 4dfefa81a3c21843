import JSONCore
import StatesCore

/// A property that a rule names by its key path: set to the stand-in in a copy of the state, so that
/// the value is not in what is encoded, whatever `encode(to:)` does with it.
struct RedactedProperty: Sendable {
  /// What becomes of one state.
  struct Outcome {
    /// The state with the stand-in.
    let hidden: Any
    /// What the property holds.
    let real: JSON
    /// The stand-in.
    let standIn: JSON
    /// The state with something else in the property's place, when there is something.
    let other: () -> Any?
  }

  /// The type that has the property.
  let root: Any.Type

  /// Applies the rule to a state; nil when its type has no such property.
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
      return Outcome(
        hidden: hidden,
        real: try JSON(parsing: CanonicalEncoder().encode(real)),
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

/// A state that holds the user's own one as a part: rules are about that.
protocol RedactionRoot {
  /// The type of the part.
  static var redactedPart: Any.Type { get }

  /// The part.
  var redactedPart: Any { get }

  /// The state with another part; itself when the part is of another type.
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
