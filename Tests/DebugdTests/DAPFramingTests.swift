import Testing

@testable import debugd

@Suite("Framing of the Debug Adapter Protocol")
struct DAPFramingTests {
  private static let stream =
    DAPFraming.frame(Array("{}".utf8)) + Array("Other: x\r\ncontent-length:3\r\n\r\nabc".utf8)

  @Test("messages are the same however the bytes come", arguments: 1...60)
  func pieces(size: Int) {
    var framing = DAPFraming()
    var messages: [String] = []
    for start in stride(from: 0, to: Self.stream.count, by: size) {
      let piece = Self.stream[start..<min(Self.stream.count, start + size)]
      let found = framing.messages(adding: Array(piece))
      #expect(!found.isUnreadable)
      messages += found.messages.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(messages == ["{}", "abc"])
  }

  @Test(
    "a stream that cannot be understood ends after its messages",
    arguments: [
      "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "\r\n\r\n",
      "Content-Length: 4194305\r\n\r\n", String(repeating: "x", count: 5000),
    ])
  func ends(text: String) {
    var framing = DAPFraming()
    let found = framing.messages(adding: Self.stream + Array(text.utf8))
    #expect(found.isUnreadable)
    #expect(found.messages == [Array("{}".utf8), Array("abc".utf8)])
  }
}
