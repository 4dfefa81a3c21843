/// The positions of entries in a chunk, counted from 0, in the shortest of three encodings.
///
/// Few positions are encoded as distances, many as runs or as a bitmap. So a path or a name never
/// takes more than an eighth of a byte for each entry of the chunk.
struct PlaceSet: Hashable, Sendable {
  /// The positions, ascending.
  private(set) var places: [UInt32]

  /// These positions.
  ///
  /// - Precondition: they are ascending.
  init(_ places: [UInt32] = []) {
    self.places = places
  }

  var isEmpty: Bool { places.isEmpty }

  /// Adds a position that is not before the last one.
  @inline(__always)
  mutating func add(_ place: UInt32) {
    if places.last != place { places.append(place) }
  }

  func contains(_ place: UInt32) -> Bool {
    let index = firstIndex(from: place)
    return index < places.count && places[index] == place
  }

  /// The last position up to this one.
  func last(upTo place: UInt32) -> UInt32? {
    let index = place == .max ? places.count : firstIndex(from: place + 1)
    return index > 0 ? places[index - 1] : nil
  }

  /// The first position from this one on.
  func first(from place: UInt32) -> UInt32? {
    let index = firstIndex(from: place)
    return index < places.count ? places[index] : nil
  }

  /// How many places are in a range.
  func count(in range: Range<UInt32>) -> Int {
    firstIndex(from: range.upperBound) - firstIndex(from: range.lowerBound)
  }

  /// The start of the run of neighbors that ends at a contained position.
  func runStart(endingAt place: UInt32) -> UInt32 {
    var index = firstIndex(from: place)
    while index > 0, places[index - 1] + 1 == places[index] { index -= 1 }
    return places[index]
  }

  /// The end of the run of neighbors that starts at a contained position.
  func runEnd(beginningAt place: UInt32) -> UInt32 {
    var index = firstIndex(from: place)
    while index + 1 < places.count, places[index] + 1 == places[index + 1] { index += 1 }
    return places[index]
  }

  func union(_ other: PlaceSet) -> PlaceSet {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PlaceSet(Set(places).union(other.places).sorted())
  }

  /// The positions below `count`.
  static func all(_ count: Int) -> PlaceSet { PlaceSet(Array(0..<UInt32(clamping: count))) }

  private func firstIndex(from place: UInt32) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension PlaceSet {
  private enum Form: UInt8 {
    case distances
    case runs
    case bitmap
  }

  /// The encoding: the form, then its content.
  var encoded: [UInt8] {
    var distanceBytes = 0
    var runBytes = 0
    var next: UInt32 = 0
    forEachRun { start, length in
      // The first distance of a run is that from the end of the previous one; all others are zero.
      distanceBytes += IndexWriter.size(of: start - next) + Int(length) - 1
      runBytes += IndexWriter.size(of: start - next) + IndexWriter.size(of: length - 1)
      next = start + length
    }
    let bitmapBytes = places.last.map { Int($0) / 8 + 1 } ?? 0
    var writer = IndexWriter()
    if distanceBytes <= runBytes, distanceBytes <= bitmapBytes {
      writer.append(Form.distances.rawValue)
      var next: UInt32 = 0
      for place in places {
        writer.number(place - next)
        next = place + 1
      }
    } else if runBytes <= bitmapBytes {
      writer.append(Form.runs.rawValue)
      var next: UInt32 = 0
      forEachRun { start, length in
        writer.number(start - next)
        writer.number(length - 1)
        next = start + length
      }
    } else {
      writer.append(Form.bitmap.rawValue)
      var bits = [UInt8](repeating: 0, count: bitmapBytes)
      for place in places { bits[Int(place / 8)] |= 1 << UInt8(place % 8) }
      writer.append(bits)
    }
    return writer.bytes
  }

  /// Decodes the bytes; `nil` if they are invalid.
  init?(encoded bytes: some Sequence<UInt8>) {
    var reader = IndexReader(Array(bytes))
    guard let form = reader.byte().flatMap(Form.init(rawValue:)) else { return nil }
    places = []
    var next: UInt64 = 0
    switch form {
    case .distances:
      while !reader.isAtEnd {
        guard let distance = reader.number(), next + min(distance, 1 << 32) < 1 << 32 else {
          return nil
        }
        places.append(UInt32(next + distance))
        next += distance + 1
      }
    case .runs:
      while !reader.isAtEnd {
        guard let distance = reader.number(), let more = reader.number(),
          // No chunk has this many entries; such bytes are damaged.
          distance < 1 << 31, more < 1 << 24, next + distance + more < 1 << 32
        else { return nil }
        let start = UInt32(next + distance)
        places.append(contentsOf: start...start + UInt32(more))
        next += distance + more + 1
      }
    case .bitmap:
      for (index, byte) in reader.rest().enumerated() {
        var bits = byte
        while bits != 0 {
          places.append(UInt32(index * 8 + bits.trailingZeroBitCount))
          bits &= bits - 1
        }
      }
    }
  }

  private func forEachRun(_ body: (_ start: UInt32, _ length: UInt32) -> Void) {
    var index = 0
    while index < places.count {
      var end = index + 1
      while end < places.count, places[end] == places[end - 1] + 1 { end += 1 }
      body(places[index], UInt32(end - index))
      index = end
    }
  }
}
