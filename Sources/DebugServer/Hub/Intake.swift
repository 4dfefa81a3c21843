internal import JSONCore
package import TimelineStore
package import Timelines

/// A timeline that is being written: what came of it, what the store has, what waits.
///
/// Entries go to the store in order, one batch at a time; what comes while one is on its way makes
/// the next batch.
package struct Intake: Sendable {
  /// Entries on their way to the disk, and whose credit they took.
  ///
  /// They are copied out of their frames: what waits takes no more than its lines do.
  package struct Batch: Sendable {
    /// The entries, in order.
    package var entries: AppendBatch
    /// The bytes of their frames, by connection.
    package var credit: [PeerID: Int] = [:]

    /// Nothing of a timeline.
    package init(_ timeline: TimelineID) {
      entries = AppendBatch(timeline)
    }

    /// Whether there are entries.
    package var hasEntries: Bool { !entries.isEmpty }

    /// Whether there is nothing to store or to give back.
    package var isEmpty: Bool { entries.isEmpty && credit.isEmpty }

    /// The bytes of all frames.
    package var bytes: Int { credit.values.reduce(0, +) }
  }

  /// How far it has come.
  package enum Phase: Sendable {
    /// The store is asked where the timeline stands; what comes meanwhile waits.
    case opening([(append: FromRecorder.Append, bytes: Int)])
    /// Entries are taken.
    case open
  }

  /// How far it has come.
  package var phase: Phase

  /// What its header has to say, who else opens it. The header itself is the store's to keep.
  package let identity: HeaderIdentity

  /// The bytes of the header.
  package let headerBytes: Int

  /// The connection that writes it; nobody once that is gone.
  package var writer: PeerID?

  /// Whether its writer sent an entry that was refused. What came before is still stored and
  /// acknowledged; then nobody writes it.
  package var isRefused = false

  /// Where it stands with all that came.
  package var sequence = EntrySequence()

  /// What the store has made durable; nothing at first.
  package var durable: Int64?

  /// What waits for the store.
  package var waiting: Batch

  /// What is on its way.
  package var flight: Batch?

  /// That it ends once all is stored, and what was lost at its end.
  package var ending: (gap: Gap?, isAsked: Bool)?

  /// A timeline that the store is asked about.
  package init(_ header: Header, writer: PeerID) {
    phase = .opening([])
    identity = HeaderIdentity(header)
    headerBytes = header.line.range.count
    self.writer = writer
    waiting = Batch(header.timeline)
  }

  /// Whether nothing of it waits and nobody writes it.
  package var isIdle: Bool {
    guard case .open = phase else { return writer == nil }
    return writer == nil && flight == nil && waiting.isEmpty && ending == nil
  }

  /// Takes what an `append` carries, up to the first entry that cannot be.
  ///
  /// Entries that came before are left out and counted.
  package mutating func take(
    _ slices: FromRecorder.Append
  ) -> (dropped: Int64, error: MessageError?) {
    var dropped: Int64 = 0
    for (index, slice) in slices.entries.enumerated() {
      do {
        let entry = try Entry(reading: slice)
        if entry.seq <= sequence.last {
          dropped += 1
          continue
        }
        try sequence.admit(entry)
        waiting.entries.append(entry)
      } catch let error as EntryError {
        return (dropped, error.inMessage(at: index))
      } catch let error as TimelineError {
        return (dropped, error.inMessage(at: index))
      } catch {
        return (dropped, MessageError(.wrongValue("\(error)"), path: "entries[\(index)]"))
      }
    }
    return (dropped, nil)
  }
}

extension EntryError {
  /// What it is in an `append`.
  func inMessage(at index: Int) -> MessageError {
    let path = "entries[\(index)]" + (key.map { "." + $0 } ?? "")
    if case .missing = reason { return MessageError(.missing, path: path) }
    return MessageError(.wrongValue(description), path: path)
  }
}

extension TimelineError {
  /// What it is in an `append`.
  func inMessage(at index: Int) -> MessageError {
    MessageError(.wrongValue(description), path: "entries[\(index)].\(key)")
  }

  /// What it is where the frame that held the entry is not known any more: entries of several frames
  /// are stored together.
  var inMessage: MessageError { MessageError(.wrongValue(description), path: key) }

  /// The key of the entry that is at fault.
  private var key: String {
    switch reason {
    case .notAfter, .skips, .beyondNumbers: "seq"
    case .gapDoesNotFit: "gap"
    case .timeDecreases: "t"
    case .patchWithoutBase, .changesMissing, .patch: "patch"
    case .outputs: "outputs"
    }
  }
}
