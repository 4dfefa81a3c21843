import JSONCore
import TestSupport
import Testing

@testable import Timelines

@Suite("A damaged timeline file")
struct TimelineFileRecoveryTests {
  private static func entry(_ seq: Int, isKeyframe: Bool = false) -> String {
    let state = isKeyframe ? #""state":{"n":\#(seq)},"# : ""
    let patch = #""patch":[{"op":"replace","path":"/n","value":\#(seq)}]"#
    return seq == 0
      ? #"{"seq":0,"t":0,"state":{"n":0}}"#
      : #"{"seq":\#(seq),"t":\#(seq),"event":\#(seq),\#(state)\#(patch),"later":1}"#
  }

  private static func file(_ lines: [String]) -> [UInt8] {
    Array(([sampleHeaderLine] + lines).map { $0 + "\n" }.joined().utf8)
  }

  @Test("keeps all that is not damaged, and says what is missing")
  func recovers() throws {
    var lines = (0...6).map { Self.entry($0, isKeyframe: $0 == 4) }
    lines[2] = "}rubbish{"
    let recovered = try TimelineFile.recover(Self.file(lines) + Array(#"{"seq":7,"#.utf8))
    let timeline = recovered.timeline
    #expect(timeline.entries.map(\.seq) == [0, 1, 3, 4, 5, 6])
    #expect(timeline.lost == [LostRange(2...2, why: "damaged")])
    #expect(recovered.thinned == [3])
    #expect(timeline[3]?.event?.int == 3)
    #expect(timeline.state(at: 1) == ["n": 1])
    #expect(timeline.state(at: 6) == ["n": 6])
    #expect(recovered.skippedCount == 1)
    #expect(recovered.skipped.map(\.error.line) == [4])
    #expect(recovered.skipped.first?.bytes == 9)
    #expect(recovered.torn?.bytes == 9)
    #expect(recovered.hasLosses)
    // Lines that needed no change are the bytes they were.
    #expect(timeline[5]?.line.text == lines[5])
    let again = try TimelineFile.recover(TimelineFile.bytes(of: timeline))
    #expect(!again.hasLosses)
    #expect(again.timeline.entries == timeline.entries)
  }

  @Test("keeps a keyframe that does not say what it changed, and says it")
  func completes() throws {
    var lines = (0...6).map { Self.entry($0) }
    lines[2] = #"{"seq":2,"t":2,"event":2,"state":{"n":2},"outputState":{"o":1}}"#
    lines[4] = #"{"seq":4,"t":4,"event":4,"state":{"n":4},"outputState":{"o":1}}"#
    let recovered = try TimelineFile.recover(Self.file(lines))
    #expect(recovered.completed == [2, 4])
    #expect(!recovered.hasLosses && recovered.skipped.isEmpty)
    let timeline = recovered.timeline
    #expect(timeline[2]?.patch?.text == #"[{"op":"replace","path":"/n","value":2}]"#)
    #expect(timeline[2]?.outputs?.text == #"[{"op":"add","path":"/o","value":1}]"#)
    #expect(timeline[2]?.isKeyframe == true && timeline[2]?.event?.int == 2)
    #expect(timeline[4]?.outputs == nil)
    #expect(timeline.state(at: 6) == ["n": 6])
    #expect(timeline.disagreements().isEmpty)
    #expect(try TimelineFile.read(TimelineFile.bytes(of: timeline)).timeline.lastSeq == 6)
  }

  @Test("removes a false gap, and adds the keyframe's changes")
  func falseGap() throws {
    let zero = Self.entry(0)
    let one = #"{"seq":1,"t":1,"event":1,"state":{"n":1},"gap":{"lost":1,"why":"?"}}"#
    let recovered = try TimelineFile.recover(Self.file([zero, one]))
    #expect(recovered.completed == [1] && recovered.skippedCount == 0)
    #expect(recovered.timeline[1]?.gap == nil)
  }

  @Test("reports missing lines, at the start and in the middle")
  func missingLines() throws {
    let lines = [1, 2, 5].map { Self.entry($0, isKeyframe: true) }
    let recovered = try TimelineFile.recover(Self.file(lines))
    #expect(recovered.missing == [0...0, 3...4])
    #expect(recovered.hasLosses && recovered.skippedCount == 0)
    #expect(recovered.timeline.lost.map(\.seqs) == [0...0, 3...4])
  }

  @Test("without damage is what a strict reader reads")
  func undamaged() throws {
    let file = Self.file((0...6).map { Self.entry($0, isKeyframe: $0 == 4) })
    let recovered = try TimelineFile.recover(file)
    #expect(!recovered.hasLosses && recovered.skipped.isEmpty)
    #expect(TimelineFile.bytes(of: recovered.timeline) == file)
  }

  @Test("gives a timeline that holds together, whatever bytes were changed")
  func randomDamage() throws {
    let file = Self.file((0...12).map { Self.entry($0, isKeyframe: $0 % 4 == 0) })
    let start = sampleHeaderLine.utf8.count + 1
    for seed in 0..<400 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var damaged = file
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = Int.random(in: start..<damaged.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: damaged.remove(at: place)
        case 2: damaged.insert(UInt8(ascii: "\n"), at: place)
        default:
          let end = min(damaged.count, place + Int.random(in: 1..<60, using: &generator))
          damaged.removeSubrange(max(start, end - 60)..<end)
        }
      }
      let recovered = try TimelineFile.recover(damaged)
      let bytes = TimelineFile.bytes(of: recovered.timeline)
      let read = try TimelineFile.read(bytes)
      #expect(read.timeline.entries == recovered.timeline.entries, "seed \(seed)")
      if damaged != file, !recovered.hasLosses {
        // Damage inside a value can leave a line that is one.
        #expect(recovered.timeline.entries.count >= 12, "seed \(seed)")
      }
    }
  }

  @Test("notes no more than so many of its lines, and counts the rest")
  func bounded() throws {
    let count = TimelineFileReader.skippedLimit + 5
    let rubbish = [UInt8](repeating: UInt8(ascii: "\n"), count: count)
    let recovered = try TimelineFile.recover(Self.file([Self.entry(0)]) + rubbish)
    #expect(recovered.skippedCount == count)
    #expect(recovered.skipped.count == TimelineFileReader.skippedLimit)
  }

  @Test("skips a line that is too long without keeping it")
  func longLine() throws {
    let long = String(repeating: "x", count: 5000)
    let file = Self.file([Self.entry(0), long, Self.entry(1)])
    let recovered = try TimelineFile.recover(file, lineLimit: 400)
    #expect(recovered.timeline.lastSeq == 1)
    #expect(recovered.skipped.map(\.bytes) == [5000])
    #expect(recovered.skipped.first?.error.reason == .tooLong(limit: 400))
  }

  @Test("fails without a header")
  func noHeader() {
    let error = #expect(throws: TimelineFileError.self) {
      try TimelineFile.recover(Array((Self.entry(0) + "\n").utf8))
    }
    #expect(error?.line == 1)
  }
}
