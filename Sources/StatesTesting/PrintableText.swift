/// The text with control characters and direction marks escaped, except line breaks and tabs.
///
/// Test runners pass messages as C strings: a recorded zero byte would end the message, and remove
/// the line break before the next one.
func printable(_ text: String) -> String { escaping(text) { $0 == "\n" || $0 == "\t" } }

/// The text with line breaks and tabs escaped, too, for use within a line.
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
  // Direction marks, embeddings, overrides, and isolates; line and paragraph separators.
  case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}
