internal import TimelineStore
internal import Timelines
internal import Wire

/// Chunks of copies that arrive in parts, and the turn to check one.
///
/// A transfer that was cut begins its chunk again, so parts are useless once their connection has
/// ended. When they exceed a limit, the oldest chunk is dropped.
actor Deposits {
  private struct Partial {
    var chunk: PackedRun
    let size: Int64
    let order: Int
  }

  /// The maximum bytes of all chunks in parts: one of the longest, and some room.
  private static let limit = PackedRun.maximumFrame + 32 << 20

  /// The maximum number of chunks in parts. Each may have only a byte, and costs much more.
  private static let maximumCount = 256

  private var partials: [TimelineID: Partial] = [:]
  private var count = 0
  private var isChecking = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Adds a chunk, or the next part of one; returns the chunk once it is complete.
  func add(_ part: CopiedChunk, of timeline: TimelineID) throws -> PackedRun? {
    // Otherwise a part could arrive after the parts of its connection were dropped.
    try Task.checkCancellation()
    guard let data = Base64.decode(part.data) else {
      throw Refusal(.wrongValue, "The chunk is not base64.", path: "chunks")
    }
    guard let size = part.size else {
      partials[timeline] = nil
      return PackedRun(first: part.first, last: part.last, bytes: part.bytes, frame: data)
    }
    guard size <= PackedRun.maximumFrame else {
      throw Refusal(
        .limit, "A chunk can have at most \(PackedRun.maximumFrame) bytes.", path: "chunks")
    }
    var partial = try begun(part, size: size, of: timeline)
    partial.chunk.frame += data
    let received = Int64(partial.chunk.frame.count)
    guard !data.isEmpty, received <= size else {
      throw Refusal(
        .wrongValue, "The chunk was announced with \(size) bytes, but has a different length.",
        path: "chunks")
    }
    guard received == size else {
      partials[timeline] = partial
      dropOldest(except: timeline)
      return nil
    }
    return partial.chunk
  }

  /// Removes and returns the chunk that a part continues, or a new one for its first part.
  private func begun(
    _ part: CopiedChunk, size: Int64, of timeline: TimelineID
  ) throws -> Partial {
    let offset = part.offset ?? 0
    let known = partials.removeValue(forKey: timeline)
    if offset == 0 {
      count += 1
      return Partial(
        chunk: PackedRun(first: part.first, last: part.last, bytes: part.bytes, frame: []),
        size: size, order: count)
    }
    guard let known, known.size == size, known.chunk.first == part.first,
      known.chunk.last == part.last, known.chunk.bytes == part.bytes,
      Int64(known.chunk.frame.count) == offset
    else {
      throw Refusal(
        .conflict, "The chunk does not continue at \(offset). To fix, begin it again.",
        path: "chunks")
    }
    return known
  }

  /// Drops the parts of a chunk that was not completed.
  func drop(_ timeline: TimelineID) { partials[timeline] = nil }

  /// The timelines with a chunk that is not complete.
  var unfinished: Set<TimelineID> { Set(partials.keys) }

  private func dropOldest(except newest: TimelineID) {
    while partials.count > Self.maximumCount
      || partials.values.reduce(Int64(0), { $0 + Int64($1.chunk.frame.count) }) > Self.limit
    {
      let oldest = partials.filter { $0.key != newest }.min { $0.value.order < $1.value.order }
      guard let oldest else { return }
      partials[oldest.key] = nil
    }
  }

  /// Performs work that may decompress a whole chunk, one at a time, so that memory is bounded.
  func inTurn<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    if isChecking { await withCheckedContinuation { waiting.append($0) } }
    isChecking = true
    defer {
      if waiting.isEmpty { isChecking = false } else { waiting.removeFirst().resume() }
    }
    return try await work()
  }
}
