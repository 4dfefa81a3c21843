internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

extension StoredRecording {
  /// Whether it is of a form: its undo and redo go back to the states of earlier entries.
  var isForm: Bool { header.machine.kind == "form" }

  /// The earlier states that entries need to be run again.
  struct Remembered: Sendable {
    var states: [ToRecorder.RememberedState] = []
    /// How many of the entries can be run with them: the next one goes back to a state that is
    /// unknown or does not fit into the message.
    var count: Int
  }

  /// The maximum bytes of states next to the events of one request.
  private static let rememberedBytes = 8 << 20

  /// The states that entries go back to, if these are before them.
  ///
  /// - Parameter known: returns a state that replaces the recorded one.
  func remembered(
    for entries: ArraySlice<Entry>, known: (Int64) -> JSON? = { _ in nil }
  ) async throws -> Remembered {
    var remembered = Remembered(count: entries.count)
    guard isForm, let first = entries.first?.seq else { return remembered }
    var found: Set<Int64> = []
    var bytes = 0
    for (offset, entry) in entries.enumerated() {
      guard let seq = entry.event?.undone, seq < first, found.insert(seq).inserted else { continue }
      var state = known(seq)
      if state == nil, seq >= 0 { state = try await snapshot(at: seq)?.state }
      guard let slice = try state?.slice, bytes == 0 || bytes < Self.rememberedBytes else {
        remembered.count = offset
        return remembered
      }
      bytes += slice.range.count
      remembered.states.append(ToRecorder.RememberedState(was: seq, seq: seq, slice))
    }
    return remembered
  }

  /// Whether anything before an entry holds a stand-in for a redacted value.
  func hasStandIns(before seq: Int64) async throws -> Bool {
    guard let seqs, seqs.lowerBound < seq else { return false }
    return try await store.read { [id] reader in
      try reader.outline(of: reader.lineage(of: id), through: seq - 1, fixedPointsIn: [])?
        .hasStandIns ?? false
    }
  }
}
