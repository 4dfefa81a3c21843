import JSONCore

extension JSONSlice {
  /// The value without line breaks, for it becomes part of a line; most have none and stay.
  var onOneLine: JSONSlice {
    guard let first = firstLineBreak else { return self }
    // A string has no raw line break, so that these are only between values.
    var text = Array(bytes)
    for index in first..<text.count where text[index] == 0x0A || text[index] == 0x0D {
      text[index] = UInt8(ascii: " ")
    }
    // It was within its reader's limits, whatever those were.
    let limits = JSONLimits(depth: .max, bytes: .max, numberBytes: .max)
    return (try? JSONSlice(validating: text, limits: limits)) ?? self
  }
}
