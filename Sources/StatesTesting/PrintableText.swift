/// The text with escapes instead of control characters and of those that change its direction; line
/// breaks and tabs stay.
///
/// Test runners pass messages on as C strings: a recorded zero byte would end one, and swallow the
/// line break in front of the next.
func printable(_ text: String) -> String { escaping(text) { $0 == "\n" || $0 == "\t" } }

/// The same without line breaks: what is in the middle of a line.
func printableLine(_ text: String) -> String { escaping(text) { _ in false } }

private func escaping(_ text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
  guard text.unicodeScalars.contains(where: { isUnprintable($0) && !isKept($0) }) else {
    return text
  }
  var result = ""
  for scalar in text.unicodeScalars {
    if isUnprintable(scalar), !isKept(scalar) {
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0: true
  // Marks, embeddings, overrides, and isolates of direction; line and paragraph separators.
  case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}
