/// The contents of a state: handlers, hooks, and child states.
///
/// Made by ``ChartBuilder``; ``On``, ``OnEnter``, ``OnExit`` and ``ChartState`` are its parts.
///
/// ```swift
/// let chart = try Statechart {
///   On("pushed", goTo: "open")
///   ChartState("open") { On("pulled", goTo: "root") }
/// }
/// assert(chart.outline.states.count == 2)
/// ```
public struct ChartContent<Value, Handler> {
  enum Part {
    case enter(ChartAction<Handler>)
    case exit(ChartAction<Handler>)
    case message(String, ChartReaction<Handler>)
    indirect case state(ChartState<Value, Handler>)
  }

  var parts: [Part]

  init(_ parts: [Part]) {
    self.parts = parts
  }
}

/// Part of a chart with a value of this type: the return type of a function that makes some of its
/// states.
///
/// ```swift
/// @ChartPartBuilder<NoChartValue>
/// func pages(_ count: Int) -> ChartPart<NoChartValue> {
///   for number in 0..<count { ChartState("page\(number)") }
/// }
/// let chart = try Statechart {
///   OnEnter { $0.goTo("page0") }
///   On("ended", goTo: "page2")
///   pages(3)
/// }
/// try chart.send("ended")
/// assert(chart.current == "page2")
/// ```
public typealias ChartPart<Value> = ChartContent<Value, ChartHandler<Value>>

/// Builds a ``ChartPart``.
public typealias ChartPartBuilder<Value> = ChartBuilder<Value, ChartHandler<Value>>

/// Builds the content of a state from the expressions in a closure.
///
/// The closure may use `if`, `switch`, and `for`.
///
/// ```swift
/// let pages = 3
/// let chart = try Statechart {
///   OnEnter { $0.goTo("page0") }
///   for number in 0..<pages {
///     ChartState("page\(number)") {
///       if number + 1 < pages { On("next", goTo: "page\(number + 1)") }
///     }
///   }
/// }
/// try chart.send("next")
/// assert(chart.current == "page1")
/// ```
@resultBuilder
public enum ChartBuilder<Value, Handler> {
  /// Adds a handler.
  public static func buildExpression(_ part: On<Value, Handler>) -> ChartContent<Value, Handler> {
    ChartContent([.message(part.message, part.reaction)])
  }

  /// Adds an enter hook.
  public static func buildExpression(
    _ part: OnEnter<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    ChartContent([.enter(part.action)])
  }

  /// Adds an exit hook.
  public static func buildExpression(
    _ part: OnExit<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    ChartContent([.exit(part.action)])
  }

  /// Adds a state.
  public static func buildExpression(
    _ part: ChartState<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    ChartContent([.state(part)])
  }

  /// Adds content that was made elsewhere.
  public static func buildExpression(
    _ part: ChartContent<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    part
  }

  /// Joins parts.
  public static func buildBlock(
    _ parts: ChartContent<Value, Handler>...
  ) -> ChartContent<Value, Handler> {
    ChartContent(parts.flatMap(\.parts))
  }

  /// Joins the results of a loop.
  public static func buildArray(
    _ parts: [ChartContent<Value, Handler>]
  ) -> ChartContent<Value, Handler> {
    ChartContent(parts.flatMap(\.parts))
  }

  /// Adds the result of an `if` without `else`.
  public static func buildOptional(
    _ part: ChartContent<Value, Handler>?
  ) -> ChartContent<Value, Handler> {
    part ?? ChartContent([])
  }

  /// Adds the result of the first branch.
  public static func buildEither(
    first part: ChartContent<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    part
  }

  /// Adds the result of the other branch.
  public static func buildEither(
    second part: ChartContent<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    part
  }
}
