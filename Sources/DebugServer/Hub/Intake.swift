internal import JSONCore
package import TimelineStore
package import Timelines
package import Wire

/// A timeline that is being written: what was received, what is stored, what waits.
///
/// Entries go to the store in order, one batch at a time; those that arrive meanwhile make the next
/// batch.
package struct Intake: Sendable {
  /// Entries for the store, and the connections whose credit they used.
  ///
  /// They are copied out of their frames, so that a waiting entry takes no more memory than its
  /// line.
  package struct Batch: Sendable {
    package var entries: AppendBatch
    /// The bytes of their frames, by connection.
    package var credit: [PeerID: Int] = [:]

    package init(_ timeline: TimelineID) {
      entries = AppendBatch(timeline)
    }

    package var hasEntries: Bool { !entries.isEmpty }

    /// Whether there is nothing to store and no credit to return.
    package var isEmpty: Bool { entries.isEmpty && credit.isEmpty }

    /// The bytes of all frames.
    package var bytes: Int { credit.values.reduce(0, +) }
  }

  package enum Phase: Sendable {
    /// Waiting for the store to report the end of the timeline; entries wait.
    case opening([(append: FromRecorder.Append, bytes: Int)])
    /// Accepting entries.
    case open
  }

  package var phase: Phase

  /// The identity that another header of the timeline must match. The store keeps the header
  /// itself.
  package let identity: HeaderIdentity

  package let headerBytes: Int

  /// The connection that writes it; `nil` once it is gone.
  package var writer: PeerID?

  /// Whether its writer sent an invalid entry. The entries before it are still stored and
  /// acknowledged; then the timeline has no writer.
  package var isRefused = false

  /// Why entries that came while the timeline was opened cannot be read; those after them are
  /// refused.
  package var earlyError: MessageError?

  /// The end of the received entries.
  package var sequence = EntrySequence()

  /// The last durable entry; `nil` at first.
  package var durable: Int64?

  /// What waits for the store.
  package var waiting: Batch

  /// What the store is writing.
  package var flight: Batch?

  /// The end of the timeline on its connection, after its entries.
  package var ending: Ending?

  /// How a timeline ends on a connection.
  package enum Ending: Sendable {
    /// Its machine ended, with the losses at its end, which are to be stored.
    case finish(Gap?)
    /// The store was asked to store the end.
    case finishing(Gap?)
    /// Its machine runs on.
    case park
  }

  /// An intake that waits for the store.
  package init(_ header: Header, writer: PeerID) {
    phase = .opening([])
    identity = HeaderIdentity(header)
    headerBytes = header.line.range.count
    self.writer = writer
    waiting = Batch(header.timeline)
  }

  /// Whether it has no writer and nothing to store.
  package var isIdle: Bool {
    guard case .open = phase else { return writer == nil }
    return writer == nil && flight == nil && waiting.isEmpty && ending == nil
  }

  /// Receives the entries of an `append`, up to the first invalid one.
  ///
  /// Entries that are already stored are skipped and counted.
  package mutating func receive(
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
        try sequence.append(entry)
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

extension HeaderError {
  /// The error as the answer to an `open`.
  var inMessage: MessageError {
    let path = "header" + (key.map { "." + $0 } ?? "")
    if case .missing = reason { return MessageError(.missing, path: path) }
    return MessageError(.wrongValue(description), path: path)
  }
}

extension EntryError {
  /// The error as the answer to an `append`.
  func inMessage(at index: Int) -> MessageError {
    let path = "entries[\(index)]" + (key.map { "." + $0 } ?? "")
    if case .missing = reason { return MessageError(.missing, path: path) }
    return MessageError(.wrongValue(description), path: path)
  }
}

extension TimelineError {
  /// The error as the answer to an `append`.
  func inMessage(at index: Int) -> MessageError {
    MessageError(.wrongValue(description), path: "entries[\(index)].\(key)")
  }

  /// The error if the frame of the entry is unknown: entries of several frames are stored together.
  var inMessage: MessageError { MessageError(.wrongValue(description), path: key) }

  /// The invalid key of the entry.
  private var key: String {
    switch reason {
    case .notAfter, .skips, .beyondNumbers: "seq"
    case .gapDoesNotFit: "gap"
    case .timeDecreases, .timeBeyondNumbers: "t"
    case .patchWithoutBase, .changesMissing, .patch: "patch"
    case .outputs: "outputs"
    }
  }
}
