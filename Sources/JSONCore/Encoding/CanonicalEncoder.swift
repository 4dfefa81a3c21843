/// Writes values as JSON in the canonical form, straight to bytes.
///
/// Whatever `JSONEncoder` can do with a Codable type, this does. The form is one for one value:
///
/// - members of structs in the order of declaration, those of dictionaries and the elements of sets
///   sorted by their bytes, so that it does not depend on the process's hash seed;
/// - numbers as the shortest digits that read back as the same value, in ECMAScript's layout, with
///   `-0` kept; integers in full; what is not finite as `"nan"`, `"inf"`, `"-inf"`;
/// - `Data` in base64, `Date` in seconds since 1970, `URL` as its text, `Decimal` in full;
/// - properties that are nil absent, elements that are nil `null`;
/// - strings with `"`, `\` and control characters escaped, everything else as it is.
///
/// ```swift
/// let bytes = try CanonicalEncoder().encode(state)
/// ```
///
/// A value that encodes into containers nested deeper than `limits.depth` is refused, so that what
/// is written can also be read. All errors are `EncodingError`s, or what the value itself throws.
public struct CanonicalEncoder: Sendable {
  /// What the values find in `Encoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// How deep a value may nest. Default: `JSONLimits.standard`.
  public var limits: JSONLimits

  /// An encoder; both parts can be left out.
  public init(
    userInfo: [CodingUserInfoKey: any Sendable] = [:], limits: JSONLimits = .standard
  ) {
    self.userInfo = userInfo
    self.limits = limits
  }

  /// The canonical form of `value`.
  public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    try EncodingEngine.lend(to: self) { engine in
      try engine.encodeRoot(value)
      return engine.out.bytes()
    }
  }
}
