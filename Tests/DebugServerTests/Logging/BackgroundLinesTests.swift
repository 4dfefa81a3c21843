import Dispatch
import Foundation
import Testing

@testable import DebugServer

@Suite("Log lines that are written in the background")
struct BackgroundLinesTests {
  @Test("do not wait for a reader: the first ones are kept, the others counted, in order")
  func unread() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let lines = BackgroundLines(ends[1])
    let count = 100_000
    // About six megabytes: more than a pipe and the buffer hold.
    for number in 0..<count { lines.write("\(number) \(String(repeating: "x", count: 55))\n") }
    // It still cannot be written, and waiting for that ends.
    lines.flush(within: 1)
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let writer = ends[1]
    DispatchQueue.global().async {
      lines.flush(within: 60_000)
      lines.write("later\n")
      lines.flush(within: 60_000)
      close(writer)
    }
    let all = String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
    var rows = all.split(separator: "\n")
    #expect(rows.popLast() == "later")
    let report = rows.popLast().map(String.init) ?? ""
    #expect(
      report
        == "\(count - rows.count) log lines were dropped: the reader of the log did not keep up.")
    #expect(rows.count >= BackgroundLines.maximumBytes / 70 && rows.count < count / 2)
    #expect(rows.enumerated().allSatisfy { $1.hasPrefix("\($0) x") })
  }

  @Test("are all written if the reader keeps up")
  func read() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let lines = BackgroundLines(ends[1])
    for number in 0..<500 { lines.write("\(number)\n") }
    lines.flush(within: 60_000)
    close(ends[1])
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let all = String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
    #expect(all == (0..<500).map { "\($0)\n" }.joined())
  }
}
