public import JSONCore
public import StatesCore
public import Timelines

/// How a `Statechart` appears.
///
/// - The state is the active path and the chart's value.
/// - A message is `{"failed":{"_0":"no network"}}`, or `{"failed":{}}` without a payload. A message
///   from the chart's own closures also has `chained`, which counts toward the limit of transitions.
///   A start after entry 0 is `"start"`. If the handler did not accept the payload, its type is in
///   `refused`.
/// - The outputs describe the last message: `visits` are the states that were exited and entered, in
///   order; `handler` is the path of the state that handled it; `effects` are the requested effects.
///
/// ```swift
/// let appearance = StatechartAppearance<NoChartValue>()
/// assert(appearance.outputKinds.map(\.name) == ["visits", "handler", "effects"])
/// ```
public struct StatechartAppearance<Value: Encodable>: MachineAppearance, Sendable {
  /// The position of a chart.
  public typealias State = ChartPosition<Value>
  /// The inputs of a chart.
  public typealias Input = ChartInput

  /// Creates the appearance.
  public init() {}

  /// The outputs that describe the last message.
  public var outputKinds: [Header.Output] { ChartOutputs.kinds }

  /// The position itself.
  public func recorded(_ state: State) -> State { state }

  /// The outputs that describe the message; empty after a restored state.
  public func outputs(of state: State, after input: ChartInput?) -> [RecordedOutput] {
    input.map(ChartOutputs.values) ?? []
  }

  /// The message.
  public func event(_ input: ChartInput, in context: EventContext) throws -> [UInt8] {
    try ChartOutputs.event(input, context.error)
  }
}

/// Encodes the outputs and messages of charts.
enum ChartOutputs {
  static let start = "start"

  static let kinds = [
    Header.Output("visits", kind: OutputUse.navigation.rawValue),
    Header.Output("handler", kind: OutputUse.data.rawValue),
    Header.Output("effects", kind: OutputUse.data.rawValue),
  ]

  static func values(_ input: ChartInput) -> [RecordedOutput] {
    var outputs: [RecordedOutput] = []
    let visits = input.report.visits
    if !visits.isEmpty {
      outputs.append(RecordedOutput("visits", visits.map { [$0.kind.rawValue: $0.state] }))
    }
    if let handler = input.report.handler {
      outputs.append(RecordedOutput("handler", handler))
    }
    if !input.effects.isEmpty {
      outputs.append(RecordedOutput("effects", input.effects.map { Effect(value: $0) }))
    }
    return outputs
  }

