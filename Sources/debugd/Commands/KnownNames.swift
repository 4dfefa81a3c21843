import JSONCore
import Predicates
import Timelines

/// The names that a recording has, to explain one that it does not have.
struct KnownNames: Equatable {
  /// The keys of the state, where it is an object.
  var state: [String] = []
  /// The names of the outputs.
  var outputs: [String] = []
  /// The names of the events, where all of them are known.
  var events: [String] = []

  /// The word that a predicate's error calls unknown; `nil` when the error is another one.
  static func unknownWord(in message: String) -> String? {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[0] == "no value is called " else { return nil }
    // The parser knows no recording: it offers the path that most states would have.
    return message.contains("did you mean 'state.\(parts[1])'?") ? String(parts[1]) : nil
  }

  /// Why a predicate has no value of that name, with the ones that may be meant.
  func explanation(of word: String) -> String {
    let names = Set(state + outputs + events).filter(Self.isPlain).sorted()
    let meant = names.contains(word) ? word : Suggestion.nearest(to: word, among: names)
    if let meant {
      var offers: [String] = []
      if state.contains(meant) { offers.append("'state.\(meant)'") }
      if outputs.contains(meant) { offers.append("'outputs.\(meant)'") }
      if events.contains(meant) { offers.append("'event == \"\(meant)\"'") }
      return "no value is called '\(word)'; did you mean \(offers.joined(separator: " or "))?"
    }
    let known = [("state", state), ("outputs", outputs)].compactMap { root, names in
      Self.list(names.filter(Self.isPlain).map { "\(root).\($0)" })
    }
    return known.isEmpty
      ? "no value is called '\(word)'; a path begins with state, outputs, or event"
      : "no value is called '\(word)'; there is \(known.joined(separator: ", "))"
  }

  /// Why a predicate has no value of that name. If it has other such words, the offer corrects all.
  func explanation(of word: String, in text: String) -> String {
    if let (whole, count) = corrected(text), count > 1 {
      return "no value is called '\(word)'; did you mean '\(whole)'?"
    }
    let explanation = explanation(of: word)
    // A word alone may be a text to look for.
    guard word == text, !explanation.hasSuffix("?") else { return explanation }
    return "\(explanation). To find a text, write: anywhere contains \"\(word)\""
  }

  /// A predicate whose words are replaced by the only paths that they can mean, and how many words
  /// these are; `nil` if it is not a predicate then.
  private func corrected(_ text: String) -> (text: String, words: Int)? {
    var text = text
    // Each round corrects one word, and a predicate has fewer.
    for count in 0..<Predicate.maxBytes {
      do {
        _ = try Predicate(text)
        return (text, count)
      } catch {
        guard let word = Self.unknownWord(in: error.message), let path = path(of: word),
          let start = text.utf8.index(
            text.startIndex, offsetBy: error.offset, limitedBy: text.endIndex),
          text[start...].hasPrefix(word)
        else { return nil }
        let end = text.index(start, offsetBy: word.count)
        text.replaceSubrange(start..<end, with: path)
      }
    }
    return nil
  }

  /// The path of the only value of that name.
  private func path(of word: String) -> String? {
    switch (state.contains(word), outputs.contains(word)) {
    case (true, false): "state.\(word)"
    case (false, true): "outputs.\(word)"
    case (true, true), (false, false): nil
    }
  }

  /// Some of the names; `nil` when there is none.
  static func list(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    return names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
  }

