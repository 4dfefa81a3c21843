extension String {
  /// Whether this text contains another one, byte for byte, in linear time.
  func holds(_ text: String) -> Bool {
    let needle = Array(text.utf8)
    guard !needle.isEmpty else { return true }
    // Knuth-Morris-Pratt: the lengths of the needle's prefixes that occur again inside it.
    var borders = [Int](repeating: 0, count: needle.count)
    var border = 0
    for index in needle.indices.dropFirst() {
      while border > 0, needle[index] != needle[border] { border = borders[border - 1] }
      if needle[index] == needle[border] { border += 1 }
      borders[index] = border
    }
    var matched = 0
    for byte in utf8 {
      while matched > 0, byte != needle[matched] { matched = borders[matched - 1] }
      if byte == needle[matched] { matched += 1 }
      if matched == needle.count { return true }
    }
    return false
  }
}
