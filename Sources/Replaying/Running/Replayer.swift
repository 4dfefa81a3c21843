public import JSONCore
public import Timelines

/// A machine that is run again, step by step: of whatever kind, on fresh values, without effects.
///
/// Hosts, branches and exported tests drive all kinds alike. It belongs to the thread or the actor
/// that made it.
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

  /// Begins with a fresh machine, and gives its first entry.
  func begin(seq: Int64, t: Int64) throws(ReplayError) -> EntryDraft

  /// Begins after a moment that has its entry already.
  func load(state: JSONSlice, outputs: JSONSlice?, seq: Int64?) throws(ReplayError)

  /// Forgets the state, because entries were lost: the next step has to take one as given.
  func forget()

  /// Makes one step, and gives its entry.
  ///
  /// The first entry is a keyframe. When an event can not be decoded, nothing has happened.
  func run(_ step: PlannedStep) throws(ReplayError) -> EntryDraft

  /// The state and the outputs as they are now, in full.
  func snapshot() throws(ReplayError) -> Snapshot

  /// The entry of the recording whose state an event needs, and that this replayer has not seen:
  /// tell it with ``remember(_:as:)`` before.
  func missing(for event: JSONSlice) throws(ReplayError) -> Int64?

  /// Takes note of the state of an earlier entry: `source` in the recording, `seq` in what is
  /// computed.
  func remember(_ state: JSONSlice, as source: Int64, seq: Int64) throws(ReplayError)

  /// Makes one step whose entry nobody wants: the next one that is wanted is a keyframe.
  func pass(_ step: PlannedStep) throws(ReplayError)

  /// Makes the step of the next recorded entry once more, and tells whether it comes out in the bytes
  /// in which it was recorded.
  ///
  /// The entries before it are confirmed, or the state before it was given. What is proven by more
  /// than the bytes of an event and its patches is never confirmed: a state that was given or not
  /// captured, a loss, a trap. After an entry that is not confirmed a state has to be given.
  func confirms(_ entry: Entry) throws(ReplayError) -> Bool
}

extension Replayer {
  /// Begins with a fresh machine, whose first entry is 0.
  public func begin() throws(ReplayError) -> EntryDraft { try begin(seq: 0, t: 0) }

  /// Begins after a moment that has its entry already, and whose outputs follow from the state.
  public func load(state: JSONSlice) throws(ReplayError) {
    try load(state: state, outputs: nil, seq: nil)
  }

  /// Takes note of the state of an earlier entry that has the same number in both.
  public func remember(_ state: JSONSlice, as seq: Int64) throws(ReplayError) {
    try remember(state, as: seq, seq: seq)
  }

  /// Makes the step and lets its entry go.
  public func pass(_ step: PlannedStep) throws(ReplayError) { _ = try run(step) }

  /// Makes the step, and compares the entry.
  public func confirms(_ entry: Entry) throws(ReplayError) -> Bool {
    guard let event = entry.confirmableEvent, try missing(for: event) == nil else { return false }
    let draft = try run(
      PlannedStep(seq: entry.seq, was: entry.seq, t: entry.t, action: .reduce(event)))
    return entry.confirms(patch: draft.patch, outputs: draft.outputs, error: draft.error)
  }
}
