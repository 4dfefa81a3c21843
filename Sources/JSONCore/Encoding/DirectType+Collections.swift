// Safe: addresses and buffers are read only inside the call that lends them (see DirectType).

extension Array: DirectType where Element: Encodable {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    let array = value(at: source)
    if engine.omitIfLarge(array) { return }
    try array.withUnsafeBufferPointer { try engine.encodeArray($0) }
  }
}

extension EncodingEngine {
  /// Opens a frame for a collection that the engine writes itself.
  @inline(__always)
  func pushCollection(_ kind: EncodingFrame.Kind) throws {
    try push()
    guard open(kind) else { throw refusal(of: current) }
  }

  func encodeArray<Element: Encodable>(_ elements: UnsafeBufferPointer<Element>) throws {
    try pushCollection(.unkeyed)
    let level = top
    if let direct = directTypes.find(Element.self) {
      for index in elements.indices {
        frames[level].edge = .index(index)
        // In bounds by the loop; an empty buffer has no base and no indices.
        if let base = elements.baseAddress {
          try direct.encode(at: UnsafeRawPointer(base + index), to: self)
        }
        endMember()
      }
    } else {
      for index in elements.indices {
        frames[level].edge = .index(index)
        try encodeByItself(elements[index])
        endMember()
      }
    }
    closeTop()
  }
}

extension Set: DirectType where Element: Encodable {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    let set = value(at: source)
    if !engine.omitIfLarge(set) { try engine.withoutGaps { try engine.encodeSet(set) } }
  }
}

extension EncodingEngine {
  /// Writes a set as an array whose elements are sorted.
  func encodeSet<Element: Encodable>(_ set: Set<Element>) throws {
    try pushCollection(.unkeyed)
    var items = SortedItems(start: out.count)
    for element in set {
      frames[top].edge = .index(items.count)
      try encode(element)
      items.recordItem(end: out.count)
      endMember()
    }
    items.sort(&out)
    closeTop()
  }
}

extension Dictionary: DirectType where Key: Encodable, Value: Encodable {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    let dictionary = value(at: source)
    if engine.omitIfLarge(dictionary) { return }
    if Key.self == String.self {
      try engine.encodeObject(dictionary) { key in
        // The same type, as was just checked.
        NameKey(stringValue: withUnsafePointer(to: key) { String.value(at: $0) })
      }
    } else if Key.self == Int.self {
      try engine.encodeObject(dictionary) { key in
        NameKey(intValue: withUnsafePointer(to: key) { Int.value(at: $0) })
      }
    } else if Key.self is any CodingKeyRepresentable.Type {
      try engine.encodeObjectOfAnyKeys(dictionary) { key in
        (key as? any CodingKeyRepresentable)?.codingKey ?? NameKey(stringValue: "\(key)")
      }
    } else {
      try engine.encodePairs(dictionary)
    }
  }
}

extension EncodingEngine {
  /// Writes a dictionary as an object whose keys are sorted.
  func encodeObject<Key, Value: Encodable, Name: CodingKey>(
    _ dictionary: [Key: Value], name: (Key) -> Name
  ) throws {
    try encodeMembers(dictionary) { key, encodeValue in
      let name = name(key)
      out.write(name.stringValue)
      try withUnsafePointer(to: name) {
        frames[top].edge = .borrowed(UnsafeRawPointer($0), Name.self)
        try encodeValue()
      }
    }
  }

  /// Writes a dictionary whose keys have various types as an object with sorted keys.
  func encodeObjectOfAnyKeys<Key, Value: Encodable>(
    _ dictionary: [Key: Value], name: (Key) -> any CodingKey
  ) throws {
    // Two keys may have the same name; then the order of the texts decides which one remains.
    try withoutGaps {
      try encodeMembers(dictionary) { key, encodeValue in
        let name = name(key)
        out.write(name.stringValue)
        frames[top].edge = .owned(ownedKeys.count)
        ownedKeys.append(name)
        try encodeValue()
        ownedKeys.removeLast()
      }
    }
  }

  private func encodeMembers<Key, Value: Encodable>(
    _ dictionary: [Key: Value], _ encode: (Key, _ encodeValue: () throws -> Void) throws -> Void
  ) throws {
    try pushCollection(.keyed)
    var items = SortedItems(start: out.count)
    let firstGap = gaps.count
    for (key, value) in dictionary {
      try encode(key) {
        items.recordKey(end: out.count)
        out.append(UInt8(ascii: ":"))
        try self.encode(value)
      }
      items.recordItem(end: out.count)
      endMember()
    }
    items.sort(&out)
    if gaps.count > firstGap { items.moveGaps(&gaps[firstGap...]) }
    closeTop()
  }

