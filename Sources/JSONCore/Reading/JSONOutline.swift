/// An object that was checked, with the places of its members, and of the elements of one that is an
/// array: what else would be stepped over again to find them.
///
/// ```swift
/// let text = Array(#"{"type":"append","entries":[{},{}]}"#.utf8)
/// let outline = try JSONOutline(validating: text, elementsOf: "entries")
/// assert(outline["type"]?.string == "append")
/// assert(outline.elements(of: "entries")?.count == 2)
/// ```
public struct JSONOutline: Sendable {
  // Safe: the text is lent for the time of a call; the places in it are those that were scanned.

  /// A member: where its key and its value stand.
  struct Member: Sendable {
    let key: Range<Int>
    let value: Range<Int>
  }

  /// The text; not always an object.
  public let whole: JSONSlice
  private let members: [Member]
  private let elements: [Range<Int>]?
  private let listed: StaticString

  /// Checks a text that holds one value, white space around it allowed.
  ///
  /// - Parameters:
  ///   - bytes: the text, UTF-8.
  ///   - listed: the key of the array whose elements are noted, in plain ASCII.
  ///   - limits: what the text may not exceed.
  public init(
    validating bytes: [UInt8], elementsOf listed: StaticString, limits: JSONLimits = .standard
  ) throws(JSONError) {
    let notes: (range: Range<Int>, outline: Notes)
    notes = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try JSONScanner.outline(buffer, elementsOf: listed, limits: limits)
    }
    whole = JSONSlice(bytes, notes.range)
    (members, elements) = (notes.outline.members, notes.outline.whole)
    self.listed = listed
  }

  /// The member with that key.
  public subscript(key: String) -> JSONSlice? {
    member(key).map { JSONSlice(whole.storage, $0.value) }
  }

  /// The elements of the array that has that key; `nil` where they were not noted: it is another
  /// key, no array, or one of very many elements.
  public func elements(of key: String) -> [JSONSlice]? {
    guard key == "\(listed)", let elements, let member = member(key),
      whole.storage[member.value.lowerBound] == UInt8(ascii: "[")
    else { return nil }
    return elements.map { JSONSlice(whole.storage, $0) }
  }

  private func member(_ key: String) -> Member? {
    whole.storage.withUnsafeBufferPointer { bytes in
      members.first { JSONCursor.isKey(bytes, $0.key, key) }
    }
  }

  /// What a scan notes on its way.
  struct Notes {
    private(set) var members: [Member] = []
    private var elements: [Range<Int>] = []
    private var key = 0..<0
    private var value = 0
    private var element = 0
    private var isListed = false

    /// Far more than a batch has; a text of nothing but commas must not take many times its size.
    private static let mostElements = 65_536

    /// The elements, unless there are very many.
    var whole: [Range<Int>]? { elements.count < Self.mostElements ? elements : nil }

    /// A key of the object, with its quotes, and whether it is that of the array.
    mutating func noteKey(_ range: Range<Int>, isListed: Bool) {
      (key, self.isListed) = (range, isListed)
    }

    /// A value begins in so many arrays and objects.
    mutating func begin(_ depth: Int, at index: Int) {
      switch depth {
      case 1: value = index
      case 2: element = index
      default: break
      }
    }

    /// A value has ended in so many arrays and objects, of which the innermost is what it says.
    mutating func end(_ depth: Int, inObject: Bool, at index: Int) {
      switch (depth, inObject) {
      case (1, true): members.append(Member(key: key, value: value..<index))
      case (2, false) where isListed && elements.count < Self.mostElements:
        elements.append(element..<index)
      default: break
      }
    }
  }
}
