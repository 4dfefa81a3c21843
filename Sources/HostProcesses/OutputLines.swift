/// The beginnings of the lines that a process writes for people, however long the lines are.
struct OutputLines {
  /// How many bytes of a line are kept.
  static let limit = 1_000

  private var bytes: [UInt8] = []
  private var isCut = false

  /// Takes bytes, and returns the lines that they complete; empty lines are left out.
  mutating func append(_ new: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in new {
      if byte == UInt8(ascii: "\n") {
        if let line = takeRest() { lines.append(line) }
      } else if bytes.count < Self.limit {
        bytes.append(byte)
      } else {
        isCut = true
      }
    }
    return lines
  }

  /// What was written without a line feed; `nil` when there is nothing.
  mutating func takeRest() -> String? {
    defer { (bytes, isCut) = ([], false) }
    guard !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self) + (isCut ? "…" : "")
  }
}
