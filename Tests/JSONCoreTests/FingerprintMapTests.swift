import TestSupport
import Testing

@testable import JSONCore

@Suite("Fingerprints by keys")
struct FingerprintMapTests {
  @Test("are those of a dictionary", arguments: 0..<4 as Range<UInt64>)
  func dictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (map, model): (FingerprintMap, [UInt64: UInt64]) = (FingerprintMap(limit: 100_000), [:])
    for step in 0..<20_000 {
      // Keys that differ in few bits are next to one another.
      let key =
        UInt64.random(in: 1..<5_000, using: &random)
        << (20 * UInt64.random(in: 0..<3, using: &random))
      #expect(map[key] == model[key])
      map.insert(UInt64(step), for: key)
      model[key] = UInt64(step)
    }
    #expect(map.count == model.count)
    for (key, value) in model { #expect(map[key] == value) }
    map.removeAll()
    #expect(map.count == 0)
    #expect(model.keys.allSatisfy { map[$0] == nil })
  }

  @Test("begin again at the limit")
  func limit() {
    var map = FingerprintMap(limit: 1_000)
    for key in 1...1_001 as ClosedRange<UInt64> { map.insert(key, for: key) }
    #expect(map.count == 1)
    #expect(map[1_001] == 1_001)
    #expect(map[1] == nil)
  }

  @Test("start in different slots where only higher bits of the keys differ")
  func slots() {
    let slots = 4_096
    let keys = (1...500 as ClosedRange<UInt64>).map { $0 << 20 }
    #expect(Set(keys.map { FingerprintMap.start($0, slots) }).count > 400)
    #expect(Set(keys.map { FingerprintSet.start($0, slots) }).count > 400)
  }
}
