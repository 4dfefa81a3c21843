public import JSONCore
public import Timelines

/// Runs a machine of any kind again, step by step, without effects.
///
/// Hosts, branches, and exported tests use it for all kinds of machines. It is confined to the thread
/// or the actor that created it.
///
/// ```swift
/// struct Coin: Reducible, Codable {
///   var isHeads = true
///   enum Event: String, Codable { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
/// }
/// let replayer = try Replay(reducible: Coin.self).makeReplayer()
/// try replayer.load(state: JSONSlice(validating: Array(#"{"isHeads":true}"#.utf8)))
/// let flipped = try JSONSlice(validating: Array(#""flipped""#.utf8))
/// let draft = try replayer.run(PlannedStep(seq: 1, was: 1, t: 10, action: .reduce(flipped)))
/// assert(draft.patch != nil)
/// ```
public protocol Replayer: AnyObject {
  /// The outputs that the machine can have, for a header.
  var outputKinds: [Header.Output] { get }

  /// Starts with a new machine, and returns its first entry.
  func begin(seq: Int64, t: Int64) throws(ReplayError) -> EntryDraft

  /// Starts after a moment that already has an entry.
  func load(state: JSONSlice, outputs: JSONSlice?, seq: Int64?) throws(ReplayError)

  /// Drops the state, because entries were lost. The next step must have a recorded state.
  func forget()

  /// Makes one step, and returns its entry.
  ///
  /// The first entry is a keyframe. If an event cannot be decoded, the state does not change.
  func run(_ step: PlannedStep) throws(ReplayError) -> EntryDraft

  /// The current state and outputs.
  func snapshot() throws(ReplayError) -> Snapshot

  /// The recorded entry whose state an event needs, if this replayer does not have it. Add it with
  /// ``remember(_:as:)`` before you run the event.
  func missing(for event: JSONSlice) throws(ReplayError) -> Int64?

  /// Adds the state of an earlier entry: `source` in the recording, `seq` in the computed timeline.
  func remember(_ state: JSONSlice, as source: Int64, seq: Int64) throws(ReplayError)

  /// Makes one step without its entry. The next entry is a keyframe.
  func pass(_ step: PlannedStep) throws(ReplayError)

  /// Makes the step of the next recorded entry, and returns whether it matches the entry byte for
  /// byte.
  ///
  /// The earlier entries must be confirmed, or the state before it must be recorded. Never confirms an
  /// entry whose event and patches do not prove the state: after a loss or a trap, or with a state that
  /// came from outside or was not captured. After an unconfirmed entry, the next step must have a
  /// recorded state.
  func confirms(_ entry: Entry) throws(ReplayError) -> Bool

  /// Whether the last step started an effect; `nil` if that is not known.
  var startedEffect: Bool? { get }
}

extension Replayer {
  /// Unknown.
  public var startedEffect: Bool? { nil }

  /// Starts with a new machine, whose first entry is 0.
  public func begin() throws(ReplayError) -> EntryDraft { try begin(seq: 0, t: 0) }

  /// Starts after a moment that already has an entry, and whose outputs follow from the state.
  public func load(state: JSONSlice) throws(ReplayError) {
    try load(state: state, outputs: nil, seq: nil)
  }

  /// Adds the state of an earlier entry with the same seq in the recording and the computed timeline.
  public func remember(_ state: JSONSlice, as seq: Int64) throws(ReplayError) {
    try remember(state, as: seq, seq: seq)
  }

  /// Makes the step, and drops its entry.
  public func pass(_ step: PlannedStep) throws(ReplayError) { _ = try run(step) }

  /// Makes the step, and compares the entry.
  public func confirms(_ entry: Entry) throws(ReplayError) -> Bool {
    guard let event = entry.confirmableEvent, try missing(for: event) == nil else { return false }
    let draft = try run(
      PlannedStep(seq: entry.seq, was: entry.seq, t: entry.t, action: .reduce(event)))
    return entry.confirms(patch: draft.patch, outputs: draft.outputs, error: draft.error)
  }
}
