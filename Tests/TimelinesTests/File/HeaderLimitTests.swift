import Synchronization
import Testing
import Timelines

/// Spaces, and how far they were read.
private struct Spaces: Collection {
  final class Reading: Sendable {
    let furthest = Mutex(0)
  }

  let count: Int
  let reading = Reading()

  var startIndex: Int { 0 }
  var endIndex: Int { count }
  func index(after index: Int) -> Int { index + 1 }

  subscript(index: Int) -> UInt8 {
    reading.furthest.withLock { $0 = Swift.max($0, index) }
    return UInt8(ascii: " ")
  }
}

@Suite("A header that is too long")
struct HeaderLimitTests {
  private static let header =
    #"{"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"a"},"machine":"#
    + #"{"type":"T","name":"coin"},"started":"2026-05-01T08:00:00Z","format":1}"#

  private static func file(headerBytes: Int) -> [UInt8] {
    let spaces = String(repeating: " ", count: headerBytes - header.utf8.count)
    return Array("\(header)\(spaces)\n{\"seq\":0,\"t\":0,\"state\":1}\n".utf8)
  }

  @Test("is refused without reading the line to its end")
  func refused() {
    let limit = TimelineFileReader.standardHeaderLimit
    let error = TimelineFileError(.tooLong(limit: limit), line: 1, at: 0)
    for isRecovering in [false, true] {
      let spaces = Spaces(count: 3_000_000_000)
      #expect(throws: error) {
        if isRecovering {
          _ = try TimelineFile.recover(spaces)
        } else {
          _ = try TimelineFile.read(spaces)
        }
      }
      #expect(spaces.reading.furthest.withLock { $0 } <= limit)
    }
  }

  @Test(
    "is one byte longer than 1 MiB, wherever the pieces end",
    arguments: [1 << 16, 1 << 20, 1 << 22])
  func limit(size: Int) throws {
    let limit = 1 << 20
    for bytes in [limit, limit + 1] {
      var reader = TimelineFileReader()
      var count = 0
      let file = Self.file(headerBytes: bytes)
      func read() throws {
        for start in stride(from: 0, to: file.count, by: size) {
          try reader.read(file[start..<min(start + size, file.count)]) { _ in count += 1 }
        }
      }
      if bytes > limit {
        #expect(throws: TimelineFileError(.tooLong(limit: limit), line: 1, at: 0)) { try read() }
      } else {
        try read()
        #expect(count == 2)
      }
    }
  }

  @Test("has a limit of its own: entries may be longer")
  func entries() throws {
    let text = String(repeating: "x", count: 2 << 20)
    let file = Self.file(headerBytes: 500) + Array(#"{"seq":1,"t":1,"event":"\#(text)"}"#.utf8)
    #expect(try TimelineFile.read(file).timeline.lastSeq == 1)
  }
}
