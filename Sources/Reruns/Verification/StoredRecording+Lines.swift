internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

extension StoredRecording {
  /// Stored entries, from a known moment on.
  struct Lines: Sendable {
    var request: ToRecorder.Confirm
    /// The number of entries.
    var count: Int64
  }

  /// The minimum ratio of line bytes to the bytes of a large state in the same message.
  private static let linesPerState = 4
  /// The maximum bytes of a message, also with a large state.
  private static let mostLinesBytes = 4 << 20

  /// The lines of a range of seqs from its start, as many as belong in one message; `nil` if the
  /// first is missing or the moment before it is unknown.
  ///
  /// Entries are not parsed: the stored bytes are passed on.
  ///
  /// - Parameter bytes: the approximate bytes of lines in a message; more next to a large state.
  func lines(in seqs: ClosedRange<Int64>, bytes: Int) async throws -> Lines? {
    guard seqs.lowerBound > 0, let before = try await snapshot(at: seqs.lowerBound - 1) else {
      return nil
    }
    let (state, outputs) = (try before.state.slice, try before.outputs.slice)
    let bytes = min(
      max(bytes, Self.linesPerState * state.range.count), Self.mostLinesBytes)
    return try await store.read { [id, make] reader in
      let lineage = try reader.lineage(of: id)
      var text: [UInt8] = []
      // A piece of the store has fewer.
      text.reserveCapacity(bytes + (256 << 10))
      text.append(UInt8(ascii: "["))
      var next = seqs.lowerBound
      while next <= seqs.upperBound, text.count < bytes,
        let piece = try reader.piece(of: lineage, at: next), piece.seqs.contains(next)
      {
        let run = try piece.content.get()
        let last = min(piece.seqs.upperBound, seqs.upperBound)
        run.appendLines(Int(next - run.first)...Int(last - run.first), to: &text)
        next = last + 1
      }
      guard next > seqs.lowerBound else { return nil }
      // The comma after the last line.
      text[text.count - 1] = UInt8(ascii: "]")
      var request = ToRecorder.Confirm()
      request.make = make
      request.state = state
      request.outputState = outputs
      request.seq = seqs.lowerBound
      request.lines = JSONSlice(checkedBefore: text, at: text.indices)
      return Lines(request: request, count: next - seqs.lowerBound)
    }
  }
}

extension EntryRun {
  /// Appends lines, with a comma after each.
  fileprivate func appendLines(_ indices: ClosedRange<Int>, to text: inout [UInt8]) {
    let start = place(at: indices.lowerBound).lowerBound
    let offset = text.count - start
    text.append(contentsOf: bytes[start...ends[indices.upperBound]])
    for index in indices { text[offset + ends[index]] = UInt8(ascii: ",") }
  }
}
