import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Timelines
@testable import Wire

/// The fixtures of `docs/protocol/messages`, one a message, which the page's tests read too.
enum MessageFixtures {
  static let folder = repositoryRoot.appending(path: "docs/protocol/messages")

  /// The names of all fixtures of text messages, such as `from-recorder.append`.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// The bytes of a fixture, without the line break at its end.
  static func bytes(_ name: String) throws -> [UInt8] {
    var bytes = Array(try Data(contentsOf: folder.appending(path: name + ".json")))
    while bytes.last == 0x0A { bytes.removeLast() }
    return bytes
  }

  /// Reads a message of the direction that the fixture's name begins with, and writes it again.
  static func rewritten(_ bytes: [UInt8], as name: String) throws(MessageError) -> [UInt8] {
    let limit = ProtocolLimits().recorderMessage
    return switch name.prefix(while: { $0 != "." }) {
    case "from-recorder":
      try Envelope<FromRecorder>(reading: bytes, maxMessage: limit).encoded()
    case "to-recorder": try Envelope<ToRecorder>(reading: bytes, maxMessage: limit).encoded()
    case "from-inspector":
      try Envelope<FromInspector>(reading: bytes, maxMessage: limit).encoded()
    default: try Envelope<ToInspector>(reading: bytes, maxMessage: limit).encoded()
    }
  }

  /// The types of all messages, by direction.
  static let types: [String: [String]] = [
    "from-recorder": FromRecorder.kinds.types, "to-recorder": ToRecorder.kinds.types,
    "from-inspector": FromInspector.kinds.types, "to-inspector": ToInspector.kinds.types,
  ]
}
