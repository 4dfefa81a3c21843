extension ChartTree {
  /// Throws if the declaration has problems; the error lists all of them.
  func validate(_ checks: ChartChecks, bubbles: Bool) throws(ChartError) {
    // Two children with the same name have the same path, and a handler that never runs is a
    // mistake.
    var problems = repeatedHandlers
    problems += checks.contains(.duplicateNames) ? duplicateNames : repeatedChildren
    if checks.contains(.danglingTargets) { problems += danglingTargets }
    if checks.contains(.unreachableStates) { problems += unreachableStates(bubbles: bubbles) }
    guard problems.isEmpty else { throw .invalid(problems) }
  }

  private var duplicateNames: [ChartProblem] {
    let places = Dictionary(grouping: nodes, by: \.name).mapValues { $0.map(\.path) }
    return nodes.enumerated().compactMap { position, node in
      guard index[node.name] == position, let paths = places[node.name], paths.count > 1 else {
        return nil
      }
      return .duplicateName(node.name, paths: paths)
    }
  }

  private var danglingTargets: [ChartProblem] {
    declaredEdges.filter { index[$0.to] == nil }
      .map { .danglingTarget($0.to, trigger: $0.trigger, path: $0.from) }
  }

  /// The states that no sequence of messages can enter.
  private func unreachableStates(bubbles: Bool) -> [ChartProblem] {
    var entered: Set<Int> = [Self.root]
    var waiting = [Self.root]
    var seen: Set<Int> = [Self.root]

    /// Follows an action; returns false if it may go anywhere.
    func follow(_ action: ChartAction<Handler>) -> Bool {
      guard let targets = action.targets else { return false }
      for target in targets.compactMap({ index[$0] }) where seen.insert(target).inserted {
        waiting.append(target)
      }
      return true
    }

    var mayGoAnywhere = false
    while !mayGoAnywhere, let current = waiting.popLast() {
      let lineage = nodes[current].lineage
      entered.formUnion(lineage)
      let messages = Set(lineage.flatMap { nodes[$0].messages })
      let reactions = messages.compactMap { message in
        handler(of: message, at: current, bubbles: bubbles).flatMap {
          nodes[$0].reactions[message]?.action
        }
      }
      let hooks = lineage.flatMap { position in
        // The root is never exited.
        nodes[position].enter + (position == Self.root ? [] : nodes[position].exit)
      }
      mayGoAnywhere = !(reactions + hooks).allSatisfy(follow)
    }
    if mayGoAnywhere { entered.formUnion(index.values.flatMap { nodes[$0].lineage }) }
    return nodes.indices.filter { !entered.contains($0) }
      .map { .unreachableState(path: nodes[$0].path) }
  }
}
