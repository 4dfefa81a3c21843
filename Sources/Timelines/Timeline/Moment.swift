public import JSONCore

/// The known values of a machine after one entry.
public enum Moment: Hashable, Sendable {
  /// Its state and outputs.
  case known(Snapshot)
  /// The state was not captured; a host can compute it. `omitted` is the size of a state that was too
  /// long to send.
  case thinned(omitted: Int64?)
  /// The entry was lost.
  case lost(LostRange)

  /// The state, if known.
  public var state: JSON? {
    if case .known(let snapshot) = self { snapshot.state } else { nil }
  }

  /// The outputs by name, if known.
  public var outputs: JSON? {
    if case .known(let snapshot) = self { snapshot.outputs } else { nil }
  }
}

/// A machine's state and outputs.
public struct Snapshot: Hashable, Sendable {
  /// The state.
  public var state: JSON
  /// The outputs by name; empty for a machine without outputs.
  public var outputs: JSON

  /// Creates a snapshot.
  public init(state: JSON, outputs: JSON = .object(JSON.Object())) {
    self.state = state
    self.outputs = outputs
  }

  /// The values in a keyframe; `nil` for other entries.
  public init?(keyframe entry: Entry) {
    guard let state = entry.state else { return nil }
    self.init(state: state.value, outputs: entry.outputState?.value ?? .object(JSON.Object()))
  }

  /// Applies the patches of an entry.
  ///
  /// If the second patch does not apply, the first one has already been applied.
  package mutating func apply(_ entry: Entry) throws(TimelineError) {
    do {
      if let patch = entry.patch { try state.apply(Patch(patch)) }
    } catch {
      throw TimelineError(.patch(error), at: entry.seq)
    }
    do {
      if let patch = entry.outputs { try outputs.apply(Patch(patch)) }
    } catch {
      throw TimelineError(.outputs(error), at: entry.seq)
    }
  }
}

/// Lost seqs, and the reason.
public struct LostRange: Hashable, Sendable {
  /// The lost seqs.
  public var seqs: ClosedRange<Int64>
  /// The reason, as text.
  public var why: String

  /// Creates a loss.
  public init(_ seqs: ClosedRange<Int64>, why: String) {
    self.seqs = seqs
    self.why = why
  }
}
