internal import Timelines

/// The text with control, bidirectional, and invisible characters escaped, except line breaks and tabs.
///
/// Test runners pass messages as C strings: a recorded zero byte would end the message, and remove
/// the line break before the next one.
func printable(_ text: String) -> String { escaping(text) { $0 == "\n" || $0 == "\t" } }

/// The text with line breaks and tabs escaped, too, for use within a line.
func printableLine(_ text: String) -> String { escaping(text) { _ in false } }

private func escaping(_ text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
  guard text.unicodeScalars.contains(where: { PlainText.isHostile($0) && !isKept($0) }) else {
    return text
  }
  var result = ""
  for scalar in text.unicodeScalars {
    if PlainText.isHostile(scalar), !isKept(scalar) {
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
