import JSONCore
import Testing

@testable import Timelines

@Suite("A cursor")
struct TimelineCursorTests {
  @Test("goes over a long stretch back and forth, and keeps few of its moments")
  func longStretch() throws {
    let padding = String(repeating: "x", count: 60_000)
    var timeline = try sampleTimeline(#"{"seq":0,"t":0,"state":{"n":0,"pad":"\#(padding)"}}"#)
    for n in 1...1000 {
      try timeline.append(
        Entry(
          reading:
            #"{"seq":\#(n),"t":0,"event":1,"patch":[{"op":"replace","path":"/n","value":\#(n)}]}"#))
    }
    var cursor = TimelineCursor(timeline)
    var kept = 0
    for seq in (0...1000).reversed() as ReversedCollection<ClosedRange<Int64>> {
      let moment = cursor.move(to: seq)
      #expect(moment?.state?["n"]?.int == seq)
      kept = max(kept, cursor.keptCount)
    }
    for seq in 0...1000 as ClosedRange<Int64> {
      let moment = cursor.move(to: seq)
      #expect(moment?.state?["n"]?.int == seq)
      kept = max(kept, cursor.keptCount)
    }
    #expect(kept <= TimelineCursor.keptLimit)
  }
}
