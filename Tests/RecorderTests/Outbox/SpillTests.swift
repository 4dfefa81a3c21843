import Foundation
import TestSupport
import Testing

@testable import Recorder

@Suite("Spill file")
struct SpillTests {
  @Test("allocates places that never overlap and never exceed the file, in random order of use")
  func ring() throws {
    for seed in UInt64(1)...20 {
      var generator = SeededGenerator(seed: seed)
      var ring = SpillRing(capacity: 100)
      var used: [SpillPlace] = []
      for _ in 0..<500 {
        if generator.chance(0.55), let place = ring.allocate(.random(in: 1...40, using: &generator))
        {
          used.append(place)
        } else if !used.isEmpty {
          // Mostly the oldest first, as acknowledgements do.
          let index = generator.chance(0.8) ? 0 : Int.random(in: used.indices, using: &generator)
          ring.free(used.remove(at: index))
        }
        ring.checkInvariants()
        #expect(ring.bytes == used.reduce(0) { $0 + $1.length }, "seed \(seed)")
      }
      for place in used { ring.free(place) }
      #expect(ring.oldest == nil)
      let whole = ring.allocate(100)
      let more = ring.allocate(1)
      #expect(whole?.offset == 0 && more == nil)
      #expect(SpillRing(capacity: 0).oldest == nil)
    }
  }

  @Test("allocates no place that is empty, larger than the file, or occupied")
  func noPlace() {
    var ring = SpillRing(capacity: 10)
    let places = [11, 0, -1].map { ring.allocate($0) }
    #expect(places == [nil, nil, nil])
    let place = SpillPlace(id: 99, offset: 0, length: 5)
    ring.free(place)
    ring.checkInvariants()
  }

  @Test("stores bytes at their places, and leaves no name behind", arguments: [false, true])
  func file(isNamedFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let file = SpillFile(path: folder.path("spill"), isNamedFirst: isNamedFirst)
    var ring = SpillRing(capacity: 1_000)
    let places = (0..<3).compactMap { _ in ring.allocate(100) }
    #expect(places.count == 3)
    for (number, place) in places.enumerated() {
      #expect(file.write(Array(repeating: UInt8(number), count: 100), at: place) == nil)
    }
    for (number, place) in places.enumerated() {
      #expect(file.read(place) == Array(repeating: UInt8(number), count: 100))
    }
    #expect(file.read(SpillPlace(id: 9, offset: 900, length: 100)) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(
    "is created next to a file or link at its path, which is neither touched nor followed",
    arguments: [false, true])
  func link(isNamedFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let precious = folder.path("precious")
    try Data("precious".utf8).write(to: URL(filePath: precious))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: precious)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("dangling"), withDestinationPath: folder.path("elsewhere"))
    // As a process may leave it that was killed in a bad moment.
    try Data().write(to: URL(filePath: folder.path("empty")))
    let names = ["dangling", "empty", "link", "precious"]
    for name in names {
      let file = SpillFile(path: folder.path(name), isNamedFirst: isNamedFirst)
      let place = SpillPlace(id: 1, offset: 0, length: 4)
      #expect(file.write([1, 2, 3, 4], at: place) == nil)
      #expect(file.read(place) == [1, 2, 3, 4])
    }
    #expect(try String(contentsOfFile: precious, encoding: .utf8) == "precious")
    #expect(try Data(contentsOf: URL(filePath: folder.path("empty"))).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == names)
  }

  @Test("returns why it cannot be written", arguments: [false, true])
  func problem(isNamedFirst: Bool) {
    let file = SpillFile(path: "/nowhere/spill", isNamedFirst: isNamedFirst)
    let place = SpillPlace(id: 1, offset: 0, length: 1)
    #expect(
      file.write([1], at: place) == "No such file or directory; to fix, create the folder first")
  }
}
