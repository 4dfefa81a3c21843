internal import JSONCore
internal import Predicates
internal import Timelines

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A predicate that is evaluated on one entry after the other.
///
/// It decodes a line only if the bytes do not decide. It tracks only the parts of states that the
/// predicate reads. If neither these nor the line can have changed the result, it returns the
/// previous result.
struct EntryFilter: Sendable {
  let predicate: Predicate

  /// Whether states or outputs are needed, so that entries must be read consecutively.
  let needsValues: Bool

  private let check: LineCheck
  private var parts: PredicateRoots
  private var values: TrackedValues
  private var after = SideValues.unknown
  private var afterVersion = -1
  private var hiddenAfter: [Pointer] = []
  private var lastAnswer: (version: Int, answer: Answer)?
  private var leaves: TrackedLeaves

  /// The leaf because of which the last evaluated entry matches, if the predicate asks for one.
  private(set) var leaf: Pointer?

  init(_ predicate: Predicate) {
    self.predicate = predicate
    needsValues = !predicate.needs.isEmpty
    check = LineCheck(predicate)
    parts = PredicateRoots(predicate, expectsLength: false)
    values = TrackedValues(parts.roots)
    leaves = TrackedLeaves(predicate.leafTests)
  }

  /// Whether the tracked roots were not enough: start again from a keyframe.
  var mustBeginAgain: Bool { values.meetsLength }

  /// Forgets all entries.
  mutating func beginAgain() {
    if values.meetsLength { parts = PredicateRoots(predicate, expectsLength: true) }
    values = TrackedValues(parts.roots)
    (after, afterVersion, hiddenAfter, lastAnswer) = (.unknown, -1, [], nil)
    leaves.forget()
  }

  /// Forgets the values, because entries are missing.
  mutating func skip() {
    values.forget()
    leaves.forget()
    after = .unknown
    afterVersion = values.version
    hiddenAfter = []
  }

  /// Advances by one entry without evaluating.
  mutating func pass(
    _ run: EntryRun, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) {
    let fields = LineFields(bytes, line: run.place(at: index))
    _ = values.advance(fields, bytes, of: run.bytes)
    hiddenAfter = fields.redacted.isEmpty ? [] : bytes.pointers(at: fields.redacted)
    leaves.advance(fields, bytes, of: run.bytes)
  }

  /// The result for an entry, if the predicate does not read states.
  ///
  /// - Parameter mayHide: whether the run may have redacted values.
  func answer(
    _ run: EntryRun, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, mayHide: Bool
  ) -> Answer {
    let line = run.place(at: index)
    if !mayHide || LineFields(bytes, line: line).redacted.isEmpty {
      switch check.verdict(bytes, line: line) {
      case .yes: return .yes
      case .no: return .no
      case .undecided: break
      }
    }
    return predicate.evaluate(EntrySubject(entry: run.slice(at: index)))
  }

  /// Advances by one entry, and returns the result for it.
  mutating func evaluate(
    _ run: EntryRun, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> Answer {
    let fields = LineFields(bytes, line: run.place(at: index))
    let isFirst = run.first + Int64(index) == 0
    let versionBefore = values.version
    refreshAfter()
    let before: SideValues = isFirst ? .none : fields.gap.isEmpty ? after : .unknown
    let hiddenBefore = hiddenAfter
    _ = values.advance(fields, bytes, of: run.bytes)
    hiddenAfter = fields.redacted.isEmpty ? [] : bytes.pointers(at: fields.redacted)
    leaves.advance(fields, bytes, of: run.bytes)
    let isPlain =
      parts.isOfValuesOnly && values.version == versionBefore && hiddenBefore.isEmpty
      && hiddenAfter.isEmpty && !isFirst && values.isKnown
    if isPlain, let lastAnswer, lastAnswer.version == values.version { return lastAnswer.answer }
    refreshAfter()
    let subject = EntrySubject(
      entry: run.slice(at: index), before: before, after: after, hiddenBefore: hiddenBefore)
    let answer = self.answer(for: subject)
    lastAnswer = isPlain ? (values.version, answer) : nil
    return answer
  }

  private mutating func answer(for subject: EntrySubject) -> Answer {
    guard !leaves.tests.isEmpty else { return predicate.evaluate(subject) }
    if case .known(let state, let outputs) = after {
      leaves.search(state, outputs, hides: !hiddenAfter.isEmpty)
    } else {
      leaves.forget()
    }
    let answer = predicate.evaluate(LeafSubject(moment: subject, leaves: leaves))
    leaf = answer == .yes ? predicate.leaf(at: subject) : nil
    return answer
  }

  private mutating func refreshAfter() {
    guard afterVersion != values.version else { return }
    afterVersion = values.version
    guard values.isKnown else { return after = .unknown }
    let (state, outputs) = parts.moment(values.values)
    after = .known(state: .tree(state), outputs: .tree(outputs))
  }
}
