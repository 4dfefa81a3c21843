import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Timelines
@testable import Wire

@Suite("The least recorder")
struct LeastRecorderTests {
  @Test("of docs/protocol.md says what a daemon takes, line by line")
  func documented() throws {
    let text = try String(
      contentsOf: repositoryRoot.appending(path: "docs/protocol.md"), encoding: .utf8)
    let section = try #require(text.split(separator: "## The least recorder").last)
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("{") }
    let timeline = try #require(try Self.received(lines.map { Array($0.utf8) }))
    #expect(timeline.lastSeq == 1)
    #expect(timeline.state(at: 1) == ["n": 2])
    #expect(timeline.disagreements().isEmpty)
  }

  /// The timeline that a recorder's messages amount to.
  private static func received(_ frames: [[UInt8]]) throws -> Timeline? {
    var timeline: Timeline?
    var types: [String] = []
    for frame in frames {
      let envelope = try Envelope<FromRecorder>(reading: frame, maxMessage: 1 << 20)
      switch envelope.body {
      case .open(let open): timeline = Timeline(try Header(reading: open.header))
      case .append(let append):
        #expect(append.timeline == timeline?.header.timeline)
        for entry in append.entries { try timeline?.append(Entry(reading: entry)) }
      case .close(let close): #expect(close.timeline == timeline?.header.timeline)
      default: break
      }
      types.append(try #require(try JSON(parsing: frame)["type"]?.string))
    }
    #expect(types.first == "hello" && types[1] == "open" && types.last == "close")
    return timeline
  }
}
