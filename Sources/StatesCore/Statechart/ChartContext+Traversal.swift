/// How a chart gets from one state to another.
///
/// Every loop reads `position` again after each hook, because a hook may have moved the chart.
extension ChartContext {
  /// Enters the root, and follows its hooks.
  func start() {
    position = ChartTree<ChartHandler<Value>>.root
    trail = [current]
    depth += 1
    enter(position)
    depth -= 1
    travelOn()
  }

  /// Runs the handler of the nearest state that has one for the message.
  func deliver(_ message: ChartMessage) {
    let found = engine.tree.handler(
      of: message.name, at: position, bubbles: engine.options.bubbles)
    guard let found, let reaction = engine.tree.nodes[found].reactions[message.name] else { return }
    input.report.handler = engine.tree.nodes[found].path
    if trail.isEmpty { trail = [current] }
    run(reaction.action, of: found, because: .message(message.name))
  }

  /// Makes one transition.
  func travel(to target: Int) {
    let name = engine.tree.nodes[target].name
    transitions += 1
    trail.append(name)
    guard transitions <= engine.options.transitionLimit else {
      return fail(.tooManyTransitions(limit: engine.options.transitionLimit, trail: trail))
    }
    guard depth <= ChartOptions.nestingLimit else {
      return fail(.tooManyTransitions(limit: ChartOptions.nestingLimit, trail: trail))
    }
    let from = path
    depth += 1
    traverse(to: target)
    depth -= 1
    if failure == nil {
      input.report.moves.append(ChartMove(from: from, target: name, to: path))
    }
  }

  /// Makes the queued transitions, unless one is running.
  func travelOn() {
    guard depth == 0 else { return }
    var next = 0
    while next < pending.count {
      travel(to: pending[next])
      next += 1
    }
    pending = []
  }

  /// Exits up to the lowest common ancestor, and enters down to the target.
  ///
  /// It ends when the target has been entered, even if the target's hooks went elsewhere then.
  private func traverse(to target: Int) {
    while failure == nil, position != target {
      guard let child = engine.tree.step(from: position, toward: target) else {
        exit(position)
        continue
      }
      enter(child)
      if child == target { return }
    }
  }

  private func enter(_ state: Int) {
    let node = engine.tree.nodes[state]
    position = state
    input.report.visits.append(ChartVisit(.entered, node.name))
    for action in node.enter { run(action, of: state, because: .enter) }
  }

  private func exit(_ state: Int) {
    let node = engine.tree.nodes[state]
    position = node.parent ?? state
    input.report.visits.append(ChartVisit(.exited, node.name))
    for action in node.exit { run(action, of: state, because: .exit) }
  }

  private func run(
    _ action: ChartAction<ChartHandler<Value>>, of state: Int, because trigger: ChartTrigger
  ) {
    let outer = owner
    owner = (state, trigger)
    switch action {
    case .goTo(let target): goTo(target)
    case .run(let handler, _): handler(self)
    }
    owner = outer
  }
}
