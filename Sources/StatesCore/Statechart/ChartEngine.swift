/// What runs a chart: its states and how they are run, shared by all its operations.
final class ChartEngine<Value> {
  let tree: ChartTree<ChartHandler<Value>>
  let options: ChartOptions
  /// Whether `perform` blocks run.
  var performsEffects: Bool
  /// Whether what closures send is sent.
  var sendsMessages = true

  /// The actor on which the outermost sender runs, when it is known.
  var sender: (any Actor)?
  /// The operation under way.
  private(set) weak var operation: ChartContext<Value>?
  /// What the last step did.
  private(set) var lastReport = ChartReport()
  /// The edges that were taken, in the order in which they were first seen.
  private(set) var observed: [ChartEdge] = []
  private var known: Set<EdgeKey> = []

  /// An edge by positions, which are quicker to compare than paths.
  private struct EdgeKey: Hashable {
    let from: Int
    let to: Int
    let trigger: ChartTrigger
  }

  /// Where the chart stood after its last step: it saves looking the path up.
  private var last = (path: [String](), position: 0)

  init(tree: ChartTree<ChartHandler<Value>>, options: ChartOptions) {
    self.tree = tree
    self.options = options
    performsEffects = options.performsEffects
  }

  /// Handles an input; nil when it comes to nothing.
  func handle(
    _ input: ChartInput, in kernel: Kernel<ChartPosition<Value>, ChartInput>
  ) -> ChartPosition<Value>? {
    let found = position(at: kernel.state.path)
    if input.message == nil, found != nil { return nil }
    let context = ChartContext(
      input, at: found ?? ChartTree<ChartHandler<Value>>.root, engine: self, kernel: kernel)
    operation = context
    if input.chained > options.transitionLimit {
      // Messages that closures send one another count too, or they would go on for ever.
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

  /// Remembers that an edge was taken.
  func observe(from: Int, to: Int, trigger: ChartTrigger) {
    guard known.insert(EdgeKey(from: from, to: to, trigger: trigger)).inserted else { return }
    observed.append(
      ChartEdge(from: tree.nodes[from].path, to: tree.nodes[to].name, trigger: trigger))
  }

  private func position(at path: [String]) -> Int? {
    // Equal arrays that share their storage are equal at once.
    path == last.path && !path.isEmpty ? last.position : tree.position(at: path)
  }
}
