/// A validated object with the places of its members, and of the elements of one array among them,
/// so that they can be found without scanning the text again.
///
/// ```swift
/// let text = Array(#"{"type":"append","entries":[{},{}]}"#.utf8)
/// let outline = try JSONOutline(validating: text, elementsOf: "entries")
/// assert(outline["type"]?.string == "append")
/// assert(outline.elements(of: "entries")?.count == 2)
/// ```
public struct JSONOutline: Sendable {
  // Safe: the text is lent for the duration of a call; the places in it are those that were
  // scanned.

  /// A member: the places of its key and its value.
  struct Member: Sendable {
    let key: Range<Int>
    let value: Range<Int>
  }

  /// The text; not always an object.
  public let whole: JSONSlice
  private let members: [Member]
  private let elements: [Range<Int>]?
  private let listed: StaticString

  /// Validates a text that contains exactly one value, with optional white space around it.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - listed: The key of the array whose elements are recorded, in ASCII.
  ///   - limits: The limits of the text.
  public init(
    validating bytes: [UInt8], elementsOf listed: StaticString, limits: JSONLimits = .standard
  ) throws(JSONError) {
    let scanned: (range: Range<Int>, outline: ScannedPlaces)
    scanned = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try JSONScanner.outline(buffer, elementsOf: listed, limits: limits)
    }
    whole = JSONSlice(bytes, scanned.range)
    (members, elements) = (scanned.outline.members, scanned.outline.whole)
    self.listed = listed
  }

  /// The member with that key.
  public subscript(key: String) -> JSONSlice? {
    member(key).map { JSONSlice(whole.storage, $0.value) }
  }

  /// The elements of the array with that key; `nil` if they were not recorded, because it is
  /// another key, not an array, or has too many elements.
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

  /// The places that a scan records.
  struct ScannedPlaces {
    private(set) var members: [Member] = []
    private var elements: [Range<Int>] = []
    private var key = 0..<0
    private var value = 0
    private var element = 0
    private var isListed = false

    /// Far more than in a batch; but a text of only commas must not take many times its size.
    private static let maximumElements = 65_536

    /// The elements, unless there are too many.
    var whole: [Range<Int>]? { elements.count < Self.maximumElements ? elements : nil }

    /// Records a key of the object, with its quotes, and whether it is that of the listed array.
    mutating func recordKey(_ range: Range<Int>, isListed: Bool) {
      (key, self.isListed) = (range, isListed)
    }

    /// Records the beginning of a value at that depth.
    mutating func begin(_ depth: Int, at index: Int) {
      switch depth {
      case 1: value = index
      case 2: element = index
      default: break
      }
    }

    /// Records the end of a value at that depth, directly inside an object or an array.
    mutating func end(_ depth: Int, inObject: Bool, at index: Int) {
      switch (depth, inObject) {
      case (1, true): members.append(Member(key: key, value: value..<index))
      case (2, false) where isListed && elements.count < Self.maximumElements:
        elements.append(element..<index)
      default: break
      }
    }
  }
}
