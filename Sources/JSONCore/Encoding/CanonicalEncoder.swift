/// Writes values as JSON in the canonical form, directly to bytes.
///
/// It encodes every Codable type that `JSONEncoder` can encode. Each value has exactly one form:
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
/// let bytes = try CanonicalEncoder().encode(["flips": 3])
/// assert(String(decoding: bytes, as: UTF8.self) == #"{"flips":3}"#)
/// ```
///
/// A value that nests containers deeper than `limits.depth` is refused, so that everything that is
/// written can also be read. All errors are `EncodingError`s, or errors that the value itself
/// throws.
public struct CanonicalEncoder: Sendable {
  /// The user info of the encoders that values receive.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// The limits, of which the depth applies (default: `JSONLimits.standard`).
  public var limits: JSONLimits

  /// Makes an encoder.
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