  /// Writes a dictionary as an array of keys and values in turn, the pairs sorted.
  func encodePairs<Key: Encodable, Value: Encodable>(_ dictionary: [Key: Value]) throws {
    try withoutGaps { try encodeSortedPairs(dictionary) }
  }

  private func encodeSortedPairs<Key: Encodable, Value: Encodable>(
    _ dictionary: [Key: Value]
  ) throws {
    try pushCollection(.unkeyed)
    var items = SortedItems(start: out.count)
    for (key, value) in dictionary {
      frames[top].edge = .index(items.count * 2)
      try encode(key)
      endMember()
      frames[top].edge = .index(items.count * 2 + 1)
      try encode(value)
      items.recordItem(end: out.count)
      endMember()
    }
    items.sort(&out)
    closeTop()
  }
}

/// The items of an unordered collection, to be sorted by their bytes.
///
/// Each item ends with a comma, which is not part of it.
struct SortedItems {
  private var items: [Item] = []
  private var next: Int
  private let start: Int
  private var keyEnd: Int?

  private struct Item {
    var start: Int
    /// The end of the bytes that are compared first.
    var keyEnd: Int
    var end: Int
  }

  /// Makes a list of items that are adjacent, beginning at `start`.
  init(start: Int) {
    self.start = start
    next = start
  }

  var count: Int { items.count }

  /// Records the end of the current item's key.
  mutating func recordKey(end: Int) {
    keyEnd = end
  }

  /// Records the end of the current item; its comma and the next item follow.
  mutating func recordItem(end: Int) {
    items.append(Item(start: next, keyEnd: keyEnd ?? end, end: end))
    next = end + 1
    keyEnd = nil
  }

  /// Sorts the items by their bytes; of several with the same key, the last one remains.
  mutating func sort(_ writer: inout JSONWriter) {
    guard items.count > 1 else { return }
    let hasKeys = items[0].keyEnd < items[0].end
    writer.withBytes { bytes in
      items.sort { left, right in
        let order = Self.compare(bytes, left.start..<left.keyEnd, right.start..<right.keyEnd)
        if order != 0 || !hasKeys { return order < 0 }
        return Self.compare(bytes, left.start..<left.end, right.start..<right.end) < 0
      }
      guard hasKeys else { return }
      var kept: [Item] = []
      kept.reserveCapacity(items.count)
      for item in items {
        if let last = kept.last,
          Self.compare(bytes, last.start..<last.keyEnd, item.start..<item.keyEnd) == 0
        {
          kept.removeLast()
        }
        kept.append(item)
      }
      items = kept
    }
    let sorted = writer.count
    for item in items {
      writer.append(ownRange: item.start..<item.end)
      writer.append(UInt8(ascii: ","))
    }
    writer.moveTail(from: sorted, to: start)
  }

  /// Moves gaps to where their items are after sorting.
  func moveGaps(_ gaps: inout ArraySlice<Skeleton.Gap>) {
    // Both are sorted by their old position, so one pass finds the item of each gap.
    let starts = items.map(\.start).sorted()
    var place = 0
    var gapsByStart: [Int: [Skeleton.Gap]] = [:]
    for gap in gaps {
      while place + 1 < starts.count, starts[place + 1] <= gap.offset { place += 1 }
      gapsByStart[starts[place], default: []].append(gap)
    }
    var moved: [Skeleton.Gap] = []
    var position = start
    for item in items {
      for var gap in gapsByStart[item.start] ?? [] {
        gap.offset += position - item.start
        moved.append(gap)
      }
      position += item.end - item.start + 1
    }
    gaps = moved[...]
  }

  /// Less than zero if the bytes of the first range sort first.
  private static func compare(
    _ bytes: UnsafeBufferPointer<UInt8>, _ left: Range<Int>, _ right: Range<Int>
  ) -> Int {
    let length = min(left.count, right.count)
    for offset in 0..<length {
      let difference = Int(bytes[left.lowerBound + offset]) - Int(bytes[right.lowerBound + offset])
      if difference != 0 { return difference }
    }
    return left.count - right.count
  }
}
