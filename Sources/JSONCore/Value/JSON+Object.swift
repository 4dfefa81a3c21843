extension JSON {
  /// The members of an object, in the order in which they were written, found by key.
  ///
  /// The order is for people; comparisons ignore it.
  public struct Object: Sendable {
    /// Members in order. While `positions` is in use, a removed member leaves a gap until there are
    /// many, so that removing thousands of keys does not move the rest each time.
    private(set) var places: [Member] = []

    /// The place of each key; empty for up to `walkedCount` places, which then have no gaps.
    private var positions: [Key: Int] = [:]

    /// Up to this count, walking over the members is faster than hashing the key.
    private static let walkedCount = 8

    /// A key with its value, or a gap.
    struct Member: Sendable {
      let key: String
      var value: JSON
      var isGap = false
    }

    /// A key that hashes and compares by its bytes.
    private struct Key: Hashable, Sendable {
      let text: String
      static func == (left: Key, right: Key) -> Bool { left.text.hasSameBytes(as: right.text) }
      func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
    }

    /// No members.
    public init() {}

    /// An object with these members, whose keys must all differ.
    init(distinct members: [Member]) {
      places = members
      number()
    }

    /// The number of members.
    public var count: Int { positions.isEmpty ? places.count : positions.count }

    /// Whether the object is empty.
    public var isEmpty: Bool { places.isEmpty }

    /// The value of a member; setting `nil` removes it, setting a new key appends it.
    public subscript(key: String) -> JSON? {
      get {
        place(of: key).map { places[$0].value }
      }
      set {
        if let place = place(of: key) {
          if let newValue { places[place].value = newValue } else { remove(at: place) }
        } else if let newValue {
          append(key, newValue)
        }
      }
      _modify {
        // The value is moved out while it changes: a second reference in the object would make a
        // change in place copy it.
        let place = place(of: key)
        var value = place.map { places[$0].value }
        if let place { places[place].value = .null }
        defer {
          if let place {
            if let value { places[place].value = value } else { remove(at: place) }
          } else if let value {
            append(key, value)
          }
        }
        yield &value
      }
    }

    /// Reserves space for that many members.
    public mutating func reserveCapacity(_ capacity: Int) {
      places.reserveCapacity(capacity)
      if capacity > Self.walkedCount { positions.reserveCapacity(capacity) }
    }
  }
}

// Operations with which a patch changes members in place and undoes changes.
extension JSON.Object {
  /// The index of a key in `places`.
  func place(of key: String) -> Int? {
    guard positions.isEmpty else { return positions[Key(text: key)] }
    return places.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  /// Lends the value at a place to be changed there.
  mutating func withValue<Result, Failure: Error>(
    at place: Int, _ body: (inout JSON) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&places[place].value)
  }

  /// Appends a member whose key does not exist yet.
  mutating func append(_ key: String, _ value: JSON) {
    places.append(Member(key: key, value: value))
    if !positions.isEmpty {
      positions[Key(text: key)] = places.count - 1
    } else if places.count > Self.walkedCount {
      number()
    }
  }

  /// Undoes `append`, if nothing else has changed since.
  mutating func undoAppend() {
    let member = places.removeLast()
    if places.count <= Self.walkedCount {
      positions = [:]
    } else {
      positions[Key(text: member.key)] = nil
    }
  }

  /// How to undo a removal.
  enum Removal {
    /// The member left a gap.
    case gap(place: Int, Member)
    /// The members were compacted; this is the object before that.
    case moved(JSON.Object)
  }

  /// Removes the member at a place.
  mutating func remove(at place: Int) {
    let key = Key(text: places[place].key)
    if positions.isEmpty {
      places.remove(at: place)
      return
    }
    positions[key] = nil
    places[place] = Member(key: "", value: .null, isGap: true)
    if places.count > 2 * positions.count + Self.walkedCount {
      places.removeAll(where: \.isGap)
      number()
    }
  }

  /// Removes the member at a place and returns how to undo that.
  ///
  /// Keeping the old object costs no more than compacting its members.
  mutating func removeUndoably(at place: Int) -> Removal {
    let staysInPlace =
      !positions.isEmpty && places.count <= 2 * (positions.count - 1) + Self.walkedCount
    let removal: Removal = staysInPlace ? .gap(place: place, places[place]) : .moved(self)
    remove(at: place)
    return removal
  }

  /// Undoes a removal, if nothing else has changed since.
  mutating func undo(_ removal: Removal) {
    switch removal {
    case .gap(let place, let member):
      places[place] = member
      positions[Key(text: member.key)] = place
    case .moved(let object):
      self = object
    }
  }

  fileprivate mutating func number() {
    positions.removeAll(keepingCapacity: true)
    guard places.count > Self.walkedCount else { return }
    positions.reserveCapacity(places.count)
    for (index, place) in places.enumerated() where !place.isGap {
      positions[Key(text: place.key)] = index
    }
  }

  /// Whether both share their storage, so that their members are equal without comparing them.
  func sharesStorage(with other: JSON.Object) -> Bool {
    places.sharesStorage(with: other.places)
  }
}

extension JSON.Object: Sequence {
  /// Walks the members in order.
  public struct Iterator: IteratorProtocol {
    fileprivate var places: IndexingIterator<[Member]>

    /// The next member, or `nil` at the end.
    public mutating func next() -> (key: String, value: JSON)? {
      while let place = places.next() {
        if !place.isGap { return (place.key, place.value) }
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
  /// Whether both have the same keys with equal values, in any order.
  public static func == (left: Self, right: Self) -> Bool {
    if left.sharesStorage(with: right) { return true }
    guard left.count == right.count else { return false }
    var pairs = MemberPairs(left, right)
    while let pair = pairs.next() {
      guard let other = pair.other, pair.value == other else { return false }
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

/// Walks over the members of one object with the values that another has under the same keys.
///
/// While both have their keys in the same order, no key is looked up.
struct MemberPairs: IteratorProtocol {
  private let places: [JSON.Object.Member]
  private let other: JSON.Object
  private var index = 0
  private var isAligned = true

  init(_ object: JSON.Object, _ other: JSON.Object) {
    places = object.places
    self.other = other
  }

  mutating func next() -> (key: String, value: JSON, other: JSON?)? {
    while index < places.count, places[index].isGap { index += 1 }
    guard index < places.count else { return nil }
    defer { index += 1 }
    let member = places[index]
    if isAligned, index < other.places.count, !other.places[index].isGap,
      other.places[index].key.hasSameBytes(as: member.key)
    {
      return (member.key, member.value, other.places[index].value)
    }
    isAligned = false
    return (member.key, member.value, other[member.key])
  }
}
