import Timelines

/// How a machine is called in recordings, and how a fresh one is made and run again.
///
/// A value that goes anywhere; the replayers that it makes stay where they are made.
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
  /// The type that names it, with its module.
  public let type: String
  /// The Swift expression that makes a fresh one; for a `Reducible` state, that of the type.
  public let make: String

  /// What of the machine must not be seen.
  public var redaction: RedactionRules = []

  private let factory: @Sendable (RedactionRules) throws(ReplayError) -> any Replayer

  /// A recipe of these parts, for shapes that are not here.
  public init(
    _ kind: MachineKind, type: String, make: String,
    _ factory: @escaping @Sendable () throws(ReplayError) -> any Replayer
  ) {
    self.init(kind, type: type, make: make) { (_) throws(ReplayError) in try factory() }
  }

  /// A recipe whose replayers redact what they compute.
  init(
    _ kind: MachineKind, type: String, make: String,
    _ factory: @escaping @Sendable (RedactionRules) throws(ReplayError) -> any Replayer
  ) {
    self.kind = kind
    self.type = type
    self.make = make
    self.factory = factory
  }

  /// A machine that a type of its own makes.
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

/// A machine that can be run again from a recording, because its types are Codable.
///
/// `Machine`, `StateForm`, `Statechart` and `FeedbackSystem` are, where their types allow it.
///
/// ```swift
/// let model = try StateForm(state: [1, 2]).makeModel()
/// assert(model.state == [1, 2])
/// ```
public protocol ReplayableMachine {
  /// How it is run again.
  associatedtype Model: MachineModel

  /// The kind of machine.
  static var kind: MachineKind { get }

  /// What runs it again, beginning where this machine stands; or a sentence why that can not be.
  func makeModel() throws(ReplayError) -> Model
}
