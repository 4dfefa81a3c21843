public import JSONCore

/// One entry and the values around it, as far as somebody can tell them.
///
/// A predicate asks for values only when its answer depends on them; filtering by event never
/// decodes a state.
public protocol Moment {
  /// The stored line.
  var entry: JSONSlice { get }

  /// State and outputs on one side of the entry; asked at most once a side and evaluation.
  func values(_ side: MomentSide) -> MomentValues

  /// Pointers into that side (`/state/token`, `/outputs/greeting`, after the entry `/event/…` too)
  /// whose values cannot be known, because a stand-in or a cut replaces them.
  func hidden(_ side: MomentSide) -> [Pointer]
}

/// The two sides of an entry.
public enum MomentSide: Hashable, Sendable {
  /// What held until the event came.
  case before
  /// What holds from then on.
  case after
}

/// State and outputs on one side of an entry.
public enum MomentValues: Sendable {
  /// They were thinned, or lost.
  case unknown
  /// There are none: nothing is before the start.
  case none
  /// They are these.
  case known(state: JSONView, outputs: JSONView)
}

extension Moment {
  /// The pointers that the line lists as redacted; nothing is known of the entry before.
  public func hidden(_ side: MomentSide) -> [Pointer] {
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
public struct EntryMoment: Moment, Sendable {
  /// The stored line.
  public var entry: JSONSlice

  /// The values before; `nil` when the line has to tell.
  public var before: MomentValues?

  /// The values after; `nil` when the line has to tell.
  public var after: MomentValues?

  /// The pointers that are redacted before the entry.
  public var hiddenBefore: [Pointer]

  /// The moment of a line.
  public init(
    entry: JSONSlice, before: MomentValues? = nil, after: MomentValues? = nil,
    hiddenBefore: [Pointer] = []
  ) {
    self.entry = entry
    self.before = before
    self.after = after
    self.hiddenBefore = hiddenBefore
  }

  /// State and outputs on one side, as given or as the line tells.
  public func values(_ side: MomentSide) -> MomentValues {
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
  public func hidden(_ side: MomentSide) -> [Pointer] {
    side == .after ? entry.redactedPointers : hiddenBefore
  }
}
