import JSONCore
import Timelines

/// Shows JSON on a terminal: laid out in lines, its strings as they would be typed, nothing that
/// could steer the terminal.
struct PrettyJSON {
  private var text = ""
  private let terminal: Terminal

  private init(_ terminal: Terminal) { self.terminal = terminal }

  static func lines(_ value: JSON, on terminal: Terminal) -> String {
    var writer = PrettyJSON(terminal)
    writer.write(value, indent: 0)
    return writer.text
  }

  /// The value on one line of at most `width` characters.
  static func line(_ value: JSON, width: Int) -> String {
    // Enough for any line; a state of 100 MB is not written out to be cut.
    var text = ""
    append(value, to: &text, limit: width)
    guard text.count > width else { return text }
    return text.prefix(max(0, width - 1)) + "…"
  }

  /// Two values that differ, each on one line of at most `width` characters: of long ones that begin
  /// alike, what is around the first difference.
  static func pair(_ old: JSON, _ new: JSON, width: Int) -> (old: String, new: String) {
    let whole = (line(old, width: pairWidth), line(new, width: pairWidth))
    let shared = zip(whole.0, whole.1).prefix { $0 == $1 }.count
    guard shared > width / 2, max(whole.0.count, whole.1.count) > width else {
      return (line(old, width: width), line(new, width: width))
    }
    let start = shared - width / 4
    let cut = { (text: String) in
      let rest = "…" + text.dropFirst(start)
      return rest.count > width ? rest.prefix(width - 1) + "…" : rest
    }
    return (cut(whole.0), cut(whole.1))
  }

  /// How far into two values a difference is looked for.
  private static let pairWidth = 1 << 16

  private mutating func write(_ value: JSON, indent: Int) {
    switch value {
    case .object(let members) where !members.isEmpty:
      text += "{\n"
      for (index, member) in members.enumerated() {
        pad(indent + 1)
        text += terminal.toned(Self.quoted(member.key), .name) + ": "
        write(member.value, indent: indent + 1)
        text += index == members.count - 1 ? "\n" : ",\n"
      }
      pad(indent)
      text += "}"
    case .array(let elements) where !elements.isEmpty:
      text += "[\n"
      for (index, element) in elements.enumerated() {
        pad(indent + 1)
        write(element, indent: indent + 1)
        text += index == elements.count - 1 ? "\n" : ",\n"
      }
      pad(indent)
      text += "]"
    case .string(let string):
      text += terminal.toned(Self.quoted(string), .good)
    case .number, .bool, .null:
      text += terminal.toned(value.description, .careful)
    case .object, .array:
      text += value.description
    }
  }

  private mutating func pad(_ indent: Int) { text += String(repeating: "  ", count: indent) }

  private static func append(_ value: JSON, to text: inout String, limit: Int) {
    guard text.utf8.count <= 4 * limit else { return }
    switch value {
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        guard text.utf8.count <= 4 * limit else { return }
        text += (index > 0 ? "," : "") + quoted(member.key) + ":"
        append(member.value, to: &text, limit: limit)
      }
      text += "}"
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        guard text.utf8.count <= 4 * limit else { return }
        if index > 0 { text += "," }
        append(element, to: &text, limit: limit)
      }
      text += "]"
    case .string(let string):
      text += quoted(string.cut(toScalars: limit + 1))
    case .number, .bool, .null:
      text += value.description
    }
  }

  /// A JSON string whose dangerous characters are JSON escapes, so that it stays JSON.
  static func quoted(_ string: String) -> String {
    var text = ""
    for scalar in JSON.string(string).description.unicodeScalars {
      if PlainText.isHostile(scalar) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
