/// What a state consists of: handlers, hooks and states below it.
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

/// Part of a chart with a value of this type: what a function returns that makes some of its states.
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
/// `if`, `switch` and `for` can be used in it.
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
  /// Takes a handler.
  public static func buildExpression(_ part: On<Value, Handler>) -> ChartContent<Value, Handler> {
    ChartContent([.message(part.message, part.reaction)])
  }

  /// Takes an enter hook.
  public static func buildExpression(
    _ part: OnEnter<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    ChartContent([.enter(part.action)])
  }

  /// Takes an exit hook.
  public static func buildExpression(
    _ part: OnExit<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    ChartContent([.exit(part.action)])
  }

  /// Takes a state.
  public static func buildExpression(
    _ part: ChartState<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    ChartContent([.state(part)])
  }

  /// Takes content that was made elsewhere.
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

  /// Joins what a loop made.
  public static func buildArray(
    _ parts: [ChartContent<Value, Handler>]
  ) -> ChartContent<Value, Handler> {
    ChartContent(parts.flatMap(\.parts))
  }

  /// Takes what a condition may have made.
  public static func buildOptional(
    _ part: ChartContent<Value, Handler>?
  ) -> ChartContent<Value, Handler> {
    part ?? ChartContent([])
  }

  /// Takes one branch.
  public static func buildEither(
    first part: ChartContent<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    part
  }

  /// Takes the other branch.
  public static func buildEither(
    second part: ChartContent<Value, Handler>
  ) -> ChartContent<Value, Handler> {
    part
  }
}
