internal import Timelines
internal import Wire

/// What is written to the audit file.
extension Hub {
  /// Records that an inspector did something.
  mutating func audit(
    _ event: String, by peer: PeerID, timeline: TimelineID? = nil, other: String? = nil
  ) {
    guard let admission = inspectors[peer]?.admission else { return }
    var entry = AuditEntry(
      event, session: admission.session ?? "local", client: admission.name, timeline: timeline,
      other: other)
    if Self.views.contains(event) {
      guard let omitted = allowances.views.request(now: now) else { return }
      entry.omitted = omitted
    }
    actions.append(.audit(entry))
  }

  /// What sessions can do that can only look.
  private static let views: Set = [
    "session.opened", "timeline.viewed", "timeline.exported", "timeline.copied",
  ]

  /// Records a request that was carried out, if it is one about which others may ask.
  mutating func audit(_ request: FromInspector, by peer: PeerID) {
    switch request {
    case .watch(let watch):
      guard let timeline = watch.timeline, !watch.stop else { return }
      audit("timeline.viewed", by: peer, timeline: timeline)
    case .fork(let fork): audit("branch.made", by: peer, timeline: fork.timeline)
    case .rename(let rename): audit("timeline.renamed", by: peer, timeline: rename.timeline)
    case .delete(let delete): audit("timeline.deleted", by: peer, timeline: delete.timeline)
    case .mark(let mark): audit("entry.marked", by: peer, timeline: mark.timeline)
    case .export(let export): audit("timeline.exported", by: peer, timeline: export.timeline)
    case .manifest(let manifest): audit("timeline.copied", by: peer, timeline: manifest.timeline)
    case .offer: audit("copy.received", by: peer)
    case .part(let part):
      // `import` only begins an upload.
      if part.last { audit("file.imported", by: peer) }
    case .prune: audit("timelines.pruned", by: peer)
    case .host: audit("host.started", by: peer)
    case .hello, .timelines, .entries, .state, .raw, .diff, .changes, .find, .column, .series,
      .overview, .compute, .`import`, .verify, .compare, .minimize, .explore, .explain, .cancel,
      .hold, .restore, .dispatch, .step, .resume, .capture, .growth, .invariants, .source, .filters,
      .status, .check, .sessions, .revoke, .invite, .hosts, .fetch, .deposit, .finish, .error:
      return
    }
  }

  /// Records a request that its sender canceled or left: it may have been carried out.
  mutating func auditCanceled(_ ticket: Ticket) {
    guard case .request(let peer, _, let request) = works[ticket] else { return }
    audit(request, by: peer)
  }

  /// Records a command to a live machine that was sent to its app.
  mutating func audit(_ command: ToRecorder, of timeline: TimelineID, by peer: PeerID) {
    switch command {
    case .hold: audit("machine.held", by: peer, timeline: timeline)
    case .dispatch: audit("event.sent", by: peer, timeline: timeline)
    case .step: audit("machine.stepped", by: peer, timeline: timeline)
    case .restore: audit("state.restored", by: peer, timeline: timeline)
    case .resume: audit("machine.released", by: peer, timeline: timeline)
    case .capture: audit("capture.changed", by: peer, timeline: timeline)
    case .challenge, .welcome, .ack, .credit, .gone, .reduce, .confirm, .cancel, .notice, .error:
      return
    }
  }
}
