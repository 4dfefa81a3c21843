import TestSupport
import Testing

@testable import TimelineStore

@Suite("Sets of places")
struct PlaceSetTests {
  @Test("read back what they wrote", arguments: [0.01, 0.1, 0.5, 0.9, 1.0])
  func roundTrip(density: Double) {
    for seed in 0..<Rounds.choose(8, all: 40) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let places = (0..<UInt32(700)).filter { _ in generator.chance(density) }
      let set = PlaceSet(places)
      let bytes = set.encoded
      #expect(PlaceSet(encoded: bytes)?.places == places, "seed \(seed)")
      // A bitmap of 700 entries and the form.
      #expect(bytes.count <= 700 / 8 + 2)
      for place in 0..<UInt32(710) {
        #expect(set.contains(place) == places.contains(place))
        #expect(set.last(upTo: place) == places.last { $0 <= place })
        #expect(set.first(from: place) == places.first { $0 >= place })
      }
    }
  }

  @Test(
    "reject invalid bytes",
    arguments: [[], [9], [0, 0x80], [1, 3], [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]])
  func damaged(bytes: [UInt8]) {
    #expect(PlaceSet(encoded: bytes) == nil)
  }
}
