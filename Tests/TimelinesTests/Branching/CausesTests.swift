import JSONCore
import Testing

@testable import Timelines

@Suite("Skipping with what was caused")
struct CausesTests {
  private static func parent() throws -> Timeline {
    try sampleTimeline(
      #"{"seq":0,"t":0}"#, #"{"seq":1,"t":0,"event":1}"#, #"{"seq":2,"t":0,"event":2,"cause":1}"#,
      #"{"seq":3,"t":0,"event":3,"cause":0}"#,
      #"{"seq":4,"t":0,"event":4,"cause":"\#(sampleID):2"}"#,
      #"{"seq":5,"t":0,"state":1,"jump":true,"cause":1}"#,
      #"{"seq":6,"t":0,"event":6,"cause":5}"#,
      #"{"seq":7,"t":0,"event":7,"cause":"0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10:1"}"#,
      #"{"seq":12,"t":0,"event":8,"cause":4,"gap":{"lost":4,"why":""}}"#)
  }

  @Test(
    "drops the causal closure, and nothing else",
    arguments: [
      (1, #"[{"drop":[1,2]},{"drop":4},{"drop":12}]"#),
      (2, #"[{"drop":2},{"drop":4},{"drop":12}]"#),
      (3, #"[{"drop":3}]"#), (12, #"[{"drop":12}]"#),
    ] as [(Int64, String)])
  func closure(seq: Int64, text: String) throws {
    let script = EditScript(skipping: seq, withWhatItCausedIn: try Self.parent())
    #expect(String(decoding: script.text, as: UTF8.self) == text)
    _ = try script.plan(for: Self.parent())
  }

  @Test("fails as a script does where the entry cannot be skipped", arguments: [0, 5, 9, 13])
  func fails(seq: Int64) throws {
    let script = EditScript(skipping: seq, withWhatItCausedIn: try Self.parent())
    #expect(throws: EditError.self) { try script.plan(for: Self.parent()) }
  }
}