  /// Whether a predicate can have the name after a period.
  private static func isPlain(_ name: String) -> Bool {
    name.first.map { $0.isLetter || $0 == "_" } == true
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

/// A path that no entry of a recording has.
struct AbsentPath: Equatable {
  /// How paths are written.
  enum Form { case pointer, predicate }

  /// Its tokens, from `state` or `outputs` on.
  let tokens: [String]
  /// How many of the tokens lead somewhere.
  let known: Int
  /// The keys of the object that the known tokens lead to.
  let keys: [String]
  /// The same path below the other one of `state` and `outputs`, if that leads somewhere.
  var other: [String]?

  /// The path that was probably meant.
  var meant: [String]? {
    if let other { return other }
    return Suggestion.nearest(to: tokens[known], among: keys).map { near in
      tokens[..<known] + [near] + tokens[(known + 1)...]
    }
  }

  /// Whether there is something to say about it: what is below null or in an array may be there
  /// another time.
  var isExplained: Bool { meant != nil || !keys.isEmpty }

  func sentence(_ form: Form) -> String {
    let fact = "No entry has \(Self.text(tokens, form))"
    if let meant { return Escaped.text("\(fact); did you mean \(Self.text(meant, form))?") }
    guard let some = KnownNames.list(keys) else { return Escaped.text(fact + ".") }
    return Escaped.text("\(fact). \(Self.text(Array(tokens[..<known]), form)) has \(some).")
  }

  /// A path as the user writes it.
  static func text(_ tokens: [String], _ form: Form) -> String {
    switch form {
    case .pointer: Pointer(tokens: tokens).description
    case .predicate:
      tokens.dropFirst().reduce(tokens.first ?? "") { text, token in
        if Int(token) != nil { return text + "[\(token)]" }
        let isPlain = token.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isPlain ? "\(text).\(token)" : "\(text)[\"\(token)\"]"
      }
    }
  }
}

extension Predicate {
  /// What to say about a predicate that reads nothing; `nil` if it reads something, or says plainly
  /// that it holds always or never.
  var remarkOnConstant: String? {
    switch expression {
    case .value(.literal(.bool)): return nil
    case .value(.literal(.string)):
      return Escaped.text(
        "\(self) is a constant, which holds at every entry. To find a text, write: anywhere contains "
          + "\(self)")
    case .value, .compare, .contains, .includes, .matches, .anywhere, .changed, .not, .all, .any:
      guard expression.isConstant else { return nil }
      return Escaped.text(
        "\(self) reads nothing of the entries, so it has the same answer for all.")
    }
  }

  /// The value that a text names as a predicate does, such as `state.total` or `outputs.items[0]`; `nil`
  /// for another text, also for a path that leads to several values.
  static func pointer(_ text: String) -> Pointer? {
    guard !text.hasPrefix("/"), let predicate = try? Predicate(text),
      case .value(.path(let path)) = predicate.expression, !path.steps.isEmpty,
      [.state, .outputs, .event].contains(path.root), !path.steps.contains(.each)
    else { return nil }
    return Pointer(tokens: [path.root.rawValue] + tokens(path.steps))
  }

  /// The tokens of paths that end in `count`, which is the length of an array or a string, but in an
  /// object a member.
  var countPaths: [[String]] {
    paths.compactMap { path in
      guard path.steps.last == .key("count") else { return nil }
      return Self.tokens(path.root, path.steps)
    }
  }

  /// The tokens of all paths into states and outputs that it reads.
  var readPaths: [[String]] {
    var found: [[String]] = []
    for path in paths where !path.steps.isEmpty {
      var steps = path.steps
      // The length of an array or a string is not a member of it.
      if steps.last == .key("count") { steps.removeLast() }
      guard let tokens = Self.tokens(path.root, steps) else { continue }
      if tokens.count > 1, !found.contains(tokens) { found.append(tokens) }
    }
    return found
  }

  /// The tokens of a path into states or outputs; `nil` for another path.
  private static func tokens(_ root: Root, _ steps: [Step]) -> [String]? {
    let first: String
    switch root {
    case .state, .beforeState: first = "state"
    case .outputs, .beforeOutputs: first = "outputs"
    default: return nil
    }
    return [first] + tokens(steps)
  }

  private static func tokens(_ steps: [Step]) -> [String] {
    steps.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): String(index)
      case .each: "*"
      }
    }
  }
}

extension Predicate.Expression {
  /// Whether it reads nothing of a moment.
  fileprivate var isConstant: Bool {
    switch self {
    case .anywhere, .changed: false
    case .value, .compare, .contains, .includes, .matches: paths.isEmpty
    case .not(let inner): inner.isConstant
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isConstant)
    }
  }
}
