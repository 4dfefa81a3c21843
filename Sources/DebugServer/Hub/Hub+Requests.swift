internal import JSONCore
internal import Reruns
internal import Timelines
internal import Wire

/// Requests of inspectors, and their answers.
extension Hub {
  mutating func ask(_ request: FromInspector, id: RequestID, by peer: PeerID) {
    guard !closeIfExpired(peer) else { return }
    if let refusal = refusalOfCopy(request, by: peer) { return refuse(id, with: refusal, to: peer) }
    switch request {
    case .hold(let hold): self.hold(hold, id: id, by: peer)
    case .restore(let restore): self.restore(restore, id: id, by: peer)
    case .dispatch(let dispatch):
      command(.dispatch(dispatch), of: dispatch.timeline, lease: dispatch.lease, id: id, by: peer)
    case .step(let step):
      command(.step(step), of: step.timeline, lease: step.lease, id: id, by: peer)
    case .resume(let resume):
      command(.resume(resume), of: resume.timeline, lease: resume.lease, id: id, by: peer)
    case .capture(let capture): self.capture(capture, id: id, by: peer)
    case .sessions: answer(id, with: .sessions(sessionList(for: peer)), to: peer)
    case .revoke(let revoke): self.revoke(revoke.session, id: id, by: peer)
    case .invite(let invite): self.invite(invite, id: id, by: peer)
    case .hosts:
      answer(id, with: .hosts(ToInspector.Hosts { $0.hosts = hosts.summaries }), to: peer)
    case .watch(let watch) where watch.stop: unwatch(watch, id: id, by: peer)
    case .watch(let watch) where watch.timeline == nil:
      inspectors[peer]?.news.watchesList = true
      answer(id, with: .done(ToInspector.Done()), to: peer)
      reportHolders(to: peer)
      reportSessions(to: peer)
    case .watch(let watch): begin(watch, id: id, by: peer)
    case .`import`: beginUpload(request, id: id, by: peer)
    case .hello, .timelines, .entries, .state, .raw, .diff, .changes, .find, .column, .series,
      .overview, .compute, .fork, .rename, .delete, .mark, .part, .export, .verify, .compare,
      .minimize, .cancel, .status, .prune, .check, .host, .explore, .explain, .growth, .invariants,
      .source,
      .filters, .manifest,
      .fetch,
      .offer,
      .deposit,
      .finish, .error:
      query(request, id: id, by: peer)
    }
  }

  private mutating func query(_ request: FromInspector, id: RequestID, by peer: PeerID) {
    if case .deposit(let deposit) = request,
      let oldest = inspectors[peer]?.rememberParts(of: deposit)
    {
      drop(partsOf: oldest)
    }
    inspectors[peer]?.line.append((id, request))
    startLine(of: peer)
  }

  /// Starts waiting queries, up to the limit of running ones.
  mutating func startLine(of peer: PeerID) {
    while queuedOfInspectors <= settings.limits.queuedBytesOfInspectors
      || inspectors[peer]?.queued == 0, let (id, request) = inspectors[peer]?.nextInLine()
    {
      let ticket = ticket(for: .request(peer, id, request))
      inspectors[peer]?.began(id, ticket)
      actions.append(.query(ticket, .request(request)))
    }
  }

  private mutating func begin(_ watch: FromInspector.Watch, id: RequestID, by peer: PeerID) {
    let limit = settings.limits.watches
    guard let news = inspectors[peer]?.news, let timeline = watch.timeline else { return }
    guard news.watches[timeline] != nil || news.watches.count < limit else {
      return refuse(
        id, with: Refusal(.limit, "An inspector can watch at most \(limit) timelines."), to: peer)
    }
    query(.watch(watch), id: id, by: peer)
    reportHolders(timeline, to: peer)
  }

  private mutating func beginUpload(_ request: FromInspector, id: RequestID, by peer: PeerID) {
    let isSession = inspectors[peer]?.admission?.session != nil
    let limit = isSession ? settings.limits.uploadsOfSession : settings.limits.uploadsOfSocket
    guard uploadsOfGroup(of: peer) < limit else {
      let all = isSession ? "A session" : "All commands together"
      return refuse(
        id,
        with: Refusal(
          .limit,
          "\(all) can upload at most \(limit) files at once. To fix, wait until one is complete."),
        to: peer)
    }
    query(request, id: id, by: peer)
  }

