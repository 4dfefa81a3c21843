import Foundation
import Synchronization

/// Cuts bytes into the messages of the Debug Adapter Protocol: headers, an empty line, and as many
/// bytes as the headers say.
struct DAPFraming {
  /// Editors send small messages; a longer one is a mistake.
  static let maximumBytes = 4 << 20
  private static let maximumHeaderBytes = 4096
  private static let headerEnd = Array("\r\n\r\n".utf8)

  private var bytes: [UInt8] = []

  /// The messages that new bytes complete.
  struct Part {
    var messages: [[UInt8]] = []
    /// Whether what follows the messages cannot be understood, so that the stream has ended.
    var isUnreadable = false
  }

  /// Whether a message has begun and not ended.
  var isWithinMessage: Bool { !bytes.isEmpty }

  /// The messages that end in these bytes.
  mutating func messages(adding more: [UInt8]) -> Part {
    bytes += more
    var part = Part()
    while let end = bytes.firstRange(of: Self.headerEnd) {
      guard let length = Self.length(in: bytes[..<end.lowerBound]) else {
        part.isUnreadable = true
        return part
      }
      guard bytes.count - end.upperBound >= length else { return part }
      part.messages.append(Array(bytes[end.upperBound..<end.upperBound + length]))
      bytes.removeFirst(end.upperBound + length)
    }
    part.isUnreadable = bytes.count > Self.maximumHeaderBytes
    return part
  }

  /// A message with its headers.
  static func frame(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
  }

  private static func length(in headers: ArraySlice<UInt8>) -> Int? {
    guard headers.count <= maximumHeaderBytes else { return nil }
    for line in String(decoding: headers, as: UTF8.self).split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].drop { $0 == " " }
      guard let length = Int(digits), 0...maximumBytes ~= length else { return nil }
      return length
    }
    return nil
  }
}

/// The messages on standard input.
final class InputMessages: Sendable {
  private struct State {
    var framing = DAPFraming()
    var part = DAPFraming.Part()
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let input = StandardInput()

  /// The next message; `nil` at the end.
  ///
  /// - Throws: ``CommandError`` where the stream cannot be understood.
  func next() async throws -> [UInt8]? {
    while true {
      let (message, isUnreadable, hasEnded) = state.withLock { state in
        let messages = state.part.messages
        let message = messages.isEmpty ? nil : state.part.messages.removeFirst()
        return (message, state.part.isUnreadable, state.hasEnded)
      }
      if let message { return message }
      if isUnreadable {
        throw CommandError(
          """
          Standard input has something other than messages of the Debug Adapter Protocol, so the \
          session has ended.
          """)
      }
      if hasEnded {
        guard !state.withLock({ $0.framing.isWithinMessage }) else {
          throw CommandError(
            "Standard input ended within a message of the Debug Adapter Protocol, so the session has ended."
          )
        }
        return nil
      }
      let bytes = try await input.next()
      state.withLock { state in
        state.hasEnded = bytes.isEmpty
        state.part = state.framing.messages(adding: bytes)
      }
    }
  }
}
