public import JSONCore

/// Why an entry cannot follow the entries that are there.
public struct TimelineError: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: Reason

  /// The entry at which it is wrong.
  public var seq: Int64

  /// An error at an entry.
  public init(_ reason: Reason, at seq: Int64) {
    self.reason = reason
    self.seq = seq
  }

  /// What can be wrong between entries.
  public enum Reason: Hashable, Sendable {
    /// Its seq is not after the last one's.
    case notAfter(last: Int64)
    /// Its seq skips numbers, and no `gap` says so.
    case skips(expected: Int64)
    /// Its seq is not its predecessor's plus what `gap` says was lost, plus one.
    case gapDoesNotFit(lost: Int64, expected: Int64?)
    /// Its seq or time is beyond the last number that every reader keeps exact.
    case beyondNumbers
    /// Its time is before its predecessor's.
    case timeDecreases(from: Int64)
    /// It has a patch, and the state before it is not known.
    case patchWithoutBase
    /// It is a keyframe after a known state, and does not say what changed.
    case changesMissing
    /// The patch of the state does not apply.
    case patch(PatchError)
    /// The patch of the outputs does not apply.
    case outputs(PatchError)
  }
}

extension TimelineError: CustomStringConvertible {
  /// A sentence with the entry.
  public var description: String {
    switch reason {
    case .notAfter(let last): "entry \(seq) comes after entry \(last)"
    case .skips(let expected):
      "entry \(seq) comes where entry \(expected) should; lost entries need a 'gap'"
    case .gapDoesNotFit(let lost, let expected):
      "entry \(seq) says that \(lost) were lost before it"
        + (expected.map { "; its seq would then be \($0)" } ?? "")
    case .beyondNumbers:
      "entry \(seq) has a seq or time beyond \(Entry.lastNumber), the last whole number of the protocol"
    case .timeDecreases(let from): "entry \(seq) has a time before \(from), its predecessor's"
    case .patchWithoutBase:
      "entry \(seq) has a patch, but the state before it is not known; it must be a keyframe"
    case .changesMissing:
      "entry \(seq) is a keyframe after a known state, and must have the patch too"
    case .patch(let error): "entry \(seq): the patch does not apply: \(error)"
    case .outputs(let error): "entry \(seq): the patch of the outputs does not apply: \(error)"
    }
  }
}
