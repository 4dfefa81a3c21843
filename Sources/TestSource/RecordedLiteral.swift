import JSONCore

/// Recorded values as source: small ones as literals, others as a JSON string.
enum RecordedLiteral {
  /// Longer literals are hard to read and slow to compile.
  private static let largestLiteral = 400

  /// The source of a `RecordedValue`.
  static func layout(_ json: JSON) -> SwiftLayout {
    if json.encoded().count <= largestLiteral, let literal = literal(json) { return literal }
    return .call(".json", [.init(nil, text(json))])
  }

  /// The value as literals; `nil` if a number would change.
  private static func literal(_ json: JSON) -> SwiftLayout? {
    switch json {
    case .null: return .text("nil")
    case .bool(let bool): return .text(bool ? "true" : "false")
    case .number(let number): return self.number(number).map(SwiftLayout.text)
    case .string(let string): return .text(SwiftLiteral.string(string))
    case .array(let elements):
      var parts: [SwiftLayout] = []
      for element in elements {
        guard let part = literal(element) else { return nil }
        parts.append(part)
      }
      return .list(parts)
    case .object(let object):
      var members: [(key: String, value: SwiftLayout)] = []
      for (key, value) in object {
        guard let part = literal(value) else { return nil }
        members.append((SwiftLiteral.string(key), part))
      }
      return .dictionary(members)
    }
  }

  /// A number as a literal; `nil` if Swift would read another number.
  private static func number(_ number: JSON.Number) -> String? {
    let text = number.text
    let isInteger = !text.utf8.contains { Array(".eE".utf8).contains($0) }
    if isInteger { return number.int != nil && text != "-0" ? text : nil }
    guard let double = Double(text), double.isFinite, JSON.Number(double) == number else {
      return nil
    }
    return text
  }

  /// The JSON in a raw string, on several lines if it is long.
  static func text(_ json: JSON) -> SwiftLayout {
    var writer = JSONSource()
    writer.write(json)
    let lines = writer.lines
    let signs = String(repeating: "#", count: 1 + writer.longestSigns)
    if lines.count == 1 { return .text("\(signs)\"\(lines[0])\"\(signs)") }
    return .lines(open: "\(signs)\"\"\"", lines, close: "\"\"\"\(signs)")
  }
}

/// JSON in ASCII, with line breaks where it is long. Strings stay whole, so that they can be found.
struct JSONSource {
  /// Leaves room for the code before it in a test.
  private static let width = 80

  private(set) var lines = [""]
  /// The longest run of `#` after a quote or a backslash; the raw string's delimiter needs more.
  private(set) var longestSigns = 0

  mutating func write(_ json: JSON, indent: Int = 0, after: Int = 0) {
    if let flat = flat(json, room: Self.width - indent - after) {
      add(flat)
      return
    }
    let pad = String(repeating: " ", count: 2 * (indent / 2 + 1))
    switch json {
    case .array(let elements):
      add("[")
      for (index, element) in elements.enumerated() {
        lines.append(pad)
        write(element, indent: pad.utf8.count, after: 1)
        if index < elements.count - 1 { add(",") }
      }
      lines.append(String(pad.dropLast(2)) + "]")
    case .object(let object):
      add("{")
      var left = object.count
      for (key, value) in object {
        lines.append(pad)
        add(string(key) + ": ")
        write(value, indent: pad.utf8.count, after: key.utf8.count + 5)
        left -= 1
        if left > 0 { add(",") }
      }
      lines.append(String(pad.dropLast(2)) + "}")
    default: add(scalar(json))
    }
  }

  private mutating func add(_ text: String) {
    lines[lines.count - 1] += text
    var run = -1
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
      case UInt8(ascii: "#") where run >= 0: run += 1
      default: run = -1
      }
      longestSigns = max(longestSigns, run)
    }
  }

  /// The JSON on one line; `nil` if it does not fit.
  private func flat(_ json: JSON, room: Int) -> String? {
    var parts: [String] = []
    var left = room - 2
    func append(_ text: String) -> Bool {
      left -= text.utf8.count + 2
      parts.append(text)
      return left >= -2
    }
    switch json {
    case .array(let elements):
      for element in elements {
        guard let text = flat(element, room: left), append(text) else { return nil }
      }
      return "[" + parts.joined(separator: ", ") + "]"
    case .object(let object):
      for (key, value) in object {
        guard let text = flat(value, room: left), append("\(string(key)): \(text)") else {
          return nil
        }
      }
      return "{" + parts.joined(separator: ", ") + "}"
    default:
      let text = scalar(json)
      return text.utf8.count <= max(room, 20) ? text : nil
    }
  }

  private func scalar(_ json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): number.text
    case .string(let text): string(text)
    case .array, .object: ""
    }
  }

  /// Everything beyond printable ASCII is escaped, as in Swift's literals.
  private func string(_ text: String) -> String {
    var source = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: source += "\\\""
      case 0x5C: source += "\\\\"
      case 0x0A: source += "\\n"
      case 0x0D: source += "\\r"
      case 0x09: source += "\\t"
      case 0x20...0x7E: source.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        source += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return source + "\""
  }
}
