import JSONCore
import Testing

@testable import Timelines

/// The name of the timelines in these tests.
let sampleID = "6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3"

/// A header with nothing that is not required.
let sampleHeaderLine = #"""
  {"timeline":"\#(sampleID)","app":{"name":"Coins"},"machine":{"type":"Coins.Coin","name":"coin"},"started":"2026-03-01T09:30:00Z","format":1}
  """#

/// A header with nothing that is not required.
func sampleHeader(_ line: String = sampleHeaderLine) throws -> Header {
  try Header(reading: line)
}

/// A timeline of these lines, behind the sample header.
func sampleTimeline(_ lines: String...) throws -> Timeline {
  var timeline = Timeline(try sampleHeader())
  for line in lines { try timeline.append(Entry(reading: line)) }
  return timeline
}

extension JSONSlice {
  /// Reads a text that the test wrote.
  init(_ text: String) throws {
    try self.init(validating: Array(text.utf8))
  }
}
