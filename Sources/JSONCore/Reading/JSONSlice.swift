/// A slice of a validated JSON text, which is read without building a tree.
///
/// ```swift
/// let text = #"{"seq":7,"event":{"tapped":{}}}"#
/// let line = try JSONSlice(validating: Array(text.utf8))
/// assert(line["seq"]?.int == 7)
/// assert(line["event"]?.members.first { _ in true }?.key == "tapped")
/// ```
/// A slice shares its text with the whole and keeps it alive.
public struct JSONSlice: Sendable {
  /// The whole text.
  ///
  /// Safe: its buffer is only lent for the duration of a call, and `range` is inside it.
  let storage: [UInt8]

  /// The range of the value in the text.
  public let range: Range<Int>

  init(_ storage: [UInt8], _ range: Range<Int>) {
    self.storage = storage
    self.range = range
  }

  /// Validates a text that contains exactly one value, with optional white space around it.
  public init(
    validating bytes: [UInt8], limits: JSONLimits = .standard
  ) throws(JSONError) {
    let range = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try JSONScanner.scan(buffer, limits: limits)
    }
    self.init(bytes, range)
  }

  /// The kinds of value.
  public enum Kind: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }

  /// The kind of value, which the first byte determines.
  public var kind: Kind {
    switch storage[range.lowerBound] {
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "{"): .object
    default: .number
    }
  }

  /// The text.
  public var bytes: ArraySlice<UInt8> { storage[range] }

  /// The text as a string.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it is `null`.
  public var isNull: Bool { kind == .null }

  /// The Boolean, if it is one.
  public var bool: Bool? {
    kind == .bool ? storage[range.lowerBound] == UInt8(ascii: "t") : nil
  }

  /// The number, if it is one.
  public var number: JSON.Number? {
    guard kind == .number else { return nil }
    return storage.withUnsafeBufferPointer {
      JSON.Number(validated: UnsafeBufferPointer(rebasing: $0[range]))
    }
  }

  /// The integer, if it is a number that fits a 64-bit integer.
  public var int: Int64? { number?.int }

  /// The string with its escapes resolved, if it is one.
  public var string: String? {
    guard kind == .string else { return nil }
    let inner = range.lowerBound + 1..<range.upperBound - 1
    guard storage[inner].contains(UInt8(ascii: "\\")) else {
      return String(decoding: storage[inner], as: UTF8.self)
    }
    return storage.withUnsafeBufferPointer {
      String(decoding: JSONEscapes.resolve($0, inner), as: UTF8.self)
    }
  }

  /// The elements, if it is an array; otherwise empty.
  public var elements: Elements { Elements(self) }

  /// The members, if it is an object; otherwise empty.
  public var members: Members { Members(self) }

  /// The value as a tree, built in one pass.
  public var value: JSON {
    storage.withUnsafeBufferPointer { bytes in
      var builder = JSONTreeBuilder(bytes, range)
      return builder.value()
    }
  }
}
