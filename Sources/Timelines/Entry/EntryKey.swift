import JSONCore

/// The keys of an entry, in the order in which they are written.
enum EntryKey: Int, CaseIterable {
  case seq, t, event, state, outputState, patch, outputs, ns, cause, origin, at, gap, restored
  case jump, error, was, redacted, omitted

  /// The key as it is written.
  var text: String { Self.texts[rawValue] }

  /// The index of its value in an entry's vectors of 16; `seq` and `t` have none, because they are
  /// always present.
  var place: Int? { rawValue < 2 ? nil : rawValue - 2 }

  private static let texts = allCases.map { "\($0)" }
}
