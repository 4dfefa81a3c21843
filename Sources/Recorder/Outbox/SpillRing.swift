/// Where something stands in the spill file.
package struct SpillPlace: Hashable, Sendable {
  /// Counts the places that were given: two are never the same.
  package let id: Int
  /// The first byte.
  package let offset: Int
  /// How many bytes.
  package let length: Int

  /// A place of these bounds.
  package init(id: Int, offset: Int, length: Int) {
    (self.id, self.offset, self.length) = (id, offset, length)
  }
}

/// Gives out places in a file of bounded size: in order, and from the front again behind the end.
///
/// A place is one piece. What was freed out of order is given again when everything before it is
/// free, too.
struct SpillRing: Sendable {
  /// The bytes of the file.
  let capacity: Int
  /// The places in use and those freed out of order, the oldest first.
  private var places: [(place: SpillPlace, isFree: Bool)] = []
  private var lastID = 0

  /// A file of at most so many bytes.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The oldest place that is in use.
  var oldest: SpillPlace? { places.first?.place }

  /// How many bytes are in use.
  var bytes: Int { places.reduce(0) { $0 + ($1.isFree ? 0 : $1.place.length) } }

  /// A place of that length, when there is one now.
  mutating func take(_ length: Int) -> SpillPlace? {
    guard length > 0, length <= capacity, let offset = offset(for: length) else { return nil }
    lastID += 1
    let place = SpillPlace(id: lastID, offset: offset, length: length)
    places.append((place, false))
    return place
  }

  /// Takes a place back.
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
      // In use is one piece in the middle: behind it, else before it.
      if length <= capacity - end { return end }
      return length <= first.offset ? 0 : nil
    }
    return length <= first.offset - end ? end : nil
  }

  /// Stops when places overlap or leave the file.
  func checkInvariants() {
    let sorted = places.map(\.place).sorted { $0.offset < $1.offset }
    for (place, next) in zip(sorted, sorted.dropFirst()) {
      precondition(place.offset + place.length <= next.offset, "two places overlap")
    }
    precondition(sorted.allSatisfy { $0.offset + $0.length <= capacity }, "a place leaves the file")
    precondition(places.first?.isFree != true, "the oldest place is in use")
  }
}
