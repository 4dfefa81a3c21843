/// A state of a ``Statechart``: its handlers, its hooks, and its child states.
///
/// ```swift
/// let chart = try Statechart {
///   OnEnter(goTo: "loading")
///   On("apiResponded", goTo: "list")
///   ChartState("loading")
///   ChartState("regular") {
///     ChartState("list")
///   }
/// }
/// try chart.send("apiResponded")
/// assert(chart.path == ["root", "regular", "list"])
/// ```
public struct ChartState<Value, Handler> {
  let name: String
  let content: ChartContent<Value, Handler>

  /// Makes a state without handlers, hooks, and child states.
  public init(_ name: String) {
    self.name = name
    content = ChartContent([])
  }

  /// Makes a state.
  public init(
    _ name: String,
    @ChartBuilder<Value, Handler> _ content: () -> ChartContent<Value, Handler>
  ) {
    self.name = name
    self.content = content()
  }

  init(_ name: String, content: ChartContent<Value, Handler>) {
    self.name = name
    self.content = content
  }
}
