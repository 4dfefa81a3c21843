public import JSONCore

/// JSON as a Codable value, for values whose type a replay does not know.
///
/// ```swift
/// let arguments = try CanonicalDecoder().decode(RecordedJSON.self, from: Array("[1]".utf8))
/// assert(arguments.value[0]?.int == 1)
/// ```
public struct RecordedJSON: Hashable, Sendable {
  /// The value.
  public var value: JSON

  /// Wraps a value.
  public init(_ value: JSON) {
    self.value = value
  }
}

extension RecordedJSON: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads any JSON. Integers beyond 64 bits become doubles.
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      var members = JSON.Object()
      for key in object.allKeys {
        members[key.stringValue] = try object.decode(RecordedJSON.self, forKey: key).value
      }
      value = .object(members)
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !list.isAtEnd { elements.append(try list.decode(RecordedJSON.self).value) }
      value = .array(elements)
    } else {
      value = try Self.scalar(try decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSON {
    if container.decodeNil() { return .null }
    if let bool = try? container.decode(Bool.self) { return .bool(bool) }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let int = try? container.decode(Int64.self) { return .number(JSON.Number(int)) }
    if let uint = try? container.decode(UInt64.self) { return .number(JSON.Number(uint)) }
    let double = try container.decode(Double.self)
    return JSON.Number(double).map(JSON.number) ?? .null
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    switch value {
    case .object(let members):
      var object = encoder.container(keyedBy: Name.self)
      for (key, value) in members {
        try object.encode(RecordedJSON(value), forKey: Name(stringValue: key))
      }
    case .array(let elements):
      var list = encoder.unkeyedContainer()
      for element in elements { try list.encode(RecordedJSON(element)) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let bool):
      var container = encoder.singleValueContainer()
      try container.encode(bool)
    case .string(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .number(let number):
      var container = encoder.singleValueContainer()
      if let int = number.int {
        try container.encode(int)
      } else if let uint = number.uint {
        try container.encode(uint)
      } else {
        try container.encode(number.double)
      }
    }
  }
}