  /// The uploads in progress or requested of an inspector's session, or of all connections over the
  /// Unix socket.
  private func uploadsOfGroup(of peer: PeerID) -> Int {
    let session = inspectors[peer]?.admission?.session
    return inspectors.reduce(0) { sum, other in
      guard let admission = other.value.admission, admission.session == session else { return sum }
      let requested = other.value.line.count { request in
        if case .`import` = request.request { true } else { false }
      }
      let begun = other.value.running.count { ticket in
        if case .request(_, _, .`import`) = works[ticket] { true } else { false }
      }
      return sum + other.value.uploads.count + requested + begun
    }
  }

  private mutating func unwatch(_ watch: FromInspector.Watch, id: RequestID, by peer: PeerID) {
    if let timeline = watch.timeline {
      inspectors[peer]?.news.watches[timeline] = nil
      sessionChanged(of: peer)
    } else {
      inspectors[peer]?.news.watchesList = false
      inspectors[peer]?.news.changed = []
    }
    answer(id, with: .done(ToInspector.Done()), to: peer)
  }

  mutating func progressed(_ ticket: Ticket, _ message: ToInspector) {
    guard case .request(let peer, let id, _) = works[ticket],
      inspectors[peer]?.awaits(id) == true
    else { return }
    send(message, re: id, to: peer)
  }

  mutating func answered(_ ticket: Ticket, _ answer: QueryResult) {
    switch works.removeValue(forKey: ticket) {
    case .request(let peer, let id, let request):
      inspectors[peer]?.running.remove(ticket)
      finish(request, id: id, of: peer, with: answer)
      startLine(of: peer)
    case .follow: followed(ticket, answer)
    case .summaries(let peer): sendSummaries(peer, answer)
    case .restore(let peer, let id, let restore):
      inspectors[peer]?.running.remove(ticket)
      restored(restore, id: id, by: peer, answer)
    case nil: forget(answer)
    case .greeting, .begin, .append, .finish: return
    }
  }

  /// Discards an answer that is no longer wanted: an upload that was begun meanwhile is given up,
  /// because the number of uploads is limited.
  private mutating func forget(_ answer: QueryResult) {
    guard case .message(.import(let begun)) = answer, begun.timelines == nil,
      !inspectors.values.contains(where: { $0.uploads[begun.upload] != nil })
    else { return }
    abandon(upload: begun.upload)
  }

  private mutating func finish(
    _ request: FromInspector, id: RequestID, of peer: PeerID, with answer: QueryResult
  ) {
    switch answer {
    case .refused(let refusal): return refuse(id, with: refusal, to: peer)
    case .summaries: return
    case .message, .encoded, .overview, .pruned, .deleted: audit(request, by: peer)
    }
    switch answer {
    case .refused: return
    case .overview(var frame):
      frame.head.re = id
      let bytes = Frame.binary(frame.encoded())
      if inspectors[peer]?.finish(id, with: bytes) == true { send(bytes, to: peer) }
    case .encoded(let bytes):
      let frame = Frame.text(bytes)
      if inspectors[peer]?.finish(id, with: frame) == true { send(frame, to: peer) }
    case .summaries: return
    case .deleted(let timelines):
      self.answer(id, with: .done(ToInspector.Done()), to: peer)
      for timeline in timelines { deleted(timeline) }
    case .pruned(let pruned):
      self.answer(id, with: .prune(pruned), to: peer)
      for timeline in pruned.deleted { deleted(timeline) }
      for timeline in pruned.shortened { changed(timeline) }
    case .message(.timelines(var list)):
      list.timelines = list.timelines.map(decorate)
      if case .timelines(let asked) = request, asked.live {
        list.timelines.removeAll { !$0.live }
        list.timelines.removeLast(max(0, list.timelines.count - (asked.count ?? .max)))
      }
      self.answer(id, with: .timelines(list), to: peer)
    case .message(.status(let status)):
      self.answer(id, with: .status(decorate(status)), to: peer)
    case .message(let message):
      assert(!message.isEncodedByItsTask, "the hub's thread encodes an answer, and all peers wait")
      self.answer(id, with: message, to: peer)
      done(request, id: id, by: peer, message)
    }
  }

