public import JSONCore
public import StatesCore
import Timelines

/// How a dispatcher appears: its phase, its current state, and its waiting states, by names and
/// arguments. The events are its transitions and calls.
///
/// The error of a transition is in the event that ends it, because it came from outside, and a
/// replay cannot compute it.
///
/// ```swift
/// final class Lamp: Stateful {
///   private(set) lazy var state = Dispatcher(for: self)
///   static func on() -> State { state { _ in } }
/// }
/// let lamp = Lamp()
/// var writer = RunWriter(FunctionalAppearance<Lamp>(), of: lamp.state.kernel)
/// let first = try writer.begin(with: lamp.state.state, after: nil, t: 0)
/// assert(first.state != nil)
/// ```
public struct FunctionalAppearance<Subject: AnyObject>: MachineAppearance, Sendable {
  /// The state of a dispatcher.
  public typealias State = DispatcherState<FunctionalArguments>
  /// The inputs of a dispatcher.
  public typealias Input = DispatcherInput<Subject>

  /// Creates the appearance.
  public init() {}

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The recorded form of an input.
  public func event(_ input: Input, in context: EventContext) throws -> [UInt8] {
    guard let event = input.event else { return Array(#""nothing""#.utf8) }
    let encoder = CanonicalEncoder()
    let bytes = try encoder.encode(event)
    guard case .completed = event, let error = input.error else { return bytes }
    // Synthesized Codable ignores unknown keys.
    var json = try JSON(parsing: bytes)
    var body = json["completed"]?.object ?? JSON.Object()
    body["error"] = try JSON(parsing: encoder.encode(error))
    var object = JSON.Object()
    object["completed"] = .object(body)
    json = .object(object)
    return json.encoded()
  }
}

/// Runs a dispatcher again, without its object and without transitions.
///
/// ```swift
/// var model = FunctionalModel()
/// let event = try JSONSlice(
///   validating: Array(#"{"apply":{"name":"on()","updates":false}}"#.utf8))
/// _ = model.handle(try model.decode(event))
/// assert(model.state.target?.name == "on()")
/// ```
public struct FunctionalModel: MachineModel {
  /// A decoded event with its recorded error.
  public struct Event: Sendable {
    /// The event.
    public let event: DispatcherEvent<RecordedJSON>
    /// Its recorded error.
    public let error: DispatchError?
  }

  /// The current state.
  public private(set) var state = DispatcherState<RecordedJSON>()

  /// Creates a model of a dispatcher without applied states.
  public init() {}

  /// Sets the state of a dispatcher without applied states.
  public mutating func start() throws(ReplayError) {
    state = DispatcherState()
  }

  /// Decodes an event.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    let decoded: DispatcherEvent<RecordedJSON> = try decodeEvent(from: event)
    switch decoded {
    case .failed(let error): return Event(event: decoded, error: error)
    case .completed:
      guard let error = event["completed"]?["error"] else { break }
      return Event(event: decoded, error: try decodeEvent(from: error))
    case .apply, .began, .cleared, .reset: break
    }
    return Event(event: decoded, error: nil)
  }

  /// Performs an event again. An event without an effect is an error.
  public mutating func handle(_ event: Event) -> String? {
    guard let next = state.handling(event.event) else {
      return "This event has no effect: \(Self.sentence(event.event))"
    }
    state = next
    return event.error.map { "\($0)" }
  }

  private static func sentence(_ event: DispatcherEvent<RecordedJSON>) -> String {
    switch event {
    case .apply(let name, _, _): "\(name) is not accepted."
    case .began: "no state is waiting, or a transition is in progress."
    case .completed(let id, _): "no transition to application \(id) is in progress."
    case .cleared: "no state is waiting."
    case .reset: "there is no current state, or a transition is in progress."
    case .failed: "there is nothing to report."
    }
  }

  /// Sets a recorded state.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    self.state = try decodeState(from: state)
  }
}

extension Replay {
  /// Replays the dispatcher of a class, without running the object or its transitions.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in } }
  /// }
  /// let first = try Replay(functional: Lamp.self).makeReplayer().begin()
  /// assert(first.state != nil)
  /// ```
  public init<Object: Dispatching>(functional type: Object.Type) {
    let name = SchemaTypes.name(of: type)
    self.init(.functional, type: name, make: "\(name).self") { (redaction) throws(ReplayError) in
      ModelReplayer(FunctionalModel(), redaction: redaction)
    }
    redaction = RedactionRules(declaredBy: type)
  }
}
