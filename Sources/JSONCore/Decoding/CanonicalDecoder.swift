/// Reads values of Codable types from the canonical form.
///
/// Whatever Foundation's decoder reads, this one reads as well, with the canonical form's choices:
/// a `Date` is seconds since 1970, `Data` is base64, `"nan"`, `"inf"` and `"-inf"` stand for the
/// floating-point values that JSON has no numbers for, and integers are exact up to 128 bits.
///
/// ```swift
/// let state = try CanonicalDecoder().decode(Commute.self, from: line["state"])
/// ```
/// What does not fit is a `DecodingError` with the coding path. A text that is not JSON is
/// `DecodingError.dataCorrupted`, with the `JSONError` as the underlying error.
public struct CanonicalDecoder: Sendable {
  /// What the types that are decoded may ask for.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// What a text may grow to before it is refused.
  ///
  /// The depth holds for slices and trees too: it bounds the recursion of the types' own code.
  public var limits: JSONLimits

  /// A decoder.
  public init(
    userInfo: [CodingUserInfoKey: any Sendable] = [:], limits: JSONLimits = .standard
  ) {
    self.userInfo = userInfo
    self.limits = limits
  }

  /// Reads a value from a text that holds one, white space around it allowed.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from bytes: [UInt8]) throws -> T {
    let range = try checked { () throws(JSONError) in
      try JSONSlice(validating: bytes, limits: limits).range
    }
    return try decode(type, from: bytes, range)
  }

  /// Reads a value from a piece of text that was checked before.
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

  /// Runs what reads the text, and turns its error into the one that users of decoders expect.
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
