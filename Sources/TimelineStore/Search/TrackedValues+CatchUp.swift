// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

extension TrackedValues {
  /// Reads the entries from a keyframe up to the one before a seq.
  mutating func catchUp(
    from keyframe: Int64, to end: Int64, _ source: SearchSource
  ) throws(StoreError) {
    var next = keyframe
    while next < end, let place = try source.run(from: next), place.seqs.lowerBound < end {
      if place.seqs.lowerBound > next { forget() }
      let range = max(next, place.seqs.lowerBound)...min(end - 1, place.seqs.upperBound)
      if let run = try source.entries(of: place) {
        run.bytes.withUnsafeBufferPointer { bytes in
          for seq in range {
            let line = run.place(at: Int(seq - run.first))
            _ = advance(LineFields(bytes, line: line), bytes, of: run.bytes)
          }
        }
      } else {
        forget()
      }
      next = range.upperBound + 1
    }
  }
}
