import Foundation
import Testing

@testable import Recorder

@Suite("Lines for stderr")
struct StandardErrorTests {
  @Test("are dropped while the pipe is full, and written when it has room")
  func full() throws {
    let pipe = Pipe()
    let (reader, writer) = (
      pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor
    )
    let mode = fcntl(writer, F_GETFL)
    _ = fcntl(writer, F_SETFL, mode | O_NONBLOCK)
    let page = [UInt8](repeating: 0x78, count: 4_096)
    var filled = 0
    while case let count = write(writer, page, page.count), count > 0 { filled += count }
    // As an app has it: a write would wait for the reader.
    _ = fcntl(writer, F_SETFL, mode)
    writeLine("dropped", to: writer)

    var bytes = [UInt8](repeating: 0, count: filled + 4_096)
    var count = 0
    while count < filled { count += read(reader, &bytes, filled - count) }
    writeLine("kept", to: writer)
    count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "kept\n")
    #expect(fcntl(writer, F_GETFL) == mode, "the app's mode is unchanged")
  }

  @Test("that are long arrive in one piece")
  func long() {
    let pipe = Pipe()
    let text = String(repeating: "long ", count: 2_000)
    writeLine(text, to: pipe.fileHandleForWriting.fileDescriptor)
    pipe.fileHandleForWriting.closeFile()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: bytes, as: UTF8.self) == text + "\n")
  }
}
