import Testing

@testable import Timelines

@Suite("The keyframe rule")
struct KeyframeRuleTests {
  @Test("makes a keyframe when the patches, its own included, reach the snapshot")
  func reaches() {
    var rule = KeyframeRule()
    let patches: [Int] = [50, 50, 30, 20, 99, 1, 100, 250, 99]
    let answers = patches.map { rule.captured(patchBytes: $0, snapshotBytes: 100) }
    #expect(answers == [true, false, false, true, false, true, true, true, false])
  }

  @Test("needs one at first, after a loss, after a thinned entry, and where changes are unknown")
  func needs() {
    var rule = KeyframeRule()
    var answers: [Bool] = []
    func capture(_ bytes: Int?) {
      answers.append(rule.captured(patchBytes: bytes, snapshotBytes: 100))
    }
    #expect(rule.needsKeyframe)
    capture(0)
    capture(1)
    rule.lost()
    capture(1)
    rule.thinned()
    rule.thinned()
    capture(1)
    capture(nil)
    capture(1)
    #expect(answers == [true, false, true, true, true, false])
  }

  @Test("does not overflow")
  func overflow() {
    var rule = KeyframeRule()
    let answers = [nil, .max - 1, 2].map { rule.captured(patchBytes: $0, snapshotBytes: .max) }
    #expect(answers == [true, false, true])
  }

  @Test(
    "goes on behind entries as the recorder that wrote them", arguments: [(7, false), (8, true)])
  func follows(patchBytes: Int, isKeyframe: Bool) throws {
    // 42 bytes of patches.
    let timeline = try sampleTimeline(
      #"{"seq":0,"t":0,"state":{"n":0},"outputState":{}}"#,
      #"{"seq":1,"t":1,"event":1,"patch":[{"op":"replace","path":"/n","value":1}],"outputs":[]}"#)
    var rule = KeyframeRule(following: timeline.entries)
    let answer = rule.captured(patchBytes: patchBytes, snapshotBytes: 50)
    #expect(answer == isKeyframe)
    rule.record(try Entry(reading: #"{"seq":2,"t":1,"event":1}"#))
    #expect(rule.needsKeyframe)
  }
}
