extension JSONSlice {
  /// The elements of an array, one after the other.
  public struct Elements: Sequence, IteratorProtocol {
    private var cursor: JSONCursor

    init(_ slice: JSONSlice) {
      cursor = JSONCursor(slice, opening: UInt8(ascii: "["))
    }

    /// The next element, or `nil` at the end.
    public mutating func next() -> JSONSlice? {
      cursor.next().map(cursor.slice)
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
      return Member(name: cursor.slice(key), value: cursor.slice(value))
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

    /// The key with its escapes resolved.
    public var key: String { name.string ?? "" }

    /// Whether the key equals another one, byte by byte.
    public func hasKey(_ key: String) -> Bool {
      name.storage.withUnsafeBufferPointer { JSONCursor.isKey($0, name.range, key) }
    }
  }

  /// The member with that key, if the value is an object that has one.
  public subscript(key: String) -> JSONSlice? {
    JSONCursor(self, opening: UInt8(ascii: "{")).value(of: key).map { JSONSlice(storage, $0) }
  }

  /// The element at that index, if the value is an array that has one.
  public subscript(index: Int) -> JSONSlice? {
    guard index >= 0 else { return nil }
    var cursor = JSONCursor(self, opening: UInt8(ascii: "["))
    for _ in 0..<index where cursor.next() == nil { return nil }
    return cursor.next().map(cursor.slice)
  }
}

/// Walks over the values directly inside an array or object of a validated text; keys count as
/// values.
///
/// Safe: the text is lent for the duration of a call, and `JSONSkip` stays inside it.
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

  /// The place of the next value, or `nil` at the end.
  mutating func next() -> Range<Int>? {
    let (index, end) = (index, end)
    let range = storage.withUnsafeBufferPointer { bytes in
      let start = JSONSkip.separators(bytes, from: index, before: end)
      return start..<JSONSkip.value(bytes, from: start, before: end)
    }
    self.index = range.upperBound
    return range.isEmpty ? nil : range
  }

  func slice(_ range: Range<Int>) -> JSONSlice { JSONSlice(storage, range) }

  /// The place of the value of a key, or `nil` if the object does not have the key.
  func value(of key: String) -> Range<Int>? {
    storage.withUnsafeBufferPointer { bytes in
      var index = index
      while true {
        let start = JSONSkip.separators(bytes, from: index, before: end)
        guard start < end else { return nil }
        let afterKey = JSONSkip.string(bytes, from: start, before: end)
        let value = JSONSkip.separators(bytes, from: afterKey, before: end)
        index = JSONSkip.value(bytes, from: value, before: end)
        if Self.isKey(bytes, start..<afterKey, key) { return value..<index }
      }
    }
  }

  /// Whether the string with its quotes at `range` is that key.
  @inline(__always)
  static func isKey(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ key: String
  ) -> Bool {
    let inner = UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(bytes)[range.lowerBound + 1..<range.upperBound - 1])
    let isSame =
      inner.count == key.utf8.count
      && key.utf8.withContiguousStorageIfAvailable {
        UnsafeRawBufferPointer($0).hasSameBytes(as: inner)
      } ?? inner.elementsEqual(key.utf8)
    // The text `k\\` means the key `k\`, so with an escape equal bytes prove nothing. An escape has
    // more bytes than the character it stands for.
    guard isSame || inner.count > key.utf8.count else { return false }
    guard inner.contains(UInt8(ascii: "\\")) else { return isSame }
    return JSONEscapes.resolve(bytes, range.lowerBound + 1..<range.upperBound - 1)
      .elementsEqual(key.utf8)
  }
}
