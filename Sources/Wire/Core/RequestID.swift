package import JSONCore
package import Timelines

/// Connects a reply with its request: an integer or a short string that the requester chooses.
package enum RequestID: Hashable, Sendable, MessageValue {
  /// An integer from 0 to 2^53 - 1.
  case number(Int64)
  /// A string of 1 to 64 bytes.
  case text(String)

  package init(reading slice: JSONSlice) throws(MessageError) {
    if let text = slice.string {
      guard (1...64).contains(text.utf8.count) else {
        throw MessageError(.wrongValue("an id has 1 to 64 bytes"))
      }
      self = .text(text)
    } else if slice.kind == .number {
      self = .number(try Int64(reading: slice))
    } else {
      throw .wrongType("a whole number or a string", slice)
    }
  }

  package func write(to writer: inout JSONText) {
    switch self {
    case .number(let number): number.write(to: &writer)
    case .text(let text): text.write(to: &writer)
    }
  }
}
