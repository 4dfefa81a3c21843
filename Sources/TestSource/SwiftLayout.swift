/// A piece of Swift source that knows how it is laid out: on one line where it fits, else broken as
/// `swift format` accepts it.
indirect enum SwiftLayout {
  /// Source that is never broken.
  case text(String)
  /// A string literal over several lines: how it begins, its lines, how it ends.
  case lines(open: String, [String], close: String)
  /// Something called with arguments: `name(label: value)`.
  case call(String, [Argument])
  /// An array.
  case list([SwiftLayout])
  /// A dictionary; the keys are source.
  case dictionary([(key: String, value: SwiftLayout)])
  /// Calls on what a call returned; their names begin with a dot.
  case chain(SwiftLayout, [SwiftLayout])
  /// Words before something: `try `, `let coin = `.
  case prefixed(String, SwiftLayout)
  /// Source that stands in a comment.
  case comment(SwiftLayout)

  /// What a call is given.
  struct Argument {
    var label: String?
    var value: SwiftLayout

    init(_ label: String? = nil, _ value: SwiftLayout) {
      self.label = label
      self.value = value
    }

    fileprivate var head: String { label.map { $0 + ": " } ?? "" }
  }

  /// Unless it is told otherwise, `swift format` breaks lines at 100 columns, and in some places one
  /// or two before.
  private static let width = 97

  /// All on one line; `nil` where that cannot be.
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
      // Whatever comes, it does not fit; long literals need not be put together to know it.
      if text.utf8.count > 2 * width { return nil }
    }
    return text
  }

  /// The source, for a line that is indented by so much.
  ///
  /// - Parameters:
  ///   - before: How many characters stand before it on its first line.
  ///   - after: How many come after it on its last one.
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
      // All but the first begin with the indentation, or are empty.
      let bare = lines.prefix(1) + lines.dropFirst().map { $0.dropFirst(indent) }
      return bare.map { $0.isEmpty ? "//" : "// " + $0 }
        .joined(separator: "\n" + Self.pad(indent))
    }
  }

  /// Each call on a line of its own. Where one takes several lines and another follows, its
  /// parenthesis stands alone; after the first one what follows is as far in as that is.
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

  /// Several elements end with a comma each, one alone with none.
  private static func bracketed(_ parts: [String], _ indent: Int) -> String {
    let comma = parts.count > 1 ? "," : ""
    return "[\n" + parts.joined(separator: ",\n") + comma + "\n" + pad(indent) + "]"
  }

  private static func pad(_ count: Int) -> String { String(repeating: " ", count: count) }
}
