import Foundation
import Testing

@testable import DebugServer

@Suite("Log lines on a descriptor")
struct DescriptorLinesTests {
  @Test("are lost on a full disk, and the log goes on")
  func fullDisk() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let lines = DescriptorLines(descriptor)
    for _ in 0..<3 { lines.write("a line\n") }
  }

  @Test("that were lost are counted once there is room again, on a line of their own")
  func counted() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let lines = DescriptorLines(ends[1])
    // More than a pipe holds, so that the last line that begins to fit breaks off.
    let line = String(repeating: "x", count: 999) + "\n"
    for _ in 0..<100 { lines.write(line) }
    let full = Self.read(ends[0])
    lines.write("after\n")
    lines.write("later\n")
    let rest = Self.read(ends[0])
    let whole = full.split(separator: "\n").count { $0.utf8.count == 999 }
    let torn = full.hasSuffix("\n") ? "" : "\n"
    #expect(rest == "\(torn)\(100 - whole) log lines could not be written.\nafter\nlater\n")
    #expect(whole < 100)
  }

  private static func read(_ descriptor: Int32) -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      all += buffer[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }
}
