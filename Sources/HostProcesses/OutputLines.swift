/// Splits the error output of a process into lines, and truncates long ones.
struct OutputLines {
  /// The maximum bytes of a line that are kept.
  static let limit = 1_000

  private var bytes: [UInt8] = []
  private var isCut = false

  /// Appends bytes, and returns the lines they complete, without empty ones.
  mutating func append(_ new: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in new {
      if byte == UInt8(ascii: "\n") {
        if let line = removeRest() { lines.append(line) }
      } else if bytes.count < Self.limit {
        bytes.append(byte)
      } else {
        isCut = true
      }
    }
    return lines
  }

  /// Removes and returns the last line, which has no line feed; `nil` if it is empty.
  mutating func removeRest() -> String? {
    defer { (bytes, isCut) = ([], false) }
    guard !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self) + (isCut ? "…" : "")
  }
}
