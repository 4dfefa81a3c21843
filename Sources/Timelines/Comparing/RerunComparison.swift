package import JSONCore

/// Compares a recording with a rerun of it, entry by entry.
///
/// While both change the same way, equal bytes prove that their moments stay equal, and no state is
/// built. Only where the bytes differ, or a state was not captured, do the moments decide.
package struct RerunComparison: Sendable {
  /// Whether the moments after the last entry are equal, if known.
  package private(set) var isEqual: Bool?

  /// What the entries show without their moments.
  package enum Finding: Sendable {
    case same
    /// The recorded state was not captured.
    case unknown
    /// The moments decide.
    case undecided
  }

  /// Starts with moments that are equal, different, or unknown.
  package init(isEqual: Bool?) {
    self.isEqual = isEqual
  }

  /// Checks the next entry: the recorded one, and the patches that the rerun made.
  package mutating func check(
    _ recorded: Entry, patch: ArraySlice<UInt8>?, outputs: ArraySlice<UInt8>?
  ) -> Finding {
    guard !recorded.isThinned else {
      isEqual = nil
      return .unknown
    }
    let isProven = isEqual == true && recorded.hasChanges(patch: patch, outputs: outputs)
    return isProven ? .same : .undecided
  }

  /// Compares the moments after the entry, and returns whether they are equal.
  @discardableResult
  package mutating func compare(_ recorded: Snapshot, _ computed: Snapshot) -> Bool {
    let isEqual = recorded == computed
    self.isEqual = isEqual
    return isEqual
  }

  /// Continues from moments that are equal, different, or unknown.
  package mutating func restart(isEqual: Bool?) { self.isEqual = isEqual }
}

extension Entry {
  /// Whether the entry has these patches, in the same bytes. An entry without a patch never has.
  package func hasChanges(patch: ArraySlice<UInt8>?, outputs: ArraySlice<UInt8>?) -> Bool {
    guard let recorded = self.patch else { return false }
    return recorded.bytes == patch && self.outputs?.bytes == outputs
  }
}

extension Snapshot {
  /// The moment with null in place of the values that stand-ins replace, which are equal by
  /// definition.
  package func masking(_ hidden: [Pointer]) -> Snapshot {
    guard !hidden.isEmpty else { return self }
    return Snapshot(
      state: state.masking(hidden, below: "state"),
      outputs: outputs.masking(hidden, below: "outputs"))
  }
}

extension JSON {
  /// The value with null at the given paths below a root.
  package func masking(_ hidden: [Pointer], below root: String) -> JSON {
    var result = self
    for pointer in hidden where pointer.tokens.first == root {
      let path = Pointer(tokens: Array(pointer.tokens.dropFirst()))
      // A pointer that leads nowhere hides nothing.
      guard result[path] != nil else { continue }
      try? result.apply(Patch([.replace(path, .null)]))
    }
    return result
  }
}
