import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Timelines
@testable import Wire

@Suite("The overview's binary frame")
struct OverviewFrameTests {
  private func frame() throws -> (bytes: [UInt8], fixture: JSON) {
    let file = repositoryRoot.appending(path: "docs/protocol/overview.json")
    let fixture = try JSON(parsing: Array(Data(contentsOf: file)))
    let base64 = try #require(fixture["base64"]?.string)
    return (Array(try #require(Data(base64Encoded: base64))), fixture)
  }

  @Test("is read and written again byte by byte")
  func roundTrip() throws {
    let (bytes, fixture) = try frame()
    let frame = try OverviewFrame(reading: bytes)
    #expect(frame.head.lanes == ["flip", "other"])
    #expect(frame.head.re == .number(18))
    let columns = try #require(fixture["columns"]?.array).map { column in
      (column.array ?? []).compactMap { $0.int.flatMap { UInt32(exactly: $0) } }
    }
    #expect(frame.columns == columns)
    #expect(frame.encoded() == bytes)
  }

  @Test("is refused when it is cut anywhere")
  func cut() throws {
    let (bytes, _) = try frame()
    for length in 0..<bytes.count {
      #expect(throws: MessageError.self) { try OverviewFrame(reading: Array(bytes[..<length])) }
    }
    #expect(throws: MessageError.self) { try OverviewFrame(reading: bytes + [0]) }
  }

  @Test("never traps when its bytes are changed")
  func mutations() throws {
    let (bytes, _) = try frame()
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var changed = bytes
      changed[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
      _ = try? OverviewFrame(reading: changed)
    }
  }
}
