import JSONCore

/// A hidden value as recordings must not show it: with everything that `Redacted` hides inside it.
struct HiddenValue: Sendable {
  let json: JSON

  /// The keys of its dictionaries, which are data, unlike the names of properties.
  let keys: [String]

  /// Its encoding, and the keys of its dictionaries if there may be any.
  init<Value: Encodable>(_ value: Value) throws {
    json = try Self.reveal(value)
    keys = Self.hasMembers(json) ? DictionaryKeys.texts(in: value) : []
  }

  /// A value with everything that `Redacted` hides inside it.
  static func reveal<Value: Encodable>(_ value: Value) throws -> JSON {
    let encoder = CanonicalEncoder(userInfo: [.revealsRedacted: true])
    return try JSON(parsing: encoder.encode(value))
  }

  private static func hasMembers(_ value: JSON) -> Bool {
    switch value {
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains(where: hasMembers)
    case .object(let members): !members.isEmpty
    }
  }
}

/// The keys of the dictionaries in a value, found by reflection.
struct DictionaryKeys {
  private var texts: [String] = []
  private var remaining = ReflectionLimits().values

  /// The keys of all dictionaries in a value.
  static func texts(in value: Any) -> [String] {
    var keys = DictionaryKeys()
    keys.collect(from: value, depth: 0)
    return keys.texts
  }

  private mutating func collect(from value: Any, depth: Int) {
    guard remaining > 0, depth < ReflectionLimits().depth else { return }
    remaining -= 1
    if let redacted = value as? any HidingValue {
      return collect(from: redacted.hidden, depth: depth + 1)
    }
    if let dictionary = value as? any KeyedByText { texts += dictionary.keyTexts }
    for (_, child) in Mirror(reflecting: value).children { collect(from: child, depth: depth + 1) }
  }
}

/// A dictionary with any keys.
private protocol KeyedByText {
  /// The keys that are the keys of an object once the dictionary is encoded.
  var keyTexts: [String] { get }
}

extension Dictionary: KeyedByText {
  var keyTexts: [String] {
    keys.compactMap { key in
      switch key {
      case let text as String: text
      case let number as Int: "\(number)"
      case let key as any CodingKeyRepresentable: key.codingKey.stringValue
      default: nil
      }
    }
  }
}

/// `Redacted` with any value.
protocol HidingValue {
  var hidden: Any { get }
}

extension Redacted: HidingValue {
  var hidden: Any { wrappedValue }
}
