internal import JSONCore
internal import Synchronization
internal import Timelines
internal import Wire

/// The result of running a stretch of events on a host.
struct Rerun: Sendable {
  /// The entries, in order.
  var entries: [Entry] = []
  /// Why there are fewer entries than events.
  var ended: EarlyEnd?
}

extension ReducerHosting {
  /// Runs a request to its end, and collects the entries.
  func rerun(_ request: ToRecorder.Reduce) async throws -> Rerun {
    let outcome = Mutex(Rerun())
    try await reduce(request) { part in
      var read: [Entry] = []
      read.reserveCapacity(part.entries.count)
      for line in part.entries {
        do {
          read.append(try Entry(reading: line))
        } catch {
          throw Refusal(.failed, "The host answered with an invalid entry: \(error)")
        }
      }
      outcome.withLock {
        $0.entries += read
        $0.ended = part.ended ?? $0.ended
      }
    }
    let rerun = outcome.withLock { $0 }
    let first = request.seq
    for (offset, entry) in rerun.entries.enumerated() where entry.seq != first + Int64(offset) {
      throw Refusal(
        .failed, "The host answered entry \(entry.seq) where \(first + Int64(offset)) was expected."
      )
    }
    // A host that makes a fresh machine, or is given its first state, answers entry 0 as well.
    let asked = request.steps.count + (first == 0 ? 1 : 0)
    guard rerun.entries.count <= asked, rerun.ended != nil || rerun.entries.count == asked else {
      throw Refusal(
        .failed,
        "The host answered \(Counted.entries(rerun.entries.count)) where \(asked) were expected.")
    }
    return rerun
  }
}

extension ToRecorder.Reduce {
  /// Runs recorded entries again from the moment before the first of them.
  ///
  /// - Parameter before: that moment; `nil` for entry 0, whose state a fresh machine has.
  init(again entries: some Sequence<Entry>, make: String, from before: Snapshot?) throws {
    self.init()
    self.make = make
    if let before {
      state = try before.state.slice
      outputState = try before.outputs.slice
    }
    var isFirst = true
    for entry in entries {
      if isFirst { seq = entry.seq }
      isFirst = false
      if entry.seq > 0 { steps.append(ToRecorder.ReduceStep(again: entry)) }
    }
  }
}
