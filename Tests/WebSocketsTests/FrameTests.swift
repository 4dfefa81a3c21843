import TestSupport
import Testing

@testable import WebSockets

/// RFC 6455 frame by frame, with handwritten frames of a client.
@Suite("Frames on the wire", .timeLimit(.minutes(10)))
struct FrameTests {
  /// Frames to send, and the expected answer.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frames: [RawFrame]
    var answer: String
    /// Whether to write each byte separately.
    var isSlow = false

    /// The number of frames to wait for; more than all if the session ends.
    var wanted: Int {
      answer.hasSuffix(#""end"]"#) || answer == "1007" ? 9 : answer.count { $0 == "[" } - 1
    }

    init(_ name: String, _ frames: [RawFrame], _ answer: String, isSlow: Bool = false) {
      testDescription = name
      self.frames = frames
      self.answer = answer
      self.isSlow = isSlow
    }
  }

  private static let closing = RawFrame.close(1000, "bye")
  private static let closed = #"["close",1000,"bye"],"end"]"#
  private static func protocolError(_ reason: String) -> String {
    #"[["close",1002,"\#(reason)"],"end"]"#
  }

  static let messages = [
    Case("a text", [.text("hello"), closing], #"[["text","hello"],"# + closed),
    Case("an empty text", [.text(""), closing], #"[["text",""],"# + closed),
    Case("an empty binary", [.binary([]), closing], #"[["binary",""],"# + closed),
    Case(
      "a text whose bytes arrive one by one", [.text("héllo"), closing],
      #"[["text","héllo"],"# + closed, isSlow: true),
    Case(
      "a text with a mask of zeros", [RawFrame(opcode: 1, payload: [0x61], mask: [0, 0, 0, 0])],
      #"[["text","a"]]"#),
    Case(
      "three fragments",
      [.text("a", isFinal: false), .more([0x62], isFinal: false), .more([0x63]), closing],
      #"[["text","abc"],"# + closed),
    Case(
      "empty fragments",
      [.binary([], isFinal: false), .more([], isFinal: false), .more([]), closing],
      #"[["binary",""],"# + closed),
    Case(
      "a ping between fragments",
      [.text("a", isFinal: false), .ping([1, 2]), .more([0x62])],
      #"[["pong","0102"],["text","ab"]]"#),
    Case(
      "an unsolicited pong", [RawFrame(opcode: 10, payload: [7]), .text("a"), closing],
      #"[["text","a"],"# + closed),
    Case(
      "a ping of 125 bytes", [.ping(Array(repeating: 0xab, count: 125))],
      #"[["pong",""# + String(repeating: "ab", count: 125) + #""]]"#),
    Case(
      "a character in two fragments", [.text([0xc3], isFinal: false), .more([0xa9]), closing],
      #"[["text","é"],"# + closed),
    Case(
      "a message of exactly the maximum length",
      [.binary(Array(repeating: 1, count: 1_000)), closing],
      #"[["binary",""# + String(repeating: "01", count: 1_000) + #""],"# + closed),
  ]

  static let violations =
    [
      Case("a continuation of nothing", [.more([1])], protocolError("bad cont")),
      Case(
        "a text inside a message", [.text("a", isFinal: false), .text("b")],
        protocolError("bad cont")),
      Case(
        "a fragmented ping", [RawFrame(isFinal: false, opcode: 9)], protocolError("frag ctl")),
      // Here the library cuts the connection.
      Case("a ping of 126 bytes", [.ping(Array(repeating: 1, count: 126))], #"["end"]"#),
      Case(
        "a text without a mask", [RawFrame(opcode: 1, payload: [0x61], mask: nil)],
        protocolError("Client frames must be masked.")),
      Case(
        "a long binary without a mask",
        [RawFrame(opcode: 2, payload: Array(repeating: 9, count: 300), mask: nil)],
        protocolError("Client frames must be masked.")),
      Case(
        "a text without a mask after one with",
        [.text("a"), RawFrame(opcode: 1, payload: [0x61], mask: nil)],
        protocolError("Client frames must be masked.")),
      Case(
        "half a close code", [RawFrame(opcode: 8, payload: [3])],
        protocolError("The close frame has half a code.")
      ),
    ]
    + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { opcode in
      Case(
        "the reserved opcode \(opcode)", [RawFrame(opcode: opcode)], protocolError("bad opc"))
    }
    + [1, 2, 4, 7].map { (bits: UInt8) in
      Case(
        "the reserved bits \(bits)", [RawFrame(reserved: bits, opcode: 1, payload: [0x61])],
        protocolError("rsv bits"))
    }

  static let texts: [Case] = {
    let bad: [(String, [UInt8])] = [
      ("a lone continuation byte", [0x80]), ("a byte that never occurs", [0xff]),
      ("an overlong slash", [0xc0, 0xaf]), ("half of a surrogate pair", [0xed, 0xa0, 0x80]),
      ("beyond the last character", [0xf4, 0x90, 0x80, 0x80]), ("a cut character", [0xe2, 0x82]),
    ]
    return bad.map { name, bytes in
      Case(name, [.text([0x61] + bytes)], "1007")
    } + [
      Case(
        "a cut character at the end of fragments",
        [.text([0xe2], isFinal: false), .more([0x82])], "1007")
    ]
  }()

  static let closes =
    [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].map {
      Case("close with \($0)", [.close($0, "so")], #"[["close",\#($0),"so"],"end"]"#)
    }
    + [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999].map {
      Case("close with \($0), which must not be sent", [.close($0)], #"[["close",1002,""],"end"]"#)
    }
    + [
      Case("close without a code", [RawFrame(opcode: 8)], #"[["close"],"end"]"#),
      Case(
        "a text after close", [.close(1000), .text("a")], #"[["close",1000,""],"end"]"#),
    ]

  static let sizes = [
    Case(
      "a frame that is too long", [.binary(Array(repeating: 1, count: 1_001))],
      #"[["close",1009,"The message exceeds the limit of 1000 bytes."],"end"]"#),
    Case(
      "a frame that only announces that it is too long",
      [RawFrame(opcode: 2, payload: [1], length: 1 << 40)],
      #"[["close",1009,"The message exceeds the limit of 1000 bytes."],"end"]"#),
    Case(
      "fragments that together are too long",
      [
        .binary(Array(repeating: 1, count: 600), isFinal: false),
        .more(Array(repeating: 1, count: 401)),
      ],
      #"[["close",1009,"The message exceeds the limit of 1000 bytes."],"end"]"#),
  ]

  private func answers(to table: [Case]) async throws -> [(Case, String)] {
    var options = SessionOptions()
    options.maxMessageBytes = 1_000
    let server = ProbeServer(SessionProbe(isEcho: true), options: options)
    return try await World.with(server) { world in
      let questions: [[String: Any]] = table.map { row in
        let all = row.frames.map(\.hex).joined()
        let chunks =
          row.isSlow
          ? stride(from: 0, to: all.count, by: 2).map { String(all.dropFirst($0).prefix(2)) }
          : [all]
        return [
          "port": world.listener.port, "chunks": chunks, "wanted": row.wanted,
          "hangUp": row.frames.contains { $0.length != nil },
        ]
      }
      let found = try await Asked.all("websocket_frames.py", questions).map { try Asked.text($0) }
      return Array(zip(table, found))
    }
  }

  @Test("a message is echoed unchanged, whatever its frames are")
  func messages() async throws {
    for (row, found) in try await answers(to: Self.messages) {
      #expect(found == row.answer, "\(row.testDescription)")
    }
  }

  @Test("a peer that breaks the protocol is closed with 1002")
  func violations() async throws {
    for (row, found) in try await answers(to: Self.violations) {
      #expect(found == row.answer, "\(row.testDescription)")
    }
  }

  @Test("text that is not UTF-8 ends the session with 1007")
  func texts() async throws {
    for (row, found) in try await answers(to: Self.texts) {
      #expect(found.hasPrefix(#"[["close",1007,"#), "\(row.testDescription): \(found)")
    }
  }

  @Test("a close frame is answered with its code, or with 1002 if that must not be sent")
  func closes() async throws {
    for (row, found) in try await answers(to: Self.closes) {
      #expect(found == row.answer, "\(row.testDescription)")
    }
  }

  @Test("a message that is too long ends the session with 1009")
  func sizes() async throws {
    for (row, found) in try await answers(to: Self.sizes) {
      #expect(found == row.answer, "\(row.testDescription)")
    }
  }
}
