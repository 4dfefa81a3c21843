import Foundation
import TestSupport
import Testing

@testable import Timelines

@Suite("A timeline's name")
struct TimelineIDTests {
  @Test("is a UUID in either case, written in lower case")
  func reads() throws {
    let id = try #require(TimelineID("6F1C9A52-0b7e-4d38-9c41-2E5A7B90D1F3"))
    #expect(id.text == "6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3")
    #expect(id == TimelineID(id.text))
    #expect(TimelineID("00000000-0000-0000-0000-000000000001")?.text.last == "1")
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "6f1c9a520b7e4d389c412e5a7b90d1f3", "6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f",
      "6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f33", "6f1c9a52_0b7e-4d38-9c41-2e5a7b90d1f3",
      "gf1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3", "{6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3}",
      "../../../../../../../../../etc/passwd", "6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f\u{0}",
      "-6f1c9a5-0b7e-4d38-9c41-2e5a7b90d1f3",
    ])
  func refuses(text: String) {
    #expect(TimelineID(text) == nil)
  }

  @Test("is random of version 4, as Foundation reads it")
  func random() {
    let seed: UInt64 = 4
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let id = TimelineID.random(using: &generator)
      #expect(UUID(uuidString: id.text)?.uuidString.lowercased() == id.text)
      #expect(Array(id.text)[14] == "4")
      #expect("89ab".contains(Array(id.text)[19]))
    }
    #expect(TimelineID.random() != TimelineID.random())
  }

  @Test("names an entry with its seq")
  func reference() throws {
    let reference = try #require(EntryReference("\(sampleID):12"))
    #expect(reference.seq == 12)
    #expect(reference.text == "\(sampleID):12")
    for text in [
      "\(sampleID)", "\(sampleID):", "\(sampleID):-1", "\(sampleID):1x", ":1",
      "\(sampleID):9223372036854775808", "\(sampleID):+1", "\(sampleID):00",
    ] {
      #expect(EntryReference(text) == nil, "\(text)")
    }
  }
}
