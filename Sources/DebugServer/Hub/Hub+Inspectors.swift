internal import Timelines
internal import Wire

extension Hub {
  mutating func send(_ message: ToInspector, re: RequestID? = nil, to peer: PeerID) {
    send(.text(Envelope(message, re: re).encoded()), to: peer)
  }

  mutating func send(_ frame: Frame, to peer: PeerID) {
    guard let session = inspectors[peer] else { return }
    actions.append(.send(peer, frame))
    inspectors[peer]?.queued += frame.bytes.count
    if session.stuckSince == nil {
      inspectors[peer]?.stuckSince = now
      wake(in: settings.limits.stuckMilliseconds)
    }
    // Do not work on more queries of a peer that does not read the answers.
    if session.isRead, session.queued + frame.bytes.count > settings.limits.queuedBytes {
      inspectors[peer]?.isRead = false
      actions.append(.read(peer, false))
    }
    queuedOfInspectors += frame.bytes.count
    closeLongestUnread(after: frame.bytes.count)
  }

  /// Closes inspectors while more is queued for all of them than the limit, beginning with the one
  /// that has read nothing for the longest time. The last one may exceed the limit by one answer,
  /// so that every answer can be read.
  private mutating func closeLongestUnread(after newest: Int) {
    let limit = settings.limits.queuedBytesOfInspectors
    while queuedOfInspectors > limit {
      let unread = inspectors.filter { $0.value.queued > 0 }
      let longest = unread.min { left, right in
        (left.value.stuckSince ?? now, left.key) < (right.value.stuckSince ?? now, right.key)
      }
      guard unread.count > 1 || queuedOfInspectors - newest > limit, let peer = longest?.key
      else { return }
      release(queueOf: peer)
      // The code discards the queue.
      close(
        peer, .idle,
        """
        \(limit) bytes of answers wait for inspectors that do not read them, this one for the \
        longest time. To fix, read the answers before you send more requests.
        """)
    }
  }

  /// Forgets what was queued for an inspector.
  private mutating func release(queueOf peer: PeerID) {
    queuedOfInspectors -= inspectors[peer]?.queued ?? 0
    inspectors[peer]?.queued = 0
    inspectors[peer]?.stuckSince = nil
  }

  /// Answers a request, unless it was canceled or superseded.
  mutating func answer(_ id: RequestID, with message: ToInspector, to peer: PeerID) {
    let frame = Frame.text(Envelope(message, re: id).encoded())
    if inspectors[peer]?.finish(id, with: frame) == true { send(frame, to: peer) }
  }

  mutating func refuse(_ id: RequestID, with refusal: Refusal, to peer: PeerID) {
    answer(id, with: .error(refusal.reply), to: peer)
  }

  mutating func perform(_ outputs: [InspectorSession.Output], of peer: PeerID) {
    for output in outputs {
      switch output {
      case .send(let message, let re): send(message, re: re, to: peer)
      case .close(let code, let reason): end(peer, code, reason)
      case .greeted(let hello): greet(hello, of: peer)
      case .ask(let id, let request): ask(request, id: id, by: peer)
      case .cancel(let ticket):
        inspectors[peer]?.running.remove(ticket)
        auditCanceled(ticket)
        cancelWork(ticket)
        startLine(of: peer)
      case .abandon(let branch): abandon(branch, by: peer)
      case .repeat(let frame): send(frame, to: peer)
      case .complaint(let error):
        logPeerError("inspector.error", "An inspector reports: ", error, of: peer)
      }
    }
  }

  /// Gives up an unfinished upload without an answer.
  mutating func abandon(upload: String) {
    lastTicket += 1
    actions.append(.query(Ticket(number: lastTicket), .abandon(upload: upload)))
  }

  /// Gives up a chunk of a copy that arrived only in part.
  mutating func drop(partsOf timeline: TimelineID) {
    lastTicket += 1
    actions.append(.query(Ticket(number: lastTicket), .drop(timeline)))
  }

  /// Gives up the uploads of an inspector for which no bytes arrive: their number is limited, so they
  /// would keep others from uploading.
  mutating func abandonIdleUploads(of peer: PeerID) {
    guard let session = inspectors[peer], !session.uploads.isEmpty else { return }
    let limit = settings.limits.uploadMilliseconds
    let busy = busyUploads(of: session)
    for upload in session.uploads.keys.sorted() {
      // A part that waits for the disk, or for its turn, has arrived.
      if busy.contains(upload) { inspectors[peer]?.uploads[upload] = now }
      let idle = now - (inspectors[peer]?.uploads[upload] ?? now)
      guard idle >= limit else {
        wake(in: limit - idle)
        continue
      }
      inspectors[peer]?.uploads[upload] = nil
      abandon(upload: upload)
    }
  }

  /// The uploads of which a part waits or is being read.
  private func busyUploads(of session: InspectorSession) -> Set<String> {
    let requests =
      session.line.map(\.request)
      + session.running.compactMap { ticket in
        if case .request(_, _, let request) = works[ticket] { request } else { nil }
      }
    return Set(
      requests.compactMap { request in
        if case .part(let part) = request { part.upload } else { nil }
      })
  }

  private mutating func cancelWork(_ ticket: Ticket) {
    if works.removeValue(forKey: ticket) != nil { actions.append(.cancel(ticket)) }
  }

  mutating func inspectorLeft(_ peer: PeerID) {
    let running = inspectors[peer]?.running ?? []
    for ticket in running.sorted(by: { $0.number < $1.number }) { auditCanceled(ticket) }
    release(queueOf: peer)
    guard let session = inspectors.removeValue(forKey: peer) else { return }
    for (ticket, work) in works {
      switch work {
      case .request(peer, _, _), .summaries(peer), .restore(peer, _, _): cancelWork(ticket)
      case .greeting, .begin, .append, .finish, .request, .follow, .summaries, .restore: continue
      }
    }
    for ticket in follows.leave(peer).sorted(by: { $0.number < $1.number }) { cancelWork(ticket) }
    for upload in session.uploads.keys.sorted() { abandon(upload: upload) }
    for timeline in session.partial.sorted(by: { $0.text < $1.text }) { drop(partsOf: timeline) }
    releaseControls(of: peer)
    unfollow(peer)
    guard let admission = session.admission else { return }
    sessionChanged(of: peer, session: admission.session)
    log(
      .info, "inspector.disconnected", "\(admission.name) disconnected.", ["peer": peer.number],
      within: \.arrivals)
  }

  /// Everything that was sent to an inspector has left.
  mutating func drained(_ peer: PeerID) {
    guard let session = inspectors[peer] else { return }
    release(queueOf: peer)
    if !session.isRead {
      inspectors[peer]?.isRead = true
      actions.append(.read(peer, true))
    }
    startLine(of: peer)
    sendNews(to: peer)
  }

  /// Closes an inspector that reads nothing. An inspector that reads a large answer slowly keeps
  /// its queue full for longer than the limit, so the criterion is that bytes leave.
  mutating func closeIfStuck(_ peer: PeerID, sent: Int) {
    guard var since = inspectors[peer]?.stuckSince else { return }
    if inspectors[peer]?.sent != sent {
      since = now
      inspectors[peer]?.sent = sent
      inspectors[peer]?.stuckSince = now
    }
    let limit = settings.limits.stuckMilliseconds
    guard now - since >= limit else { return wake(in: since + limit - now) }
    if let outputs = inspectors[peer]?.close(
      .idle, "The inspector read nothing for \(limit / 1_000) seconds.")
    {
      perform(outputs, of: peer)
    }
  }
}
