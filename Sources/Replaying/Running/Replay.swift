import Timelines

/// Describes how to make a machine and run it again.
///
/// This value is Sendable; the replayers that it makes are not.
///
/// ```swift
/// enum Book: Replayable {
///   static func make() -> StateForm<[String], Never> { StateForm(state: []) }
/// }
/// let replay = Replay(of: Book.self)
/// assert(replay.kind == .form && replay.make.hasSuffix("Book.make()"))
/// let first = try replay.makeReplayer().begin()
/// assert(first.state != nil)
/// ```
public struct Replay: Sendable {
  /// The kind of machine.
  public let kind: MachineKind
  /// The machine's type, with its module.
  public let type: String
  /// The Swift expression that makes a new machine; for a `Reducible` state, the type.
  public let make: String

  /// The redaction rules of the machine.
  public var redaction: RedactionRules = []

  private let factory: @Sendable (RedactionRules) throws(ReplayError) -> any Replayer

  /// Creates a description from its parts, for other kinds of machines.
  public init(
    _ kind: MachineKind, type: String, make: String,
    _ factory: @escaping @Sendable () throws(ReplayError) -> any Replayer
  ) {
    self.init(kind, type: type, make: make) { (_) throws(ReplayError) in try factory() }
  }

  /// Creates a description whose replayers redact computed values.
  init(
    _ kind: MachineKind, type: String, make: String,
    _ factory: @escaping @Sendable (RedactionRules) throws(ReplayError) -> any Replayer
  ) {
    self.kind = kind
    self.type = type
    self.make = make
    self.factory = factory
  }

  /// Creates a description of the machine that a type makes.
  public init<Source: Replayable>(of source: Source.Type) where Source.Replayed: ReplayableMachine {
    let name = SchemaTypes.name(of: source)
    self.init(Source.Replayed.kind, type: name, make: "\(name).make()") {
      (redaction) throws(ReplayError) in
      let machine: Source.Replayed
      do {
        machine = try Source.make()
      } catch {
        throw ReplayError(.notMade(type: name, why: "\(error)"))
      }
      return ModelReplayer(try machine.makeModel(), redaction: redaction)
    }
    redaction = RedactionRules(declaredBy: source)
  }

  /// Makes a replayer, without a state yet.
  public func makeReplayer() throws(ReplayError) -> any Replayer { try factory(redaction) }
}

/// A machine that can be run again from a recording.
///
/// `Machine`, `StateForm`, `Statechart`, and `FeedbackSystem` conform if their types are Codable.
///
/// ```swift
/// let model = try StateForm(state: [1, 2]).makeModel()
/// assert(model.state == [1, 2])
/// ```
public protocol ReplayableMachine {
  /// The model that runs it again.
  associatedtype Model: MachineModel

  /// The kind of machine.
  static var kind: MachineKind { get }

  /// Creates a model that starts with the machine's current state. Throws if that is impossible.
  func makeModel() throws(ReplayError) -> Model
}
