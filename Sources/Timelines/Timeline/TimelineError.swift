public import JSONCore

/// Why an entry cannot follow the existing entries.
public struct TimelineError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: Reason

  /// The entry.
  public var seq: Int64

  /// Creates an error at an entry.
  public init(_ reason: Reason, at seq: Int64) {
    self.reason = reason
    self.seq = seq
  }

  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// Its seq is not after the last one.
    case notAfter(last: Int64)
    /// Its seq skips numbers without a `gap`.
    case skips(expected: Int64)
    /// Its seq is not its predecessor's plus the number of lost entries in `gap`, plus one.
    case gapDoesNotFit(lost: Int64, expected: Int64?)
    /// Its seq exceeds the greatest number that every reader represents exactly.
    case beyondNumbers
    /// Its time exceeds that number.
    case timeBeyondNumbers
    /// Its time is before its predecessor's.
    case timeDecreases(from: Int64)
    /// It has a patch, but the previous state is unknown.
    case patchWithoutBase
    /// It is a keyframe after a known state, but does not have patches.
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
      "entry \(seq) has a seq beyond \(Entry.lastNumber), the last whole number of the protocol"
    case .timeBeyondNumbers:
      "entry \(seq) has a time beyond \(Entry.lastNumber), the last whole number of the protocol"
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

extension PatchError {
  /// Whether the patch is valid and only costs more than the limits allow.
  package var isOfLimit: Bool {
    switch reason {
    case .copiesTooMuch, .shiftsTooMuch: true
    case .notAnArray, .notAnObject, .missing, .notAString, .unknownOperation, .pointer,
      .nothingThere, .notAContainer, .notAnIndex, .indexOutOfRange, .removesRoot, .movesIntoItself,
      .testFailed, .tooDeep:
      false
    }
  }
}

extension TimelineError {
  /// Whether the entry has a patch that is valid and only costs more than the limits allow.
  package var isOfLimit: Bool {
    switch reason {
    case .patch(let error), .outputs(let error): error.isOfLimit
    case .notAfter, .skips, .gapDoesNotFit, .beyondNumbers, .timeBeyondNumbers, .timeDecreases,
      .patchWithoutBase,
      .changesMissing:
      false
    }
  }
}
