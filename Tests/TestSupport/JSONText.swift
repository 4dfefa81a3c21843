public import JSONCore

extension JSON {
  /// The value as text, from simple code that shares nothing with the writer under test.
  public var plainText: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): number.text
    case .string(let string): Self.quote(string)
    case .array(let array): "[" + array.map(\.plainText).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.map { Self.quote($0.key) + ":" + $0.value.plainText }.joined(separator: ",")
        + "}"
    }
  }

  private static func quote(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
