package import JSONCore
package import Timelines

/// A version of the protocol: `1.0`.
///
/// The minor number grows with keys and types that the other end may ignore, the major one with
/// changes that it may not.
package struct ProtocolVersion: Hashable, Sendable, MessageValue, CustomStringConvertible {
  /// Increases with incompatible changes.
  package var major: Int64
  /// Grows with additions.
  package var minor: Int64

  package init(major: Int64, minor: Int64) {
    self.major = major
    self.minor = minor
  }

  /// The version that this build speaks.
  package static let current = ProtocolVersion(major: 1, minor: 0)

  package init(reading slice: JSONSlice) throws(MessageError) {
    guard let text = slice.string else { throw .wrongType("a string", slice) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Self.number(parts[0]), let minor = Self.number(parts[1])
    else { throw MessageError(.wrongValue("a version is written 1.0")) }
    self.init(major: major, minor: minor)
    if major > Self.current.major { throw MessageError(.newerVersion(self)) }
  }

  private static func number(_ text: Substring) -> Int64? {
    guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ $0 &- 0x30 <= 9 }) else {
      return nil
    }
    return Int64(text)
  }

  package func write(to writer: inout JSONText) {
    writer.string(description)
  }

  package var description: String { "\(major).\(minor)" }
}
