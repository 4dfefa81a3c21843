import JSONCore
import Timelines

/// What a path leads to.
struct FoundValue {
  /// The value; `nil` when nothing is there, which counts as `null`.
  var view: JSONView?

  /// The paths inside the value, as tokens from there, that stand-ins replace.
  var hidden: [ArraySlice<String>] = []
}

extension PredicateEvaluation {
  /// The value of an operand; `nil` when it is unknown.
  ///
  /// - Parameter besideText: whether a bare `event` stands for its name here.
  mutating func value(of operand: Predicate.Operand, besideText: Bool) -> FoundValue? {
    switch operand {
    case .literal(let literal): FoundValue(view: .tree(literal.json))
    case .sum(let paths): sum(paths)
    case .path(let path):
      if besideText, path.root == .event, path.steps.isEmpty {
        value(at: Predicate.Path(.name))
      } else {
        value(at: path)
      }
    }
  }

  /// The value at a path; `nil` when it is unknown.
  mutating func value(at path: Predicate.Path) -> FoundValue? {
    if let place = path.steps.firstIndex(of: .each) { return values(at: path, each: place) }
    let pointers = moment.hidden(path.root.side ?? .after)
    guard let hidden = Self.hidden(pointers, below: path) else { return nil }
    guard let root = rootValue(path.root) else { return nil }
    var view = root.view
    for step in path.steps {
      guard let here = view else { break }
      view = here.following(step)
    }
    return FoundValue(view: view, hidden: view == nil ? [] : hidden)
  }

  /// The values at a path with `[*]`, as a list; `nil` when one of them may be unknown.
  private mutating func values(at path: Predicate.Path, each place: Int) -> FoundValue? {
    guard let list = value(at: Predicate.Path(path.root, Array(path.steps[..<place]))),
      list.hidden.isEmpty
    else { return nil }
    guard let list = list.view, list.kind == .array else { return FoundValue() }
    var found = list.elements
    for step in path.steps[(place + 1)...] {
      found = step == .each ? found.flatMap(\.elements) : found.map { $0.following(step) ?? .null }
    }
    return FoundValue(view: .tree(.array(found.map(\.tree))))
  }

  /// The sum of numbers and of lists of numbers, in order; nothing when one of them is of another kind.
  private mutating func sum(_ paths: [Predicate.Path]) -> FoundValue? {
    var sum = 0.0
    for path in paths {
      guard let found = value(at: path), found.hidden.isEmpty else { return nil }
      let parts = found.view?.kind == .array ? found.view?.elements ?? [] : [found.view ?? .null]
      for part in parts {
        guard let number = part.number else { return FoundValue() }
        sum += number.double
      }
    }
    return FoundValue(view: JSON.Number(sum).map { .tree(.number($0)) })
  }

  /// Of the pointers the ones that lead to somewhere below the path, from there; `nil` when one
  /// leads to the path's own value, or to something that holds it.
  private static func hidden(
    _ pointers: [Pointer], below path: Predicate.Path
  ) -> [ArraySlice<String>]? {
    // Most entries hide nothing, and searches ask millions of them.
    if pointers.isEmpty { return [] }
    let tokens = path.tokens
    var below: [ArraySlice<String>] = []
    for pointer in pointers {
      if begins(tokens, with: pointer.tokens) { return nil }
      if path.root != .name, begins(pointer.tokens, with: tokens) {
        below.append(pointer.tokens.dropFirst(tokens.count))
      }
    }
    return below
  }

  /// The value that a path starts at; `nil` when it is unknown.
  private mutating func rootValue(_ root: Predicate.Root) -> FoundValue? {
    let entry = moment.entry
    switch root {
    case .name:
      return FoundValue(
        view: entry["event"].flatMap { Entry.name(of: $0) }.map { .tree(.string($0)) })
    case .state, .outputs, .beforeState, .beforeOutputs:
      switch values(root.side ?? .after) {
      case .unknown: return nil
      case .none: return FoundValue()
      case .known(let state, let outputs):
        return FoundValue(view: root == .state || root == .beforeState ? state : outputs)
      }
    case .keyframe: return FoundValue(view: .tree(.bool(entry["state"] != nil)))
    case .thinned:
      let captured = ["state", "outputState", "patch", "outputs"]
      return FoundValue(view: .tree(.bool(!captured.contains { entry[$0] != nil })))
    default: return FoundValue(view: entry[root.rawValue].map(JSONView.text))
    }
  }

  /// Whether the first tokens are these, byte by byte.
  static func begins(_ tokens: [String], with prefix: [String]) -> Bool {
    Pointer(tokens: prefix).isPrefix(of: Pointer(tokens: tokens))
  }
}

extension Predicate.Path {
  /// The path as a pointer into its side of a moment.
  ///
  /// `count` at the end names no place of its own: it changes when the array or string does.
  var tokens: [String] { root.tokens + steps.map(\.token) }
}

extension JSONView {
  static var null: JSONView { .tree(.null) }

  /// What one step leads to.
  func following(_ step: Predicate.Step) -> JSONView? {
    switch step {
    case .key(let key):
      if key == "count", let count { return .tree(.number(JSON.Number(Int64(count)))) }
      return self[key]
    case .index(let index): return kind == .object ? self[String(index)] : self[index]
    case .each: return nil
    }
  }
}
