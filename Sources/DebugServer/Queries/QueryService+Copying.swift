internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

/// Copying timelines to and from other daemons.
extension QueryService {
  typealias LiveTimelines = @Sendable () async -> Set<TimelineID>

  // MARK: The original

  func manifest(_ asked: FromInspector.Manifest) async throws -> ToInspector.Manifest {
    let (record, own) = try await store.read { reader in
      (try reader.timeline(asked.timeline), try reader.ownExtent(of: asked.timeline))
    }
    guard record.computing == nil else {
      throw Refusal(
        .conflict,
        """
        The branch \(record.id) is not computed yet. To fix, try again once it is; only a running \
        daemon computes it.
        """, timeline: record.id)
    }
    let summary = try summary(record)
    let compared = asked.compared
    let digest = try await Self.digest(store, record.id, compared?.seqs)
    return ToInspector.Manifest {
      $0.header = summary.header
      $0.first = own?.first
      $0.last = own?.last
      $0.shares = record.parent != nil
      $0.name = record.name
      $0.marks = summary.marks
      $0.closed = record.isClosed
      $0.gap = record.lostAtEnd
      $0.ended = record.ended
      $0.digest = digest
    }
  }

  func fetch(_ asked: FromInspector.Fetch) async throws -> ToInspector.Fetch {
    var chunks: [CopiedChunk] = []
    var size = 0
    var after = asked.after
    while chunks.count < Self.chunksInMessage {
      try Task.checkCancellation()
      let (id, seq) = (asked.timeline, after)
      guard let run = try await store.read({ try $0.packedRun(of: id, after: seq) }) else { break }
      if run.frame.count > limits.wire.partBytes, chunks.isEmpty {
        chunks = [try part(of: run, at: asked.offset ?? 0)]
      }
      size += run.frame.count
      guard size <= limits.wire.partBytes else { break }
      chunks.append(
        CopiedChunk {
          $0.first = run.first
          $0.last = run.last
          $0.bytes = run.bytes
          $0.data = Base64.encode(run.frame)
        })
      after = run.last
    }
    return ToInspector.Fetch { $0.chunks = chunks }
  }

  /// Small chunks are many; with their keys, they fit into a message.
  private static let chunksInMessage = 256

  private func part(of run: PackedRun, at offset: Int64) throws -> CopiedChunk {
    guard offset < Int64(run.frame.count) else {
      throw Refusal(
        .wrongValue, "The chunk has \(run.frame.count) bytes.", path: "offset")
    }
    let bytes = run.frame[Int(offset)...].prefix(limits.wire.partBytes)
    return CopiedChunk {
      $0.first = run.first
      $0.last = run.last
      $0.bytes = run.bytes
      $0.size = Int64(run.frame.count)
      $0.offset = offset
      $0.data = Base64.encode(bytes)
    }
  }

  private static func digest(
    _ store: Store, _ id: TimelineID, _ seqs: ClosedRange<Int64>?
  ) async throws -> String? {
    guard let seqs else { return nil }
    return try await store.digest(of: id, in: seqs)
  }

  // MARK: The copy

  func offer(
    _ asked: FromInspector.Offer, live: @escaping LiveTimelines
  ) async throws -> ToInspector.Offer {
    let header = try received(asked.header)
    let offered = try Self.extent(asked)
    try await refuseLive(header.timeline, live)
    try await store.beginCopy(header, shares: asked.shares)
    let (record, own) = try await store.read { reader in
      (try reader.timeline(header.timeline), try reader.ownExtent(of: header.timeline))
    }
    let compared = own.flatMap { own in offered.flatMap { own.compared(with: $0) } }
    let digest = try await Self.digest(store, record.id, compared)
    return ToInspector.Offer {
      $0.last = own?.last
      $0.compared = compared.map { SeqRange($0) }
      $0.digest = digest
      $0.marked = record.marks.isEmpty ? nil : record.marks.map(\.seq)
      $0.named = record.name != nil
      $0.closed = record.isClosed
      $0.ended = record.ended
    }
  }

  func deposit(
    _ asked: FromInspector.Deposit, live: @escaping LiveTimelines
  ) async throws -> ToInspector.Done {
    let id = asked.timeline
    try await refuseLive(id, live)
    var runs: [PackedRun] = []
    for chunk in asked.chunks.prefix(Self.chunksInMessage) {
      if let run = try await deposits.add(chunk, of: id) { runs.append(run) }
    }
    guard asked.chunks.count <= Self.chunksInMessage else {
      throw Refusal(
        .limit, "A message can have at most \(Self.chunksInMessage) chunks.", path: "chunks")
    }
    guard !runs.isEmpty else { return ToInspector.Done() }
    let last = try await deposits.inTurn { [store, runs] in try await store.adopt(runs, into: id) }
    return ToInspector.Done { $0.seq = last }
  }

  func finish(
    _ asked: FromInspector.Finish, live: @escaping LiveTimelines
  ) async throws -> ToInspector.Done {
    try await refuseLive(asked.timeline, live)
    if let name = asked.name { try TextLimit.check(name, path: "name") }
    if let gap = asked.gap {
      guard (1...Entry.lastNumber).contains(gap.lost) else {
        throw Refusal(.wrongValue, "A gap has a 'lost' of 1 or more.", path: "gap")
      }
      try TextLimit.check(gap.why, path: "gap")
    }
    var extras = CopyExtras()
    for mark in asked.marks ?? [] {
      try TextLimit.check(mark.text, path: "marks")
      extras.marks.append(.init(seq: mark.seq, text: mark.text))
    }
    extras.name = asked.name
    extras.isClosed = asked.closed
    extras.lostAtEnd = asked.gap
    extras.ended = asked.ended
    try await store.finishCopy(asked.timeline, extras)
    return ToInspector.Done()
  }

  private func received(_ line: JSONSlice) throws -> Header {
    guard line.range.count <= limits.headerBytes else {
      throw Refusal(
        .limit, "A header can have at most \(limits.headerBytes) bytes.", path: "header")
    }
    do {
      return try Header(receiving: line)
    } catch {
      throw Refusal(.wrongValue, "The header is refused: \(error).", path: "header")
    }
  }

  private static func extent(_ asked: FromInspector.Offer) throws -> OwnExtent? {
    switch (asked.first, asked.last) {
    case (nil, nil): return nil
    case (let first?, let last?) where first <= last: return OwnExtent(first: first, last: last)
    case (_?, _?), (_?, nil), (nil, _?):
      throw Refusal(.wrongValue, "'first' and 'last' are not a range.", path: "first")
    }
  }

  private func refuseLive(_ id: TimelineID, _ live: LiveTimelines) async throws {
    guard await live().contains(id) else { return }
    throw Refusal(
      .conflict,
      """
      A recorder is writing the timeline \(id) to that daemon. To fix, push it once the recorder \
      has ended it.
      """, timeline: id)
  }
}
