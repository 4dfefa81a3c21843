extension JSONSlice {
  /// The elements of an array, one after the other.
  public struct Elements: Sequence, IteratorProtocol {
    private var cursor: JSONCursor

    init(_ slice: JSONSlice) {
      cursor = JSONCursor(slice, opening: UInt8(ascii: "["))
    }

    /// The next element, or `nil` at the end.
    public mutating func next() -> JSONSlice? {
      cursor.next()
    }
  }

  /// The members of an object, one after the other.
  public struct Members: Sequence, IteratorProtocol {
    private var cursor: JSONCursor

    init(_ slice: JSONSlice) {
      cursor = JSONCursor(slice, opening: UInt8(ascii: "{"))
    }

    /// The next member, or `nil` at the end.
    public mutating func next() -> Member? {
      guard let key = cursor.next(), let value = cursor.next() else { return nil }
      return Member(name: key, value: value)
    }

    /// The first member, when there is one.
    public var first: Member? {
      var copy = self
      return copy.next()
    }
  }

  /// A member of an object.
  public struct Member: Sendable {
    /// The key as a slice, with its quotes and escapes.
    public let name: JSONSlice

    /// The value.
    public let value: JSONSlice

    /// The key, its escapes resolved.
    public var key: String { name.string ?? "" }

    /// Whether the key is that one, byte by byte.
    public func hasKey(_ key: String) -> Bool {
      let inner = name.storage[name.range.lowerBound + 1..<name.range.upperBound - 1]
      // Escapes are resolved first: what is written `k\\` is the key `k\`, and no other.
      guard inner.contains(UInt8(ascii: "\\")) else { return inner.elementsEqual(key.utf8) }
      return self.key.hasSameBytes(as: key)
    }
  }
}

/// Walks over the values directly inside an array or object of a validated text; keys count as
/// values.
struct JSONCursor {
  private let storage: [UInt8]
  private var index: Int
  private let end: Int

  init(_ slice: JSONSlice, opening: UInt8) {
    storage = slice.storage
    let isRight = storage[slice.range.lowerBound] == opening
    index = isRight ? slice.range.lowerBound + 1 : slice.range.upperBound
    end = isRight ? slice.range.upperBound - 1 : slice.range.upperBound
  }

  mutating func next() -> JSONSlice? {
    while index < end, Self.isBetweenValues(storage[index]) { index += 1 }
    guard index < end else { return nil }
    let start = index
    index = storage.withUnsafeBufferPointer { Self.endOfValue($0, from: start, before: end) }
    return JSONSlice(storage, start..<index)
  }

  private static func isBetweenValues(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// The byte after the value that begins at `start`.
  ///
  /// Safe: the text was validated, and no read passes `limit`.
  private static func endOfValue(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int
  ) -> Int {
    var index = start
    var depth = 0
    while index < limit {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = endOfString(bytes, from: index, before: limit)
        if depth == 0 { return index }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        index += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        index += 1
        if depth <= 0 { return index }
      case let byte where depth == 0:
        // A number or a word, for these alone begin outside quotes and brackets.
        var byte = byte
        while !isBetweenValues(byte), byte != UInt8(ascii: "]"), byte != UInt8(ascii: "}") {
          index += 1
          guard index < limit else { return limit }
          byte = bytes[index]
        }
        return index
      default:
        index += 1
      }
    }
    return limit
  }

  private static func endOfString(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int
  ) -> Int {
    var index = start + 1
    while index < limit {
      switch bytes[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return limit
  }
}
