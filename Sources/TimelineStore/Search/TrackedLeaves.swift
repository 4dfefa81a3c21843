internal import JSONCore
internal import Predicates

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// Which tests of `anywhere` a leaf of the state or the outputs passes, from entry to entry.
///
/// If no leaf passed before an entry, only a value in its patch can have brought one. So a search
/// reads the values in the patches, and the whole state only after a patch that may matter.
struct TrackedLeaves: Sendable {
  let tests: [Predicate.LeafTest]

  /// Whether a leaf passes each; `nil` if the values must be searched.
  private var found: [Bool?]

  init(_ tests: [Predicate.LeafTest]) {
    self.tests = tests
    found = tests.map { _ in nil }
  }

  mutating func forget() {
    for index in found.indices { found[index] = nil }
  }

  /// Advances by one entry.
  mutating func advance(
    _ fields: LineFields, _ bytes: UnsafeBufferPointer<UInt8>, of text: [UInt8]
  ) {
    guard !tests.isEmpty else { return }
    let isPlain =
      fields.redacted.isEmpty && fields.gap.isEmpty && !fields.isKeyframe && !fields.patch.isEmpty
    guard isPlain else { return forget() }
    for patch in [fields.patch, fields.outputs] {
      var operations = PatchOperations(bytes, patch: patch)
      while let operation = operations.next() { apply(operation, text) }
    }
  }

  private mutating func apply(_ operation: PatchOperations.Operation, _ text: [UInt8]) {
    for index in found.indices {
      switch found[index] {
      case nil: continue
      // The leaf may be the one that was changed or removed.
      case true?: found[index] = nil
      case false?:
        guard operation.kind != .remove else { continue }
        let value = JSONSlice(checkedBefore: text, at: operation.value)
        if LeafSearch.finds(tests[index], in: .text(value)) { found[index] = nil }
      }
    }
  }

  /// Searches the values for the tests whose result is not known.
  ///
  /// - Parameter hides: whether there are stand-ins, so that the predicate must search on its own.
  mutating func search(_ state: JSONView, _ outputs: JSONView, hides: Bool) {
    guard !hides else { return forget() }
    for index in found.indices where found[index] == nil {
      found[index] =
        LeafSearch.finds(tests[index], in: state) || LeafSearch.finds(tests[index], in: outputs)
    }
  }

  /// The result of a test, if it is known.
  func result(of test: Predicate.LeafTest) -> Answer? {
    tests.firstIndex(of: test).flatMap { found[$0] }.map { Answer($0) }
  }
}

/// A moment whose leaves are tracked.
struct LeafSubject: PredicateSubject {
  let moment: EntrySubject
  let leaves: TrackedLeaves

  var entry: JSONSlice { moment.entry }

  func values(_ side: EntrySide) -> SideValues { moment.values(side) }

  func hidden(_ side: EntrySide) -> [Pointer] { moment.hidden(side) }

  func hasLeaf(passing test: Predicate.LeafTest) -> Answer? { leaves.result(of: test) }
}
