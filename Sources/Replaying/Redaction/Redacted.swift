import JSONCore

/// A property that is never encoded: its type's stand-in replaces it.
///
/// ```swift
/// struct Session: Codable, Equatable {
///   var user = "ann"
///   @Redacted var token = ""
/// }
/// var session = Session()
/// session.token = "9f2c1b"
/// let bytes = try CanonicalEncoder().encode(session)
/// assert(String(decoding: bytes, as: UTF8.self) == #"{"user":"ann","token":""}"#)
/// ```
///
/// This applies to every encoder, to descriptions, and to reflection, so that logs and crash reports
/// do not have the value either. To encode the value, for example for the keychain, set
/// `encoder.userInfo[.revealsRedacted] = true`.
///
/// Recordings list the places of stand-ins. A state or an event with stand-ins cannot be sent to a
/// live app.
@propertyWrapper
public struct Redacted<Value: HasStandIn> {
  /// The value.
  public var wrappedValue: Value

  /// Wraps the value of a property.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Wraps a value that is not a property, such as an event's payload or an array's element.
  public init(_ value: Value) {
    wrappedValue = value
  }

  /// The property with its wrapper.
  public var projectedValue: Redacted<Value> {
    get { self }
    set { self = newValue }
  }
}

extension CodingUserInfoKey {
  /// Set to `true` in an encoder's `userInfo` to encode the values of `Redacted` properties.
  public static let revealsRedacted = CodingUserInfoKey.known("states.revealsRedacted")

  private static func known(_ text: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: text) else {
      preconditionFailure("every string makes a key")
    }
    return key
  }
}

extension Redacted: Encodable where Value: Encodable {
  /// Writes the stand-in.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if encoder.userInfo[.revealsRedacted] as? Bool == true {
      return try container.encode(wrappedValue)
    }
    RedactionMarks.countRedacted()
    guard let marks = RedactionMarks.current else { return try container.encode(Value.standIn) }
    try container.encode(try marks.mark(wrappedValue, standIn: Value.standIn))
  }
}

extension Redacted: Decodable where Value: Decodable {
  /// Decodes a value; from a recording, the stand-in. Errors do not contain the value.
  public init(from decoder: any Decoder) throws {
    RedactionMarks.didDecode()
    do {
      wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    } catch {
      throw DecodingError.withoutValues(error, at: decoder.codingPath)
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional property whose key may be missing.
  public func decode<Wrapped: Decodable>(
    _ type: Redacted<Wrapped?>.Type, forKey key: Key
  ) throws -> Redacted<Wrapped?> {
    try decodeIfPresent(type, forKey: key) ?? Redacted(nil)
  }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `redacted`, whatever the value is.
  public var description: String { "redacted" }
  /// `redacted`, whatever the value is.
  public var debugDescription: String { "redacted" }
  /// No children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
