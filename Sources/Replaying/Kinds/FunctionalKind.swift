public import JSONCore
public import StatesCore
import Timelines

/// How a dispatcher appears: what it is doing, what is current and what waits, by names and
/// arguments; the events are what happened to it.
///
/// What went wrong with a transition stands in the event that ends it, because it came from the
/// world and no replay could find it.
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
  /// What a dispatcher is doing.
  public typealias State = DispatcherState<FunctionalArguments>
  /// What a dispatcher handles.
  public typealias Input = DispatcherInput<Subject>

  /// Makes the appearance.
  public init() {}

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// What happened.
  public func event(_ input: Input, in context: EventContext) throws -> [UInt8] {
    guard let event = input.event else { return Array(#""nothing""#.utf8) }
    let encoder = CanonicalEncoder()
    let bytes = try encoder.encode(event)
    guard case .completed = event, let error = input.error else { return bytes }
    // Synthesised Codable overlooks a key that it does not know.
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
  /// What happened, and what had gone wrong.
  public struct Event: Sendable {
    /// What happened.
    public let event: DispatcherEvent<RecordedJSON>
    /// What had gone wrong with it.
    public let error: DispatchError?
  }

  /// The state as it is now.
  public private(set) var state = DispatcherState<RecordedJSON>()

  /// A dispatcher to which nothing was applied.
  public init() {}

  /// Takes the state of a dispatcher to which nothing was applied.
  public mutating func start() throws(ReplayError) {
    state = DispatcherState()
  }

  /// Reads what happened.
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

  /// Lets it happen again; what comes to nothing here is an error.
  public mutating func handle(_ event: Event) -> String? {
    guard let next = state.handling(event.event) else {
      return "This comes to nothing: \(Self.sentence(event.event))"
    }
    state = next
    return event.error.map { "\($0)" }
  }

  private static func sentence(_ event: DispatcherEvent<RecordedJSON>) -> String {
    switch event {
    case .apply(let name, _, _): "\(name) is not taken."
    case .began: "no state waits for its turn, or a transition is under way."
    case .completed(let id, _): "no transition to application \(id) is under way."
    case .cleared: "nothing waits."
    case .reset: "no state is current, or a transition is under way."
    case .failed: "there is nothing to report."
    }
  }

  /// Takes a state as given.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    self.state = try decodeState(from: state)
  }
}

extension Replay {
  /// The dispatcher of a class: known by itself, because neither the object nor a transition runs.
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
