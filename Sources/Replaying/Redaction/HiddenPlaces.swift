import JSONCore

/// The places of hidden values in a state, for checking quickly whether a change affects them.
struct HiddenPlaces: Sendable {
  private struct Node: Sendable {
    var isHidden = false
    var children: [String: Node] = [:]
    /// The greatest key of the children that may be an index.
    var lastIndex = -1
  }

  private var root = Node()

  init() {}

  init(_ pointers: some Sequence<Pointer>, below prefix: Pointer) {
    for pointer in pointers {
      Self.insert(pointer.tokens[prefix.tokens.count...], in: &root)
    }
  }

  private static func insert(_ tokens: ArraySlice<String>, in node: inout Node) {
    guard let token = tokens.first else {
      node.isHidden = true
      return
    }
    if let index = Pointer.index(token) { node.lastIndex = max(node.lastIndex, index) }
    insert(tokens.dropFirst(), in: &node.children[token, default: Node()])
  }

  /// Whether an operation may change or move hidden values.
  func areTouched(by operation: Patch.Operation) -> Bool {
    var node = root
    if node.isHidden { return true }
    for token in operation.path.tokens.dropLast() {
      guard let child = node.children[token] else { return false }
      if child.isHidden { return true }
      node = child
    }
    // The whole state.
    guard let last = operation.path.tokens.last else { return true }
    if node.children[last] != nil { return true }
    switch operation {
    case .replace, .test: return false
    case .add, .remove, .move, .copy:
      // The elements after this one move.
      return Pointer.index(last).map { $0 <= node.lastIndex } ?? false
    }
  }
}
