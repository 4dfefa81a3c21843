/// A range of bytes in the spill file.
package struct SpillPlace: Hashable, Sendable {
  /// A unique number.
  package let id: Int
  /// The offset of the first byte.
  package let offset: Int
  /// The number of bytes.
  package let length: Int

  package init(id: Int, offset: Int, length: Int) {
    (self.id, self.offset, self.length) = (id, offset, length)
  }
}

/// Allocates places in a file of limited size, in order, as a ring.
///
/// A place is contiguous. Places that are freed out of order are reused once everything before them
/// is free.
struct SpillRing: Sendable {
  /// The maximum size of the file.
  let capacity: Int
  /// The places in use, and those freed out of order, oldest first.
  private var places: [(place: SpillPlace, isFree: Bool)] = []
  private var lastID = 0

  /// Creates a ring for a file of this maximum size.
  init(capacity: Int) {
    self.capacity = capacity
  }

  var oldest: SpillPlace? { places.first?.place }

  /// The number of bytes in use.
  var bytes: Int { places.reduce(0) { $0 + ($1.isFree ? 0 : $1.place.length) } }

  /// Allocates a place of this length; nil if there is no room.
  mutating func allocate(_ length: Int) -> SpillPlace? {
    guard length > 0, length <= capacity, let offset = offset(for: length) else { return nil }
    lastID += 1
    let place = SpillPlace(id: lastID, offset: offset, length: length)
    places.append((place, false))
    return place
  }

  mutating func free(_ place: SpillPlace) {
    guard let index = places.firstIndex(where: { $0.place.id == place.id }) else { return }
    places[index].isFree = true
    let end = places.firstIndex { !$0.isFree } ?? places.count
    places.removeFirst(end)
  }

  private func offset(for length: Int) -> Int? {
    guard let first = places.first?.place, let last = places.last?.place else { return 0 }
    let end = last.offset + last.length
    if last.offset >= first.offset {
      // The used part is contiguous: allocate after it, otherwise before it.
      if length <= capacity - end { return end }
      return length <= first.offset ? 0 : nil
    }
    return length <= first.offset - end ? end : nil
  }

  /// Traps if places overlap or exceed the file.
  func checkInvariants() {
    let sorted = places.map(\.place).sorted { $0.offset < $1.offset }
    for (place, next) in zip(sorted, sorted.dropFirst()) {
      precondition(place.offset + place.length <= next.offset, "two places overlap")
    }
    precondition(
      sorted.allSatisfy { $0.offset + $0.length <= capacity }, "a place exceeds the file")
    precondition(places.first?.isFree != true, "the oldest place is free")
  }
}
