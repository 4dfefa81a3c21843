internal import JSONCore
internal import Predicates
internal import Timelines

/// A path that a predicate reads, as the query for changes spells it.
struct ReadPath: Hashable {
  /// The text in the predicate.
  let text: String
  /// Where the value is; `nil` for one that is not in the state or the outputs.
  let pointer: Pointer?
  /// Whether it is read before the entry.
  let isBefore: Bool

  init(_ path: Predicate.Path, in moment: Snapshot?) {
    text = path.description
    switch path.root {
    case .state: (pointer, isBefore) = (Self.pointer("state", path.steps, moment?.state), false)
    case .outputs:
      (pointer, isBefore) = (Self.pointer("outputs", path.steps, moment?.outputs), false)
    case .beforeState:
      (pointer, isBefore) = (Self.pointer("state", path.steps, moment?.state), true)
    case .beforeOutputs:
      (pointer, isBefore) = (Self.pointer("outputs", path.steps, moment?.outputs), true)
    case .event, .name, .seq, .t, .ns, .cause, .origin, .at, .error, .gap, .restored, .jump, .was,
      .redacted, .omitted, .keyframe, .thinned:
      (pointer, isBefore) = (nil, false)
    }
  }

  /// The path of a change in a patch.
  init(_ root: String, changed pointer: Pointer) {
    var tokens = [root] + pointer.tokens
    // An appended element has no index; it is the array that changed.
    if tokens.last == "-" { tokens.removeLast() }
    self.pointer = Pointer(tokens: tokens)
    text = Self.text(root, tokens.dropFirst())
    isBefore = false
  }

  /// The path as a predicate spells it.
  private static func text(_ root: String, _ tokens: ArraySlice<String>) -> String {
    guard let root = Predicate.Root(rawValue: root) else {
      return ([root] + tokens).joined(separator: ".")
    }
    let steps = tokens.map { token -> Predicate.Step in
      let isIndex = !token.isEmpty && token.utf8.allSatisfy { (0x30...0x39).contains($0) }
      return isIndex ? Int(token).map { .index($0) } ?? .key(token) : .key(token)
    }
    return Predicate.Path(root, steps).description
  }

  /// The pointer of steps; `count` of an array or a text is the array or the text.
  private static func pointer(
    _ root: String, _ steps: [Predicate.Step], _ value: JSON?
  ) -> Pointer {
    var tokens = [root]
    var value = value
    for step in steps {
      let token: String
      switch step {
      case .key(let key):
        if key == "count", value?.array != nil || value?.string != nil {
          return Pointer(tokens: tokens)
        }
        token = key
      case .index(let index): token = String(index)
      // What changes a list is what changes the values in it.
      case .each: return Pointer(tokens: tokens)
      }
      value = value?[Pointer(tokens: [token])]
      tokens.append(token)
    }
    return Pointer(tokens: tokens)
  }
}
