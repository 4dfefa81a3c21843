internal import Wire

/// Where a transfer continues: after an entry, or inside the chunk that follows it.
struct CopyCursor: Sendable {
  /// A chunk of which some parts were sent.
  struct Part: Hashable, Sendable {
    var first: Int64
    var last: Int64
    var size: Int64
    /// Where the next part begins.
    var offset: Int64
  }

  /// The last entry of the copy; `nil` for none.
  private(set) var after: Int64?
  private(set) var part: Part?

  /// How often a chunk was begun again.
  private var restarts = 0

  /// The maximum of that: a chunk changes only once, when the source seals the tail, and its parts
  /// are dropped only when others arrive at the same time.
  private static let maximumRestarts = 8

  init(after: Int64?) {
    self.after = after
  }

  /// Continues after chunks of the source, or a part of one. Returns false if the source has sealed
  /// the entries since the previous part, so that the chunk is another one and begins again.
  ///
  /// The source is not trusted: chunks that do not advance would never end.
  mutating func advance(over chunks: [CopiedChunk]) throws(BackendError) -> Bool {
    guard chunks.count == 1 || chunks.allSatisfy({ $0.size == nil }) else {
      throw .unexpected("a part of a chunk next to others")
    }
    var last = after ?? -1
    for chunk in chunks {
      guard chunk.first > last, chunk.first <= chunk.last else {
        throw .unexpected("chunks that are not in order")
      }
      last = chunk.last
    }
    guard let final = chunks.last, let size = final.size else {
      guard part == nil else { return try restart() }
      after = last
      return true
    }
    let next = Part(first: final.first, last: final.last, size: size, offset: final.offset ?? 0)
    guard next == part ?? Part(first: next.first, last: next.last, size: size, offset: 0) else {
      return try restart()
    }
    let (end, overflow) = next.offset.addingReportingOverflow(final.dataBytes)
    guard !overflow, !final.data.isEmpty, end <= size else {
      throw .unexpected("a part that does not fit its chunk")
    }
    if end == size {
      (after, part, restarts) = (last, nil, 0)
    } else {
      part = Part(first: next.first, last: next.last, size: size, offset: end)
    }
    return true
  }

  /// Whether it is inside a chunk that may begin again.
  var canRestart: Bool { part != nil && restarts < Self.maximumRestarts }

  /// The place before the chunk of which some parts were sent.
  func atStartOfChunk() -> CopyCursor {
    var cursor = self
    cursor.part = nil
    cursor.restarts += 1
    return cursor
  }

  private mutating func restart() throws(BackendError) -> Bool {
    restarts += 1
    guard restarts <= Self.maximumRestarts else {
      throw .unexpected("a chunk that changes with each part")
    }
    part = nil
    return false
  }
}

extension CopiedChunk {
  /// The bytes that its base64 stands for.
  var dataBytes: Int64 {
    let padding = data.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
    return Int64(max(0, data.utf8.count / 4 * 3 - padding))
  }
}
