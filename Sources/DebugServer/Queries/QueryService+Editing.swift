internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  func rename(_ asked: FromInspector.Rename) async throws -> ToInspector.Done {
    try TextLimit.check(asked.name, path: "name")
    try await store.rename(asked.timeline, to: asked.name.isEmpty ? nil : asked.name)
    return ToInspector.Done()
  }

  func mark(_ asked: FromInspector.Mark) async throws -> ToInspector.Done {
    if let text = asked.text { try TextLimit.check(text, path: "text") }
    try await store.mark(asked.timeline, at: asked.seq, asked.text)
    return ToInspector.Done()
  }

  func delete(_ asked: FromInspector.Delete) async throws -> [TimelineID] {
    try await store.delete(asked.timeline, cascading: asked.cascade)
  }

  func prune(
    _ asked: FromInspector.Prune, live: @escaping @Sendable () async -> Set<TimelineID>
  ) async throws -> ToInspector.Prune {
    let retention = Retention(
      bytes: asked.bytes, seconds: asked.seconds, perApp: asked.perApp.map { Int(clamping: $0) })
    var pruned = try await store.prune(retention, live: live)
    // The daemon's own retention tries again by itself; a request does not.
    if pruned.isWaiting { pruned.sentences.append("To apply it, prune again when that is done.") }
    return ToInspector.Prune(pruned)
  }

  func check(_ asked: FromInspector.Check) async throws -> ToInspector.Check {
    let report = try await store.check(thorough: asked.thorough)
    return ToInspector.Check {
      $0.timelines = Int64(report.timelines)
      $0.entries = report.entries
      $0.findings = report.findings.map { finding in
        ToInspector.Finding {
          $0.text = finding.text
          $0.timeline = finding.timeline
          $0.seqs = finding.seqs.map { SeqRange($0) }
          $0.origin = finding.origin
        }
      }
    }
  }
}

extension ToInspector.Prune {
  /// The losses of a retention run.
  init(_ pruned: Pruned) {
    self.init {
      $0.deleted = pruned.deleted
      $0.shortened = pruned.shortened
      $0.sentences = pruned.sentences
    }
  }
}
