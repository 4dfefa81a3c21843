import JSONCore
package import Wire

/// Messages of a host that are meant as answers and are not valid ones.
///
/// Other code in the process may write to the same stream, so a line counts as an answer only if it
/// says so itself; the same holds for the frames of a recorder, which also sends entries.
package enum HostMistake {
  private static let answers = ["reduced", "confirmed"]

  /// How far into a line that is not JSON its type is looked for.
  private static let startLength = 200

  /// The sentence for a line that cannot be read; `nil` for a line that is not meant as an answer.
  package static func sentence(for line: [UInt8], _ error: MessageError) -> String? {
    guard line.first == UInt8(ascii: "{") else { return nil }
    if let outline = try? JSONOutline(validating: line, elementsOf: "entries") {
      guard let type = outline["type"]?.string, answers.contains(type) || outline["re"] != nil
      else { return nil }
    } else {
      let start = String(decoding: line.prefix(startLength), as: UTF8.self)
      guard answers.contains(where: { start.contains("\"\($0)\"") }) else { return nil }
    }
    return sentence(error)
  }

  /// The sentence for an answer that is not valid.
  package static func sentence(_ error: MessageError, of peer: String = "host") -> String {
    """
    The \(peer)'s answer is not valid. \(error.reply.message) To fix, have it answer with a message \
    as the protocol describes it.
    """
  }
}
