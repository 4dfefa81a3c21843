public import JSONCore
public import Timelines

/// Runs one kind of machine again, without effects and observers.
///
/// ```swift
/// struct Sum: MachineModel {
///   var state = 0
///   func decode(_ event: JSONSlice) throws(ReplayError) -> Int64 {
///     guard let number = event["added"]?.int else {
///       throw ReplayError(.undecodableEvent(name: "added", why: "it is not a number"))
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
  /// The recorded form of the state.
  associatedtype State: Encodable
  /// The decoded form of an event.
  associatedtype Event

  /// The current state.
  var state: State { get }

  /// Decodes an event.
  func decode(_ event: JSONSlice) throws(ReplayError) -> Event

  /// Handles an event. Returns an error message, if it failed; the state stays valid.
  mutating func handle(_ event: Event) -> String?

  /// Sets a recorded state.
  mutating func restore(_ state: JSONSlice) throws(ReplayError)

  // The other requirements have defaults.

  /// The current outputs (default: none).
  var outputs: [RecordedOutput] { get }

  /// The outputs that the machine can have (default: none).
  var outputKinds: [Header.Output] { get }

  /// Whether the outputs depend only on the state, so that a recorded state is enough to compute them
  /// (default: true).
  static var outputsFollowFromState: Bool { get }

  /// Sets the initial state of a new machine (default: does nothing).
  mutating func start() throws(ReplayError)

  /// Called after each step: the current state belongs to the entry `source` of the recording and to
  /// the computed entry `seq` (default: does nothing).
  mutating func didReach(source: Int64?, seq: Int64)

  /// The recorded entry whose state an event needs, if the model does not have it (default: none).
  func missing(for event: Event) -> Int64?

  /// Adds the state of an earlier entry: `source` in the recording, `seq` in the computed timeline
  /// (default: does nothing).
  mutating func remember(
    _ state: JSONSlice, as source: Int64, seq: Int64
  ) throws(ReplayError)

  /// The event for the computed entry, if it differs from the recorded one (default: `nil`).
  func rewritten(_ event: Event) -> [UInt8]?

  /// Whether the last event started an effect; `nil` if the model cannot tell (default: `nil`).
  var startedEffect: Bool? { get }
}

extension MachineModel {
  /// No outputs.
  public var outputs: [RecordedOutput] { [] }
  /// No outputs.
  public var outputKinds: [Header.Output] { [] }
  /// True.
  public static var outputsFollowFromState: Bool { true }
  /// Does nothing.
  public mutating func start() throws(ReplayError) {}
  /// Does nothing.
  public mutating func didReach(source: Int64?, seq: Int64) {}
  /// No entry.
  public func missing(for event: Event) -> Int64? { nil }
  /// Does nothing.
  public mutating func remember(
    _ state: JSONSlice, as source: Int64, seq: Int64
  ) throws(ReplayError) {}
  /// The recorded event.
  public func rewritten(_ event: Event) -> [UInt8]? { nil }
  /// Unknown.
  public var startedEffect: Bool? { nil }
}
