public import JSONCore
public import Timelines

/// Fills in what entries say about states and outputs: patches, and full values where the keyframe
/// rule wants them.
///
/// It is a value that knows the entry before, and nothing of threads.
///
/// ```swift
/// var writer = EntryWriter<[Int]>(hasOutputs: false)
/// var first = EntryDraft(seq: 0, t: 0)
/// try writer.capture([1], [], into: &first)
/// var second = EntryDraft(seq: 1, t: 10)
/// second.event = Array(#"{"added":{}}"#.utf8)[...]
/// try writer.capture([1, 2], [], into: &second)
/// assert(second.patch != nil)
/// ```
public struct EntryWriter<State: Encodable> {
  private var states: IncrementalEncoder<State>
  private var outputs = OutputEncoder()
  private var rule = KeyframeRule()
  private var isBaseKnown = false
  private let hasOutputs: Bool

  /// A writer at the beginning of a timeline.
  ///
  /// `hasOutputs` is whether the machine has outputs at all; keyframes of one that has none do not
  /// speak of them.
  public init(hasOutputs: Bool, encoder: CanonicalEncoder = CanonicalEncoder()) {
    self.hasOutputs = hasOutputs
    states = IncrementalEncoder(encoder: encoder)
  }

  /// Begins with a moment that has its entry already: the next one says what changed since, and is
  /// a keyframe.
  public mutating func load(_ state: State, _ outputs: [RecordedOutput]) throws {
    isBaseKnown = false
    rule = KeyframeRule()
    try states.start(state)
    self.outputs.start(outputs)
    isBaseKnown = true
  }

  /// Writes the state and the outputs after an entry's event into the entry.
  ///
  /// A restored state and a jump, marked in the draft before, become keyframes. When it throws, the
  /// state could not be encoded; the entry can still be written thinned.
  public mutating func capture(
    _ state: State, _ values: [RecordedOutput], into draft: inout EntryDraft
  ) throws {
    let wasBaseKnown = isBaseKnown
    isBaseKnown = false
    var full: [UInt8]?
    if wasBaseKnown {
      do {
        draft.patch = try states.advance(to: state).patch[...]
      } catch {
        rule.thinned()
        throw error
      }
      draft.outputs = outputs.advance(to: values).map { $0[...] }
    } else {
      full = try states.start(state)
      outputs.start(values)
    }
    isBaseKnown = true
    let isGiven = draft.restored != nil || draft.isJump
    let patchBytes = (draft.patch?.count ?? 0) + (draft.outputs?.count ?? 0)
    let outputBytes = hasOutputs ? outputs.bytes : nil
    let isKeyframe = rule.captured(
      patchBytes: isGiven || !wasBaseKnown ? nil : patchBytes,
      snapshotBytes: states.byteCount + (outputBytes?.count ?? 0))
    guard isKeyframe || isGiven || !wasBaseKnown else { return }
    draft.state = try (full ?? states.fullBytes())[...]
    draft.outputState = outputBytes.map { $0[...] }
  }

  /// Notes that an entry was written without its state: the next captured one is a keyframe.
  public mutating func thinned() {
    rule.thinned()
    isBaseKnown = false
  }

  /// Makes the next captured entry a keyframe, which says what changed all the same: somebody on the
  /// way let the entries before it go.
  public mutating func forceKeyframe() { rule.thinned() }

  /// Notes that entries were lost: the next captured one is a keyframe.
  public mutating func lost() {
    rule.lost()
    isBaseKnown = false
  }

  /// The state and the outputs of the entry that was captured last, in full.
  ///
  /// - Precondition: a state was captured or loaded.
  public func fullBytes() throws -> (state: [UInt8], outputs: [UInt8]) {
    (try states.fullBytes(), outputs.bytes)
  }
}

extension EntryWriter: Sendable {}
