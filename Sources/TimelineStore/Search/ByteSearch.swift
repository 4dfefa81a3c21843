/// Looks for one text in many (Horspool): steps over as many bytes as the text has where the byte
/// under its end does not occur in it.
struct ByteSearch: Sendable {
  private let text: [UInt8]
  private let steps: [Int]

  /// A search for a text, which is not empty.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    var steps = [Int](repeating: bytes.count, count: 256)
    for (index, byte) in bytes.dropLast().enumerated() { steps[Int(byte)] = bytes.count - 1 - index }
    self.text = bytes
    self.steps = steps
  }

  /// Whether the text stands somewhere in these bytes.
  func finds(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var end = text.count - 1
    while end < bytes.count {
      let start = end + 1 - text.count
      if bytes[end] == text[text.count - 1], bytes.has(text, at: start..<end + 1) { return true }
      end += steps[Int(bytes[end])]
    }
    return false
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a line among these may list redacted values, however it spells that.
  var mayHide: Bool {
    HiddenSigns.redacted.finds(in: self) || HiddenSigns.escape.finds(in: self)
  }
}

/// What tells that a line may list redacted values: the key, or an escape that may spell it.
private enum HiddenSigns {
  static let redacted = ByteSearch("\"redacted\"")
  static let escape = ByteSearch("\\u")
}
