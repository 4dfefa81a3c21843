internal import JSONCore
internal import TimelineStore
internal import Timelines

extension Recording {
  /// Entries as they are stored, from a known moment on.
  struct Lines: Sendable {
    /// What a host is asked about them.
    var request: ToRecorder.Confirm
    /// How many there are.
    var count: Int64
  }

  /// A large state travels with so many times its own bytes of lines at least.
  private static let linesPerState = 4
  /// A message has no more than this for a large state either.
  private static let mostLinesBytes = 4 << 20

  /// The lines of a range of seqs from its beginning, as many as belong in one message; `nil` where
  /// the first is not there or the moment before it is not known.
  ///
  /// No entry is looked at: the bytes of the store are handed on.
  ///
  /// - Parameter bytes: about the bytes of lines in a message; more beside a large state.
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
      // A piece of the store has less than this.
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
  /// Appends lines, a comma after each.
  fileprivate func appendLines(_ indices: ClosedRange<Int>, to text: inout [UInt8]) {
    let start = place(at: indices.lowerBound).lowerBound
    let offset = text.count - start
    text.append(contentsOf: bytes[start...ends[indices.upperBound]])
    for index in indices { text[offset + ends[index]] = UInt8(ascii: ",") }
  }
}
