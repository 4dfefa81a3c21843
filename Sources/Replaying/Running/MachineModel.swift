public import JSONCore
public import Timelines

/// How one kind of machine is run again: a fresh one, without effects and without observers.
///
/// ```swift
/// struct Sum: MachineModel {
///   var state = 0
///   func decode(_ event: JSONSlice) throws(ReplayError) -> Int64 {
///     guard let number = event["added"]?.int else {
///       throw ReplayError(.undecodableEvent(name: "added", why: "it is no number"))
///     }
///     return number
///   }
///   mutating func handle(_ event: Int64) -> String? {
///     state += Int(event)
///     return nil
///   }
///   mutating func restore(_ state: JSONSlice) throws(ReplayError) {
///     self.state = Int(state.int ?? 0)
///   }
/// }
/// ```
public protocol MachineModel {
  /// What stands for the state in an entry.
  associatedtype State: Encodable
  /// What an entry's event stands for.
  associatedtype Event

  /// The state as it is now.
  var state: State { get }

  /// Reads an event.
  func decode(_ event: JSONSlice) throws(ReplayError) -> Event

  /// Handles an event; answers what went wrong, in words. The state is valid nevertheless.
  mutating func handle(_ event: Event) -> String?

  /// Takes a state as given.
  mutating func restore(_ state: JSONSlice) throws(ReplayError)

  // What follows has defaults.

  /// The outputs as they are now. Default: none.
  var outputs: [RecordedOutput] { get }

  /// The outputs that the machine can have. Default: none.
  var outputKinds: [Header.Output] { get }

  /// Whether the outputs depend on the state alone, so that a state that is given has them.
  /// Default: true.
  static var outputsFollowFromState: Bool { get }

  /// Takes a fresh machine's first state. Default: nothing to do.
  mutating func start() throws(ReplayError)

  /// Notes that the state as it is now is that of an entry of the recording, and of the entry `seq`
  /// of what is computed. Default: nothing to do.
  mutating func note(source: Int64?, seq: Int64)

  /// The entry of the recording whose state an event needs, when it is not known here.
  /// Default: none.
  func missing(for event: Event) -> Int64?

  /// Takes note of the state of an earlier entry: `source` in the recording, `seq` in what is
  /// computed. Default: nothing to do.
  mutating func remember(
    _ state: JSONSlice, as source: Int64, seq: Int64
  ) throws(ReplayError)

  /// The event as the computed entry has it, where that is not the recorded one. Default: nil.
  func rewritten(_ event: Event) -> [UInt8]?
}

extension MachineModel {
  /// None.
  public var outputs: [RecordedOutput] { [] }
  /// None.
  public var outputKinds: [Header.Output] { [] }
  /// They do.
  public static var outputsFollowFromState: Bool { true }
  /// Nothing to do.
  public mutating func start() throws(ReplayError) {}
  /// Nothing to do.
  public mutating func note(source: Int64?, seq: Int64) {}
  /// None.
  public func missing(for event: Event) -> Int64? { nil }
  /// Nothing to do.
  public mutating func remember(
    _ state: JSONSlice, as source: Int64, seq: Int64
  ) throws(ReplayError) {}
  /// The recorded one.
  public func rewritten(_ event: Event) -> [UInt8]? { nil }
}
