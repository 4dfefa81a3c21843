package import JSONCore

extension JSONSlice {
  /// The value without line breaks, so that it can become part of a line. Most have none.
  package var onOneLine: JSONSlice {
    guard let first = firstLineBreak else { return self }
    // A string has no raw line break, so these are only between values.
    var text = Array(bytes)
    for index in first..<text.count where text[index] == 0x0A || text[index] == 0x0D {
      text[index] = UInt8(ascii: " ")
    }
    // The value was within its reader's limits.
    let limits = JSONLimits(depth: .max, bytes: .max, numberBytes: .max)
    return (try? JSONSlice(validating: text, limits: limits)) ?? self
  }
}
