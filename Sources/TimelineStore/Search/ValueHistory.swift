internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// The changes of the value at a root over a short stretch.
struct ValueHistory {
  /// An entry whose patch affects the root.
  struct Step {
    var seq: Int64
    /// The value before; `nil` if there was none.
    var old: JSON?
    /// The value after; `nil` if there is none.
    var new: JSON?
    /// Whether the value before is known.
    var isKnown: Bool
    /// The paths of stand-ins, before the entry or after it.
    var hidden: [Pointer] = []
  }

  /// The value before the first step.
  private(set) var start: JSON?

  private(set) var isStartKnown = false

  /// The entries that affect the root, ascending.
  private(set) var steps: [Step] = []

  /// The runs that could not be read.
  private(set) var damaged: [ClosedRange<Int64>] = []

  /// The value after the last step.
  private(set) var end: JSON?

  /// The paths of stand-ins after the last entry that was read.
  private var hidden: [Pointer] = []

  /// Reads the entries after a keyframe up to a seq; without a keyframe, only that seq.
  ///
  /// It skips runs that, according to the index, do not affect the root.
  init(
    of root: ValueRoot, after keyframe: Int64?, through last: Int64, in source: SearchSource
  ) throws(StoreError) {
    let keys = PathKeys(root).all
    var values = TrackedValues([root])
    var seq = keyframe ?? last
    while seq <= last, let place = try source.run(from: seq), place.seqs.lowerBound <= last {
      let isBetween = place.seqs.upperBound < last && !place.seqs.contains(keyframe ?? last)
      if place.seqs.lowerBound > seq { values.forget() }
      let isSkipped = isBetween ? try Self.isUnconcerned(place, keys, in: source) : false
      if !isSkipped {
        if let run = try source.entries(of: place) {
          let range = max(seq, place.seqs.lowerBound)...min(last, place.seqs.upperBound)
          read(run, range, startingAt: keyframe, &values)
        } else {
          values.forget()
          damaged.append(place.seqs)
        }
      }
      guard place.seqs.upperBound < last else { break }
      seq = place.seqs.upperBound + 1
    }
    end = values.values[0]
  }

  private static func isUnconcerned(
    _ place: RunHead, _ keys: [PostingKey], in source: SearchSource
  ) throws(StoreError) -> Bool {
    guard place.isIndexed else { return false }
    for key in keys + [.unknown, .gap] {
      if let found = try source.postings(key, from: place.seqs.lowerBound),
        found.lowerBound <= place.seqs.upperBound
      {
        return false
      }
    }
    return true
  }

  private mutating func read(
    _ run: EntryRun, _ seqs: ClosedRange<Int64>, startingAt keyframe: Int64?,
    _ values: inout TrackedValues
  ) {
    run.bytes.withUnsafeBufferPointer { bytes in
      for seq in seqs {
        let fields = LineFields(bytes, line: run.place(at: Int(seq - run.first)))
        // After a `gap`, the value before is not the last one that was read.
        let isKnown = values.isKnown && fields.gap.isEmpty
        let old = isKnown ? values.values[0] : .none
        let step = values.advance(fields, bytes, of: run.bytes)
        let hiddenBefore = hidden
        hidden = fields.redacted.isEmpty ? [] : bytes.pointers(at: fields.redacted)
        if seq == keyframe {
          start = values.values[0]
          isStartKnown = values.isKnown
        } else if step == .touched {
          steps.append(
            Step(
              seq: seq, old: old, new: values.values[0], isKnown: isKnown,
              hidden: hiddenBefore + hidden))
        }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The pointers that are the keys of the object at a place.
  func pointers(at object: Range<Int>) -> [Pointer] {
    var pointers: [Pointer] = []
    var members = LineMembers(self, object: object)
    while let member = members.next() {
      if let pointer = try? Pointer(text(inside: member.key)) { pointers.append(pointer) }
    }
    return pointers
  }
}
