/// A piece of Swift source with its layout: on one line if it fits, otherwise broken the way
/// `swift format` breaks it.
indirect enum SwiftLayout {
  /// Source that is never broken.
  case text(String)
  /// A multiline string literal: its delimiters and lines.
  case lines(open: String, [String], close: String)
  /// A call with arguments: `name(label: value)`.
  case call(String, [Argument])
  /// An array.
  case list([SwiftLayout])
  /// A dictionary; the keys are source.
  case dictionary([(key: String, value: SwiftLayout)])
  /// Calls on the result of a call; their names begin with a dot.
  case chain(SwiftLayout, [SwiftLayout])
  /// Source with a prefix such as `try ` or `let coin = `.
  case prefixed(String, SwiftLayout)
  /// Source in a comment.
  case comment(SwiftLayout)

  struct Argument {
    var label: String?
    var value: SwiftLayout

    init(_ label: String? = nil, _ value: SwiftLayout) {
      self.label = label
      self.value = value
    }

    fileprivate var head: String { label.map { $0 + ": " } ?? "" }
  }

  /// By default, `swift format` breaks lines at 100 columns, and in some places one or two earlier.
  private static let width = 97

  /// The source on one line; `nil` if it needs several.
  var flat: String? {
    switch self {
    case .text(let text): return text
    case .lines: return nil
    case .call(let name, let arguments):
      return Self.joined(arguments) { $0.value.flat.map { [head = $0.head] in head + $0 } }
        .map { "\(name)(\($0))" }
    case .list(let elements):
      return Self.joined(elements) { $0.flat }.map { "[\($0)]" }
    case .dictionary(let members):
      if members.isEmpty { return "[:]" }
      return Self.joined(members) { member in member.value.flat.map { "\(member.key): \($0)" } }
        .map { "[\($0)]" }
    case .chain(let first, let calls):
      guard var text = first.flat else { return nil }
      for call in calls {
        guard let flat = call.flat else { return nil }
        text += flat
      }
      return text
    case .prefixed(let words, let rest): return rest.flat.map { words + $0 }
    case .comment(let rest): return rest.flat.map { "// " + $0 }
    }
  }

  private static func joined<Part>(
    _ parts: [Part], _ flat: (Part) -> String?
  ) -> String? {
    var text = ""
    for (index, part) in parts.enumerated() {
      guard let one = flat(part) else { return nil }
      if index > 0 { text += ", " }
      text += one
      // It no longer fits, so do not build the rest of a long literal.
      if text.utf8.count > 2 * width { return nil }
    }
    return text
  }

  /// The source for a line with this indentation.
  ///
  /// - Parameters:
  ///   - before: The number of characters before it on its first line.
  ///   - after: The number of characters after it on its last line.
  func source(indent: Int, before: Int = 0, after: Int = 0) -> String {
    if let flat, indent + before + flat.utf8.count + after <= Self.width { return flat }
    return broken(indent, before, after)
  }

  private func broken(_ indent: Int, _ before: Int, _ after: Int) -> String {
    let inner = indent + 2
    let pad = Self.pad(inner)
    switch self {
    case .text(let text): return text
    case .lines(let open, let lines, let close):
      let own = Self.pad(indent)
      let body = lines.map { $0.isEmpty ? "" : own + $0 }
      return ([open] + body + [own + close]).joined(separator: "\n")
    case .call(let name, let arguments):
      if arguments.isEmpty { return name + "()" }
      let parts = arguments.map { argument in
        let head = argument.head
        return pad + head + argument.value.source(indent: inner, before: head.utf8.count, after: 2)
      }
      return "\(name)(\n" + parts.joined(separator: ",\n") + ")"
    case .list(let elements):
      let parts = elements.map { pad + $0.source(indent: inner, after: 1) }
      return Self.bracketed(parts, indent)
    case .dictionary(let members):
      return Self.bracketed(members.map { pad + Self.member($0, inner) }, indent)
    case .chain(let first, let calls):
      return Self.chained(first.source(indent: indent, before: before), calls, indent, after)
    case .prefixed(let words, let rest):
      return words + rest.source(indent: indent, before: before + words.utf8.count, after: after)
    case .comment(let rest):
      let lines = rest.source(indent: indent, before: 3).split(
        separator: "\n", omittingEmptySubsequences: false)
      // All lines but the first begin with the indentation, or are empty.
      let bare = lines.prefix(1) + lines.dropFirst().map { $0.dropFirst(indent) }
      return bare.map { $0.isEmpty ? "//" : "// " + $0 }
        .joined(separator: "\n" + Self.pad(indent))
    }
  }

  /// Puts each call on its own line. If a call takes several lines and another follows, its closing
  /// parenthesis gets its own line. If the first call takes several lines, the rest is not indented.
  private static func chained(
    _ first: String, _ calls: [SwiftLayout], _ indent: Int, _ after: Int
  ) -> String {
    func closed(_ source: String, _ indent: Int) -> String {
      guard source.contains("\n"), source.hasSuffix(")") else { return source }
      return source.dropLast() + "\n" + pad(indent) + ")"
    }
    let inner = first.contains("\n") ? indent : indent + 2
    var text = closed(first, indent)
    for (index, call) in calls.enumerated() {
      let source = call.source(indent: inner, after: after)
      text += "\n" + pad(inner) + (index < calls.count - 1 ? closed(source, inner) : source)
    }
    return text
  }

  private static func member(_ member: (key: String, value: SwiftLayout), _ indent: Int) -> String {
    let head = member.key + ": "
    if case .text(let text) = member.value,
      indent + head.utf8.count + text.utf8.count + 1 > width
    {
      return "\(member.key):\n" + pad(indent + 2) + text
    }
    return head + member.value.source(indent: indent, before: head.utf8.count, after: 1)
  }

  /// Elements end with a comma each, except a single one.
  private static func bracketed(_ parts: [String], _ indent: Int) -> String {
    let comma = parts.count > 1 ? "," : ""
    return "[\n" + parts.joined(separator: ",\n") + comma + "\n" + pad(indent) + "]"
  }

  private static func pad(_ count: Int) -> String { String(repeating: " ", count: count) }
}
