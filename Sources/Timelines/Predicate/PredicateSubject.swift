public import JSONCore

/// One entry and the values around it, as far as somebody can tell them.
///
/// A predicate asks for values only when its answer depends on them; filtering by event never
/// decodes a state.
public protocol PredicateSubject {
  /// The stored line.
  var entry: JSONSlice { get }

  /// State and outputs on one side of the entry; asked at most once a side and evaluation.
  func values(_ side: EntrySide) -> SideValues

  /// Pointers into that side (`/state/token`, `/outputs/greeting`, after the entry `/event/…` too)
  /// whose values cannot be known, because a stand-in or a cut replaces them.
  func hidden(_ side: EntrySide) -> [Pointer]
}

/// The two sides of an entry.
public enum EntrySide: Hashable, Sendable {
  /// What held until the event came.
  case before
  /// What holds from then on.
  case after
}

/// State and outputs on one side of an entry.
public enum SideValues: Sendable {
  /// They were thinned, or lost.
  case unknown
  /// There are none: nothing is before the start.
  case none
  /// They are these.
  case known(state: JSONView, outputs: JSONView)
}

extension PredicateSubject {
  /// The pointers that the line lists as redacted; nothing is known of the entry before.
  public func hidden(_ side: EntrySide) -> [Pointer] {
    side == .after ? entry.redactedPointers : []
  }
}

extension JSONSlice {
  /// The pointers that an entry's line lists as redacted; what is none is left out.
  var redactedPointers: [Pointer] {
    guard let redacted = self["redacted"] else { return [] }
    return redacted.members.compactMap { try? Pointer($0.key) }
  }
}

/// A moment of which line and values are at hand.
///
/// Values that are not given are taken from the line where it carries them, as keyframes do.
public struct EntrySubject: PredicateSubject, Sendable {
  /// The stored line.
  public var entry: JSONSlice

  /// The values before; `nil` when the line has to tell.
  public var before: SideValues?

  /// The values after; `nil` when the line has to tell.
  public var after: SideValues?

  /// The pointers that are redacted before the entry.
  public var hiddenBefore: [Pointer]

  /// The moment of a line.
  public init(
    entry: JSONSlice, before: SideValues? = nil, after: SideValues? = nil,
    hiddenBefore: [Pointer] = []
  ) {
    self.entry = entry
    self.before = before
    self.after = after
    self.hiddenBefore = hiddenBefore
  }

  /// State and outputs on one side, as given or as the line tells.
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
  /// An entry between what is known of the moments on both sides.
  public init(
    _ entry: Entry, before: Moment?, after: Moment?, hiddenBefore: [Pointer] = []
  ) {
    self.init(
      entry: entry.line, before: before.map(SideValues.init), after: after.map(SideValues.init),
      hiddenBefore: hiddenBefore)
  }
}

extension SideValues {
  /// What a moment tells.
  public init(_ moment: Moment) {
    switch moment {
    case .known(let snapshot):
      self = .known(state: .tree(snapshot.state), outputs: .tree(snapshot.outputs))
    case .thinned, .lost: self = .unknown
    }
  }
}
