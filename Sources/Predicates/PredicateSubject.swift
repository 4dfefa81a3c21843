public import JSONCore
public import Timelines

/// An entry and the values around it, as far as they are known.
///
/// A predicate requests values only if its answer depends on them: filtering by event never decodes a
/// state.
public protocol PredicateSubject {
  /// The stored line.
  var entry: JSONSlice { get }

  /// State and outputs on one side of the entry; requested at most once per side and evaluation.
  func values(_ side: EntrySide) -> SideValues

  /// Pointers into a side (`/state/token`, `/outputs/greeting`, and after the entry `/event/…`) whose
  /// values are unknown, because they were redacted or truncated.
  func hidden(_ side: EntrySide) -> [Pointer]

  /// Whether the state or the outputs after the entry have a leaf that passes; `nil` if the values
  /// must be searched.
  func hasLeaf(passing test: Predicate.LeafTest) -> Answer?
}

/// The two sides of an entry.
public enum EntrySide: Hashable, Sendable {
  /// Before the event.
  case before
  /// After the event.
  case after
}

/// State and outputs on one side of an entry.
public enum SideValues: Sendable {
  /// The values were thinned or lost.
  case unknown
  /// There are no values before the start.
  case none
  /// The values are known.
  case known(state: JSONView, outputs: JSONView)
}

extension PredicateSubject {
  /// The pointers that the line lists as redacted; the previous entry is unknown.
  public func hidden(_ side: EntrySide) -> [Pointer] {
    side == .after ? entry.redactedPointers : []
  }

  /// Values are searched by default.
  public func hasLeaf(passing test: Predicate.LeafTest) -> Answer? { nil }
}

extension JSONSlice {
  /// The pointers that an entry's line lists as redacted, without invalid ones.
  var redactedPointers: [Pointer] {
    guard let redacted = self["redacted"] else { return [] }
    return redacted.members.compactMap { try? Pointer($0.key) }
  }
}

/// A moment with its line and values.
///
/// Missing values are read from the line, if it is a keyframe.
public struct EntrySubject: PredicateSubject, Sendable {
  /// The stored line.
  public var entry: JSONSlice

  /// The values before the entry; `nil` if only the line may have them.
  public var before: SideValues?

  /// The values after the entry; `nil` if only the line may have them.
  public var after: SideValues?

  /// The pointers that are redacted before the entry.
  public var hiddenBefore: [Pointer]

  /// Creates a moment.
  public init(
    entry: JSONSlice, before: SideValues? = nil, after: SideValues? = nil,
    hiddenBefore: [Pointer] = []
  ) {
    self.entry = entry
    self.before = before
    self.after = after
    self.hiddenBefore = hiddenBefore
  }

  /// State and outputs on one side, as given or from the line.
  public func values(_ side: EntrySide) -> SideValues {
    switch side {
    case .before: return before ?? (entry["seq"]?.int == 0 ? .none : .unknown)
    case .after:
      if let after { return after }
      guard let state = entry["state"] else { return .unknown }
      let outputs = entry["outputState"].map(JSONView.text) ?? .tree([:])
      return .known(state: .text(state), outputs: outputs)
    }
  }

  /// The redacted pointers on one side.
  public func hidden(_ side: EntrySide) -> [Pointer] {
    side == .after ? entry.redactedPointers : hiddenBefore
  }
}

extension EntrySubject {
  /// Creates a moment from an entry and the moments on both sides.
  public init(
    _ entry: Entry, before: Moment?, after: Moment?, hiddenBefore: [Pointer] = []
  ) {
    self.init(
      entry: entry.line, before: before.map(SideValues.init), after: after.map(SideValues.init),
      hiddenBefore: hiddenBefore)
  }
}

extension SideValues {
  /// The values of a moment.
  public init(_ moment: Moment) {
    switch moment {
    case .known(let snapshot):
      self = .known(state: .tree(snapshot.state), outputs: .tree(snapshot.outputs))
    case .thinned, .lost: self = .unknown
    }
  }
}