  /// The consequences of a completed request.
  private mutating func done(
    _ request: FromInspector, id: RequestID, by peer: PeerID, _ message: ToInspector
  ) {
    switch (request, message) {
    case (.watch(let watch), .done(let answer)):
      guard let timeline = watch.timeline else { return }
      let last = answer.seq ?? -1
      inspectors[peer]?.news.watches[timeline] = InspectorNews.Watch(
        filter: watch.filter, reported: last, isBehind: (intakes[timeline]?.durable ?? -1) > last)
      sendNews(to: peer)
      sessionChanged(of: peer)
    case (.fork(let fork), .fork(let branch)): made(branch, by: fork, id: id, of: peer)
    case (.rename(let rename), _): changed(rename.timeline)
    case (.offer(let offer), .offer(let copy)): offered(offer, copy, by: peer)
    case (.deposit(let deposit), _): changed(deposit.timeline)
    case (.finish(let finish), _): changed(finish.timeline)
    case (.mark(let mark), _): changed(mark.timeline)
    case (.`import`, .import(let begun)):
      inspectors[peer]?.uploads[begun.upload] = now
      wake(in: settings.limits.uploadMilliseconds)
    case (.part, .import(let imported)):
      let isOpen = inspectors[peer]?.uploads[imported.upload] != nil
      inspectors[peer]?.uploads[imported.upload] =
        isOpen && imported.timelines == nil ? now : nil
      for timeline in imported.timelines ?? [] { changed(timeline) }
    default: return
    }
  }

  /// Adds what only the hub knows.
  func decorate(_ summary: ToInspector.TimelineSummary) -> ToInspector.TimelineSummary {
    guard let id = summary.header["timeline"]?.string.flatMap({ TimelineID($0) }),
      let writer = writer(of: id)
    else { return summary }
    var summary = summary
    summary.live = true
    // A wrapped reducer's state belongs to its caller and cannot be replaced from outside.
    let isWrapped = summary.header["machine"]?["kind"]?.string == "reducer"
    summary.controllable = recorders[writer]?.can.control == true && !isWrapped
    return summary
  }

  private func decorate(_ status: ToInspector.Status) -> ToInspector.Status {
    var status = status
    status.daemon = DaemonVersion.product
    status.seconds = (now - started) / 1_000
    let counts = counts
    status.recorders = Int64(counts.recorders)
    status.inspectors = Int64(counts.inspectors)
    status.dropped = dropped > 0 ? dropped : nil
    status.problem = problem ?? status.problem
    return status
  }
}

extension Hub {
  private mutating func revoke(_ session: String, id: RequestID, by peer: PeerID) {
    let isOwn = inspectors[peer]?.admission?.session == session
    guard isOwn || mayManageSessions(peer) else {
      return refuse(
        id, with: Refusal(.forbidden, "This session cannot end other sessions.", path: "session"),
        to: peer
      )
    }
    guard sessions.revoke(id: session) else {
      return refuse(id, with: .noSession(session), to: peer)
    }
    log(.info, "session.revoked", "A session was revoked.", ["session": session])
    audit("session.revoked", by: peer, other: session)
    actions.append(.save(sessions))
    answer(id, with: .done(ToInspector.Done()), to: peer)
    endSession(session)
  }

  private mutating func invite(_ invite: FromInspector.Invite, id: RequestID, by peer: PeerID) {
    guard inspectors[peer]?.entrance == .socket else {
      return refuse(
        id,
        with: Refusal(
          .forbidden,
          "Codes are issued only on the daemon's machine. To get one, run there: debugd open"),
        to: peer)
    }
    if invite.key { return issueKey(invite, id: id, to: peer) }
    // Starting executables is more than inspecting, so it must be requested explicitly.
    let capabilities = invite.capabilities ?? [.look, .change, .control]
    let code = codes.issue(settings.token(), for: capabilities, now: now)
    log(.info, "code.issued", "A one-time code was issued.")
    audit("code.issued", by: peer)
    let answer = ToInspector.Invite {
      $0.code = code
      $0.page = page
      $0.seconds = OneTimeCodes.lifetime / 1_000
    }
    self.answer(id, with: .invite(answer), to: peer)
  }
}
