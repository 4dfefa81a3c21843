public import JSONCore
public import StatesCore
public import Timelines

/// How a `Statechart` appears.
///
/// - The state is the active path and the chart's value.
/// - A message is `{"failed":{"_0":"no network"}}`, without a payload `{"failed":{}}`. What the
///   chart's own closures sent also has `chained`, which counts against the cap of transitions. A
///   start that is not entry 0 is `"start"`. A payload that the handler did not take has its type
///   beside it, as `refused`.
/// - The outputs are what the last message did: `visits`, the states that were exited and entered, in
///   order; `handler`, the path of the state that handled it; `effects`, those asked for as values.
///
/// ```swift
/// let appearance = StatechartAppearance<NoChartValue>()
/// assert(appearance.outputKinds.map(\.name) == ["visits", "handler", "effects"])
/// ```
public struct StatechartAppearance<Value: Encodable>: MachineAppearance, Sendable {
  /// Where a chart stands.
  public typealias State = ChartPosition<Value>
  /// What a chart handles.
  public typealias Input = ChartInput

  /// Makes the appearance.
  public init() {}

  /// What the last message did.
  public var outputKinds: [Header.Output] { ChartOutputs.kinds }

  /// The position itself.
  public func recorded(_ state: State) -> State { state }

  /// What the message did; nothing after a restored state.
  public func outputs(of state: State, after input: ChartInput?) -> [RecordedOutput] {
    input.map(ChartOutputs.values) ?? []
  }

  /// The message.
  public func event(_ input: ChartInput, in context: EventContext) throws -> [UInt8] {
    try ChartOutputs.event(input, context.error)
  }
}

/// How the words of a chart's entries are written.
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
      // As JSON, what was refused may look like what is taken: 2 is an integer and a double.
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

/// An effect that was asked for: under the name of its type.
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

/// Runs a chart again: handlers and hooks, but no effects.
///
/// What closures send is not handled here: the recording has it as entries of its own.
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

  /// A message, or the start, and how many transitions and messages led to it.
  public struct Event: Sendable {
    /// The message; nil for the start.
    public let message: ChartMessage?
    /// How many transitions and messages of the chart's own closures led to it.
    public let chained: Int
  }

  /// Runs a fresh chart, that nobody else uses.
  public init(_ chart: Statechart<Value>) throws(ReplayError) {
    guard chart.replayability == .anywhere else {
      throw ReplayError(.notReplayable(why: chart.replayability.sentence))
    }
    self.chart = chart
    first = chart.value
  }

  /// The position as it is now.
  public var state: ChartPosition<Value> { chart.state }

  /// What the last message did.
  public var outputs: [RecordedOutput] { last.map(ChartOutputs.values) ?? [] }

  /// What the last message did.
  public var outputKinds: [Header.Output] { ChartOutputs.kinds }

  /// They tell what a message did.
  public static var outputsFollowFromState: Bool { false }

  /// Enters the root.
  public mutating func start() throws(ReplayError) {
    chart.restore(ChartPosition(path: [], value: first))
    _ = handle(Event(message: nil, chained: 0))
  }

  /// Reads a message; the payload becomes what the state that handles it now takes.
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

  /// Takes a position as given.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    chart.restore(try decodeState(from: state))
    last = nil
  }
}

extension Statechart: ReplayableMachine where Value: Codable {
  /// A chart.
  public static var kind: MachineKind { .statechart }

  /// Runs the chart itself, which nobody else may use then; a chart whose closures belong to an
  /// actor, or are plain ones, says why it can not be.
  public func makeModel() throws(ReplayError) -> StatechartModel<Value> {
    try StatechartModel(self)
  }
}

extension Statechart {
  /// Reads a message; the payload becomes what the state that handles it now takes.
  ///
  /// Nil stands for the start of a chart.
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
    // More than any chart allows is still too much, and can be counted on from.
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
    // Nobody takes it where the chart stands; another state may, and tells the type.
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