  static func event(_ input: ChartInput, _ error: (any Error)?) throws -> [UInt8] {
    guard let message = input.message else { return JSON.string(start).encoded() }
    var body: [String] = []
    if let payload = message.payload {
      body.append(#""_0":"# + String(decoding: try encode(payload), as: UTF8.self))
    }
    if case .payloadMismatch(_, _, _, let found?)? = error as? ChartError {
      // In JSON, a refused payload may look like an accepted one: 2 is an integer and a double.
      body.append(#""refused":"# + String(decoding: JSON.string(found).encoded(), as: UTF8.self))
    }
    if input.chained > 0 { body.append(#""chained":\#(input.chained)"#) }
    let name = String(decoding: JSON.string(message.name).encoded(), as: UTF8.self)
    return Array("{\(name):{\(body.joined(separator: ","))}}".utf8)
  }

  private static func encode<Payload: Encodable>(_ payload: Payload) throws -> [UInt8] {
    try CanonicalEncoder().encode(payload)
  }
}

/// A requested effect, under the name of its type.
private struct Effect: Encodable {
  let value: any Sendable

  func encode(to encoder: any Encoder) throws {
    if let value = value as? any Encodable {
      try value.encodeWhole(to: encoder)
    } else {
      try Reflected<Any>(value).encode(to: encoder)
    }
  }
}

/// Runs a chart's handlers and hooks again, without effects.
///
/// Ignores messages from the chart's closures, because they have their own recorded entries.
///
/// ```swift
/// let definition = ChartDefinition<Int> { On("added", Int.self) { $0.value += $1 } }
/// var model = try Statechart(0, definition).makeModel()
/// try model.start()
/// let event = try JSONSlice(validating: Array(#"{"added":{"_0":2}}"#.utf8))
/// _ = model.handle(try model.decode(event))
/// assert(model.state.value == 2)
/// ```
public struct StatechartModel<Value: Codable>: MachineModel {
  private let chart: Statechart<Value>
  private let first: Value
  private var last: ChartInput?

  /// A message or the start, and the number of transitions and messages that led to it.
  public struct Event: Sendable {
    /// The message; `nil` for the start.
    public let message: ChartMessage?
    /// The number of transitions and messages of the chart's closures that led to it.
    public let chained: Int
  }

  /// Creates a model from a new chart, which must have no other user.
  public init(_ chart: Statechart<Value>) throws(ReplayError) {
    guard chart.replayability == .anywhere else {
      throw ReplayError(.notReplayable(why: chart.replayability.sentence))
    }
    self.chart = chart
    first = chart.value
  }

  /// The current position.
  public var state: ChartPosition<Value> { chart.state }

  /// The outputs that describe the last message.
  public var outputs: [RecordedOutput] { last.map(ChartOutputs.values) ?? [] }

  /// The outputs that describe the last message.
  public var outputKinds: [Header.Output] { ChartOutputs.kinds }

  /// False, because the outputs describe a message.
  public static var outputsFollowFromState: Bool { false }

  /// Enters the root.
  public mutating func start() throws(ReplayError) {
    chart.restore(ChartPosition(path: [], value: first))
    _ = handle(Event(message: nil, chained: 0))
  }

  /// Decodes a message with the payload type of the state that handles it now.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    let (message, chained) = try chart.message(from: event)
    return Event(message: message, chained: chained)
  }

  /// Handles a message again.
  public mutating func handle(_ event: Event) -> String? {
    let (input, error) = chart.replay(event.message, chained: event.chained)
    last = input
    return error.map { "\($0)" }
  }

  /// Sets a recorded position.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    chart.restore(try decodeState(from: state))
    last = nil
  }
}

extension Statechart: ReplayableMachine where Value: Codable {
  /// The kind of charts.
  public static var kind: MachineKind { .statechart }

  /// Creates a model that runs the chart itself, which must have no other user. Throws if the chart's
  /// closures belong to an actor or are not Sendable.
  public func makeModel() throws(ReplayError) -> StatechartModel<Value> {
    try StatechartModel(self)
  }
}

extension Statechart {
  /// Decodes a message with the payload type of the state that handles it now.
  ///
  /// The message is `nil` for the start of a chart.
  package func message(
    from event: JSONSlice
  ) throws(ReplayError) -> (message: ChartMessage?, chained: Int) {
    if event.string == ChartOutputs.start { return (nil, 0) }
    guard let name = FormWords.onlyKey(of: event), let body = event[name], body.kind == .object
    else {
      throw ReplayError(
        .undecodableEvent(
          name: Entry.name(of: event), why: "a message is an object with one key, its name"))
    }
    // More than any chart allows; the limit prevents an overflow in later counting.
    let chained = min(max(0, body["chained"]?.int ?? 0), Int64(Int32.max))
    return (try decodeMessage(name, body), Int(chained))
  }

  private func decodeMessage(
    _ name: String, _ body: JSONSlice
  ) throws(ReplayError) -> ChartMessage {
    guard let payload = body["_0"] else { return ChartMessage(name) }
    var types = payloadTypes(of: name)
    if let refused = body["refused"]?.string {
      types += [Int.self, Double.self, String.self, Bool.self]
      types = types.filter { "\($0)" == refused }
    } else if let type = payloadType(of: name) {
      return ChartMessage(name, try decodePayload(type, payload, of: name))
    }
    // No active state handles it, so use the type of another state's handler.
    for type in types {
      if let value = try? decodePayload(type, payload, of: name) {
        return ChartMessage(name, value)
      }
    }
    return ChartMessage(name, RecordedJSON(payload.value))
  }

  private func decodePayload<Payload: Codable & Sendable>(
    _ type: Payload.Type, _ payload: JSONSlice, of name: String
  ) throws(ReplayError) -> Payload {
    do {
      return try CanonicalDecoder().decode(type, from: payload)
    } catch {
      throw ReplayError(.undecodableEvent(name: name, why: sentence(error)))
    }
  }
}
