extension JSON {
  /// The members of an object, in the order they were written, found by key.
  ///
  /// The order is for people; it does not take part in comparison.
  public struct Object: Sendable {
    /// Members in order; a removed one leaves an empty place until many have gone, so that taking
    /// away thousands of keys does not move the rest each time.
    private var places: [Member?] = []

    /// Where a key stands, kept only when there are enough members for it to pay.
    private var positions: [Key: Int] = [:]

    /// The number of members.
    public private(set) var count = 0

    /// Up to here a walk over the members is faster than hashing the key.
    private static let walkedCount = 8

    fileprivate struct Member: Sendable {
      var key: String
      var value: JSON
    }

    /// A key that hashes and compares by its bytes.
    private struct Key: Hashable, Sendable {
      let text: String
      static func == (left: Key, right: Key) -> Bool { left.text.hasSameBytes(as: right.text) }
      func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
    }

    /// No members.
    public init() {}

    /// Whether there are no members.
    public var isEmpty: Bool { count == 0 }

    /// The value of a member; setting `nil` removes it, setting a new key appends it.
    public subscript(key: String) -> JSON? {
      get {
        position(of: key).flatMap { places[$0]?.value }
      }
      set {
        if let position = position(of: key) {
          if let newValue {
            places[position]?.value = newValue
          } else {
            remove(key, at: position)
          }
        } else if let newValue {
          append(key, newValue)
        }
      }
      _modify {
        // The value is moved out while it is changed: the object holds no second reference that
        // would make a change in place copy it.
        let position = position(of: key)
        var value = position.flatMap { places[$0]?.value }
        if let position { places[position]?.value = .null }
        defer {
          if let position {
            if let value { places[position]?.value = value } else { remove(key, at: position) }
          } else if let value {
            append(key, value)
          }
        }
        yield &value
      }
    }

    /// Makes room for that many members.
    public mutating func reserveCapacity(_ capacity: Int) {
      places.reserveCapacity(capacity)
      if capacity > Self.walkedCount { positions.reserveCapacity(capacity) }
    }

    private func position(of key: String) -> Int? {
      guard positions.isEmpty else { return positions[Key(text: key)] }
      return places.firstIndex { $0?.key.hasSameBytes(as: key) == true }
    }

    private mutating func append(_ key: String, _ value: JSON) {
      places.append(Member(key: key, value: value))
      count += 1
      if !positions.isEmpty {
        positions[Key(text: key)] = places.count - 1
      } else if places.count > Self.walkedCount {
        number()
      }
    }

    private mutating func remove(_ key: String, at position: Int) {
      places[position] = nil
      count -= 1
      if !positions.isEmpty { positions[Key(text: key)] = nil }
      if places.count > 2 * count + Self.walkedCount {
        places.removeAll { $0 == nil }
        number()
      }
    }

    private mutating func number() {
      positions.removeAll(keepingCapacity: true)
      guard places.count > Self.walkedCount else { return }
      for (index, place) in places.enumerated() {
        if let place { positions[Key(text: place.key)] = index }
      }
    }
  }
}

extension JSON.Object: Sequence {
  /// Walks the members in order.
  public struct Iterator: IteratorProtocol {
    fileprivate var places: IndexingIterator<[Member?]>

    /// The next member, or `nil` at the end.
    public mutating func next() -> (key: String, value: JSON)? {
      while let place = places.next() {
        if let place { return (place.key, place.value) }
      }
      return nil
    }
  }

  /// An iterator over the members in order.
  public func makeIterator() -> Iterator { Iterator(places: places.makeIterator()) }

  /// The number of members.
  public var underestimatedCount: Int { count }

  /// The keys in order.
  public var keys: [String] { map(\.key) }
}

extension JSON.Object: Hashable {
  /// Whether both have the same keys with equal values, in whatever order.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    for (key, value) in left {
      guard let other = right[key], other == value else { return false }
    }
    return true
  }

  /// Feeds the members regardless of their order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in self {
      var member = Hasher()
      key.hashBytes(into: &member)
      member.combine(value)
      sum &+= member.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}
