/// The engine of a chart: its states and how they run, shared by all its operations.
final class ChartEngine<Value> {
  let tree: ChartTree<ChartHandler<Value>>
  let options: ChartOptions
  /// Whether `perform` blocks run.
  var performsEffects: Bool
  /// Whether messages that closures send are sent.
  var sendsMessages = true

  /// The actor on which the outermost sender runs, when it is known.
  var sender: (any Actor)?
  /// The current operation.
  private(set) weak var operation: ChartContext<Value>?
  private(set) var lastReport = ChartReport()
  /// The edges that were followed, in the order in which they were first seen.
  private(set) var observed: [ChartEdge] = []
  private var known: Set<EdgeKey> = []

  /// An edge by positions, which are faster to compare than paths.
  private struct EdgeKey: Hashable {
    let from: Int
    let to: Int
    let trigger: ChartTrigger
  }

  /// The position after the last step, which saves a lookup of the path.
  private var last = (path: [String](), position: 0)

  init(tree: ChartTree<ChartHandler<Value>>, options: ChartOptions) {
    self.tree = tree
    self.options = options
    performsEffects = options.performsEffects
  }

  /// Handles an input; returns nil if it has no effect.
  func handle(
    _ input: ChartInput, in kernel: Kernel<ChartPosition<Value>, ChartInput>
  ) -> ChartPosition<Value>? {
    let found = position(at: kernel.state.path)
    if input.message == nil, found != nil { return nil }
    let context = ChartContext(
      input, at: found ?? ChartTree<ChartHandler<Value>>.root, engine: self, kernel: kernel)
    operation = context
    if input.chained > options.transitionLimit {
      // Messages that closures send to the chart count too; otherwise a cycle would never end.
      context.fail(.tooManyTransitions(limit: options.transitionLimit, trail: [context.current]))
    }
    if found == nil { context.start() }
    if let message = input.message, context.failure == nil { context.deliver(message) }
    context.isOpen = false
    operation = nil
    kernel.handling = context.input
    lastReport = context.input.report
    last = (context.path, context.position)
    return ChartPosition(path: last.path, value: context.value)
  }

  /// Records that an edge was followed.
  func observe(from: Int, to: Int, trigger: ChartTrigger) {
    guard known.insert(EdgeKey(from: from, to: to, trigger: trigger)).inserted else { return }
    observed.append(
      ChartEdge(from: tree.nodes[from].path, to: tree.nodes[to].name, trigger: trigger))
  }

  private func position(at path: [String]) -> Int? {
    // Arrays that share their storage compare as equal immediately.
    path == last.path && !path.isEmpty ? last.position : tree.position(at: path)
  }
}
