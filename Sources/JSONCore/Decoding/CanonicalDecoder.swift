/// Reads values of Codable types from the canonical form.
///
/// It reads everything that Foundation's decoder reads, with the canonical form's choices:
/// a `Date` is seconds since 1970, `Data` is base64, `"nan"`, `"inf"` and `"-inf"` stand for the
/// floating-point values that JSON has no numbers for, and integers are exact up to 128 bits.
///
/// ```swift
/// struct Commute: Codable { var minutes: Int }
/// let state = try CanonicalDecoder().decode(Commute.self, from: Array(#"{"minutes":42}"#.utf8))
/// assert(state.minutes == 42)
/// ```
/// A value that does not match throws a `DecodingError` with its coding path. A text that is not
/// JSON throws `DecodingError.dataCorrupted` with the `JSONError` as the underlying error.
public struct CanonicalDecoder: Sendable {
  /// The user info of the decoders that types receive.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// The limits of a text.
  ///
  /// The depth also applies to slices and trees: it bounds the recursion of the types' own code.
  public var limits: JSONLimits

  /// Makes a decoder.
  public init(
    userInfo: [CodingUserInfoKey: any Sendable] = [:], limits: JSONLimits = .standard
  ) {
    self.userInfo = userInfo
    self.limits = limits
  }

  /// Reads a value from a text that contains exactly one, with optional white space around it.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from bytes: [UInt8]) throws -> T {
    let range = try checked { () throws(JSONError) in
      try JSONSlice(validating: bytes, limits: limits).range
    }
    return try decode(type, from: bytes, range)
  }

  /// Reads a value from a slice of text that was already validated.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from slice: JSONSlice) throws -> T {
    try decode(type, from: slice.storage, slice.range)
  }

  /// Reads a value from a tree.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from json: JSON) throws -> T {
    let index = try checked { () throws(JSONError) in
      try DecodingIndex(of: json, limits: limits)
    }
    return try decode(type, from: index)
  }

  private func decode<T: Decodable>(
    _ type: T.Type, from bytes: [UInt8], _ range: Range<Int>
  ) throws -> T {
    let index = try checked { () throws(JSONError) in
      try DecodingIndex(of: bytes, range, limits: limits)
    }
    return try decode(type, from: index)
  }

  private func decode<T: Decodable>(_ type: T.Type, from index: DecodingIndex) throws -> T {
    let document = DecodingDocument(index, userInfo: userInfo)
    return try document.value(type, at: document.root) { ValueDecoder(document) }
  }

  /// Converts a `JSONError` into the error that users of decoders expect.
  private func checked<Result>(_ work: () throws(JSONError) -> Result) throws -> Result {
    do {
      return try work()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "The text is not valid JSON: \(error).",
          underlyingError: error))
    }
  }
}
