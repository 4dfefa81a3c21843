import JSONCore

/// A search for a leaf that passes a test, depth first.
package struct LeafSearch {
  private let test: Predicate.LeafTest

  /// Whether the search met a stand-in whose value may pass.
  private(set) var mayBeHidden = false

  package init(_ test: Predicate.LeafTest) {
    self.test = test
  }

  /// Whether a value without stand-ins has a leaf that passes.
  package static func finds(_ test: Predicate.LeafTest, in view: JSONView) -> Bool {
    var search = LeafSearch(test)
    return search.first(in: view, hiding: []) != nil
  }

  /// The tokens that lead to the first leaf that passes, the last one first.
  ///
  /// - Parameter hidden: the tokens that lead to stand-ins.
  mutating func first(in view: JSONView, hiding hidden: [ArraySlice<String>]) -> [String]? {
    if hidden.contains(where: \.isEmpty) {
      if test.mayPass(as: view.kind) { mayBeHidden = true }
      return nil
    }
    switch view.kind {
    case .null, .bool, .number, .string: return test.passes(view) ? [] : nil
    case .object:
      for (key, value) in view.members {
        if let found = first(in: value, below: key, hiding: hidden) { return found }
      }
    case .array:
      for (index, element) in view.elements.enumerated() {
        if let found = first(in: element, below: String(index), hiding: hidden) { return found }
      }
    }
    return nil
  }

  private mutating func first(
    in view: JSONView, below token: String, hiding hidden: [ArraySlice<String>]
  ) -> [String]? {
    // Most entries hide nothing, and searches ask millions of them.
    let inside =
      hidden.isEmpty
      ? []
      : hidden.filter { $0.first?.hasSameBytes(as: token) ?? false }.map { $0.dropFirst() }
    guard var found = first(in: view, hiding: inside) else { return nil }
    found.append(token)
    return found
  }
}

extension PredicateEvaluation {
  /// Where a test finds a leaf.
  enum FoundLeaf {
    case at(Pointer)
    case nowhere
    case unknown
  }

  /// Whether a leaf of the event, the state, or the outputs passes.
  mutating func anywhere(_ test: Predicate.LeafTest) -> Answer {
    let inEvent = leafOfEvent(test)
    if case .at = inEvent { return .yes }
    let inValues: Answer
    if let known = moment.hasLeaf(passing: test) {
      inValues = known
    } else {
      switch leafOfValues(test) {
      case .at: return .yes
      case .nowhere: inValues = .no
      case .unknown: inValues = .unknown
      }
    }
    if case .unknown = inEvent, inValues == .no { return .unknown }
    return inValues
  }

  /// The path of the first leaf that passes.
  mutating func leaf(_ test: Predicate.LeafTest) -> Pointer? {
    if case .at(let place) = leafOfEvent(test) { return place }
    if case .at(let place) = leafOfValues(test) { return place }
    return nil
  }

  private func leafOfEvent(_ test: Predicate.LeafTest) -> FoundLeaf {
    guard let event = moment.entry["event"] else { return .nowhere }
    return leaf(test, in: [("event", .text(event))])
  }

  private mutating func leafOfValues(_ test: Predicate.LeafTest) -> FoundLeaf {
    switch values(.after) {
    case .unknown: .unknown
    case .none: .nowhere
    case .known(let state, let outputs): leaf(test, in: [("state", state), ("outputs", outputs)])
    }
  }

  private func leaf(_ test: Predicate.LeafTest, in roots: [(String, JSONView)]) -> FoundLeaf {
    let hidden = moment.hidden(.after)
    var search = LeafSearch(test)
    for (root, view) in roots {
      let inside = hidden.filter { $0.tokens.first == root }.map { $0.tokens.dropFirst() }
      if let found = search.first(in: view, hiding: inside) {
        return .at(Pointer(tokens: [root] + found.reversed()))
      }
    }
    return search.mayBeHidden ? .unknown : .nowhere
  }
}
