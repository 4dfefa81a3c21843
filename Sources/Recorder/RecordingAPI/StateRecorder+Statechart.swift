public import Replaying
public import StatesCore
import Timelines

extension StateRecorder {
  /// Records a chart, and returns it.
  ///
  /// To support branches and replays, pass as `make` a type that makes a fresh chart.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Commute")
  /// let chart = try recorder.record(
  ///   Statechart { On("pushed", goTo: "open"); ChartState("open") }, as: "door")
  /// try chart.send("pushed")
  /// ```
  @inlinable
  @discardableResult
  public func record<Value: Encodable & Sendable>(
    _ chart: Statechart<Value>, as name: String, madeBy make: (any Replayable.Type)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) -> Statechart<Value> {
    guard let registration = register(chart, as: name, make, isolation: isolation) else {
      return chart
    }
    chart.kernel.tap = registration.makeTap { $0 }
    return chart
  }

  /// Records a chart whose value is not `Codable`, by reflection: you can inspect it, but not
  /// replay it.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func record<Value: Sendable>(
    _ chart: Statechart<Value>, as name: String, isolation: isolated (any Actor)? = #isolation
  ) -> Statechart<Value> {
    guard let registration = registerReflected(chart, as: name, isolation: isolation) else {
      return chart
    }
    chart.kernel.tap = registration.makeTap { $0 }
    return chart
  }

  @usableFromInline
  func register<Value: Encodable & Sendable>(
    _ chart: Statechart<Value>, as name: String, _ make: (any Replayable.Type)?,
    isolation: isolated (any Actor)?
  ) -> Registration<ChartPosition<Value>, ChartInput>? {
    guard let core, core.canRecord(chart.kernel) else { return nil }
    let facts = MachineFacts(
      kind: MachineKind.statechart.rawValue, type: make ?? Statechart<Value>.self,
      make: make.map(MachineFacts.makeExpression), chart: chart.outline)
    let registration = core.register(
      name, chart.kernel, StatechartAppearance<Value>(), facts, input: { $0 })
    core.makeControllable(chart, registration.machine, isolation: isolation)
    return registration
  }

  @usableFromInline
  func registerReflected<Value: Sendable>(
    _ chart: Statechart<Value>, as name: String, isolation: isolated (any Actor)?
  ) -> Registration<ChartPosition<Value>, ChartInput>? {
    guard let core, core.canRecord(chart.kernel) else { return nil }
    let facts = MachineFacts(
      kind: MachineKind.statechart.rawValue, type: Statechart<Value>.self, chart: chart.outline)
    let registration = core.register(
      name, chart.kernel, ReflectedChart<Value>(), facts, encoding: .reflected, input: { $0 })
    core.makeControllable(chart, registration.machine, isolation: isolation)
    return registration
  }
}

/// Encodes a chart whose value is not `Codable`: the value by reflection.
struct ReflectedChart<Value>: MachineAppearance, Sendable {
  typealias State = ChartPosition<Value>
  typealias Input = ChartInput

  private let words = StatechartAppearance<NoChartValue>()

  var outputKinds: [Header.Output] { words.outputKinds }

  func recorded(_ state: State) -> ChartPosition<Reflected<Value>> {
    ChartPosition(path: state.path, value: Reflected(state.value))
  }

  func outputs(of state: State, after input: ChartInput?) -> [RecordedOutput] {
    words.outputs(of: ChartPosition(path: state.path, value: NoChartValue()), after: input)
  }

  func event(_ input: ChartInput, in context: EventContext) throws -> [UInt8] {
    try words.event(input, in: context)
  }
}
