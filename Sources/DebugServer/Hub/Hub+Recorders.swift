internal import JSONCore
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

extension Hub {
  mutating func send(_ message: ToRecorder, id: RequestID? = nil, toRecorder peer: PeerID) {
    actions.append(.send(peer, .text(Envelope(message, id: id).encoded())))
  }

  mutating func perform(_ outputs: [RecorderSession.Output], of peer: PeerID) {
    for output in outputs {
      switch output {
      case .send(let message):
        send(message, toRecorder: peer)
        if case .welcome = message { welcomed(peer) }
      case .close(let code, let reason): end(peer, code, reason)
      case .greeted(let timelines):
        guard let entrance = recorders[peer]?.entrance, keepProved(peer, of: entrance) else {
          return
        }
        actions.append(.limitMessages(peer, upTo: settings.limits.wire.recorderMessage))
        actions.append(.store(ticket(for: .greeting(peer)), .durable(timelines)))
      case .open(let header): open(header, by: peer)
      case .append(let append, let bytes): receive(append, bytes: bytes, from: peer)
      case .refuse(let error, let timeline): refuseAppend(error, to: timeline, by: peer)
      case .finish(let close): finish(close, by: peer)
      case .answer(let id, let answer):
        if !reduced(id, answer, from: peer) { relayed(id, answer, from: peer) }
      case .wrongAnswer(let id, let error): wrongAnswer(id, error, from: peer)
      case .released(let released): self.released(released, by: peer)
      case .complaint(let error):
        logPeerError("recorder.error", "A recorder reports: ", error, of: peer)
      }
    }
  }

  private mutating func welcomed(_ peer: PeerID) {
    guard let session = recorders[peer] else { return }
    log(
      .info, "recorder.connected", "A recorder is connected.", ["peer": peer.number],
      within: \.arrivals)
    guard let offer = session.can.host else { return }
    hosts.add(offer, of: peer, run: session.run)
    hostsChanged()
  }

  mutating func recorderLeft(_ peer: PeerID) {
    guard let session = recorders.removeValue(forKey: peer) else { return }
    if session.isKnown {
      log(
        .info, "recorder.disconnected", "A recorder disconnected.", ["peer": peer.number],
        within: \.arrivals)
    }
    for timeline in session.timelines.sorted(by: { $0.text < $1.text }) {
      endControl(of: timeline, why: "The app is no longer connected.")
      guard intakes[timeline]?.writer == peer else { continue }
      intakes[timeline]?.writer = nil
      // Entries that came before the store was ready were never acknowledged, so the recorder sends
      // them again.
      if case .opening(let early)? = intakes[timeline]?.phase {
        intakes[timeline]?.phase = .opening([])
        intakes[timeline]?.earlyError = nil
        returnCredit(early, to: nil)
      }
      flush(timeline)
      changed(timeline)
    }
    for timeline in session.parked.sorted(by: { $0.text < $1.text }) {
      parked[timeline] = nil
      endControl(of: timeline, why: "The app is no longer connected.")
      changed(timeline)
    }
    limitReading()
    failRelays(to: peer)
    failReduces(on: peer, session.can.host?.place)
    if hosts.remove(peer) { hostsChanged() }
  }

  private mutating func open(_ header: Header, by peer: PeerID) {
    let timeline = header.timeline
    guard let session = recorders[peer] else { return }
    let limit = settings.limits.headerBytes
    guard header.line.range.count <= limit else {
      let refusal = Refusal(
        .limit, "A header has at most \(limit) bytes, and this one has \(header.line.range.count).",
        path: "header", timeline: timeline)
      return send(.error(refusal.reply), toRecorder: peer)
    }
    if hosts.update(header, of: peer) { hostsChanged() }
    if session.timelines.contains(timeline) { return }
    if session.ended[timeline] == .refused {
      return send(.error(Self.refusedBefore(timeline).reply), toRecorder: peer)
    }
    guard session.timelines.count < settings.limits.timelinesOfRecorder else {
      return close(
        peer, .limit, "A recorder has at most \(settings.limits.timelinesOfRecorder) timelines.")
    }
    let headers = session.timelines.reduce(0) { $0 + (intakes[$1]?.headerBytes ?? 0) }
    guard headers + header.line.range.count <= settings.limits.headersOfRecorder else {
      let refusal = Refusal(
        .limit,
        "The headers of a recorder's open timelines have at most "
          + "\(settings.limits.headersOfRecorder) bytes together. To fix, close some.",
        path: "header", timeline: timeline)
      return send(.error(refusal.reply), toRecorder: peer)
    }
    if let writer = writer(of: timeline), writer != peer, session.run != nil,
      recorders[writer]?.run == session.run
    {
      // The network may have lost the old connection without a sign. If the new one were refused
      // until that is detected, the recorder would give up the timeline.
      close(writer, .normal, "The recorder has connected again.")
      recorderLeft(writer)
    }
    if let writer = parked[timeline], writer != peer {
      return send(.error(Self.writtenByAnother(timeline).reply), toRecorder: peer)
    }
    cancelEnding(of: timeline)
    if let intake = intakes[timeline] {
      guard intake.writer == nil || intake.isRefused, intake.ending == nil else {
        return send(.error(Self.writtenByAnother(timeline).reply), toRecorder: peer)
      }
      if let why = intake.identity.difference(from: HeaderIdentity(header)) {
        let refusal = Refusal(
          .conflict, "The timeline \(timeline) already exists: \(why).", path: "header",
          timeline: timeline)
        return send(.error(refusal.reply), toRecorder: peer)
      }
      // Entries of the previous connection may still be on their way; continue after them.
      intakes[timeline]?.writer = peer
      intakes[timeline]?.isRefused = false
      changed(timeline)
    } else {
      intakes[timeline] = Intake(header, writer: peer)
    }
    unpark(timeline)
    recorders[peer]?.begin(timeline)
    // The header waits for the disk like entries do, and counts like them. The header of a timeline
    // that is already open may be newer than the stored one.
    let bytes = header.line.range.count
    waitingBytes += bytes
    actions.append(.store(ticket(for: .begin(timeline, bytes: bytes)), .begin(header)))
    limitReading()
  }

  /// Undoes the end of a timeline whose connection was lost before the store had recorded it.
  ///
  /// The recorder does not know that its `close` arrived, and sends it again. If it were refused
  /// until the store is done, the recorder might give up the timeline.
  private mutating func cancelEnding(of timeline: TimelineID) {
    guard let intake = intakes[timeline], intake.writer == nil, let ending = intake.ending else {
      return
    }
    switch ending {
    // The store works in order: this begin follows that end.
    case .finishing: intakes[timeline] = nil
    case .finish, .park: intakes[timeline]?.ending = nil
    }
  }

  mutating func receive(_ append: FromRecorder.Append, bytes: Int, from peer: PeerID) {
    let timeline = append.timeline
    // Do not hold a copy of the intake: its batch grows in place.
    guard recorders[peer]?.timelines.contains(timeline) == true,
      intakes[timeline]?.writer == peer
    else {
      refuseNotOpen(timeline, to: peer)
      return grant(bytes, to: peer)
    }
    guard intakes[timeline]?.ending == nil else {
      send(.error(Self.closedBefore(timeline).reply), toRecorder: peer)
      return grant(bytes, to: peer)
    }
    guard intakes[timeline]?.earlyError == nil else {
      send(.error(Self.refusedBefore(timeline).reply), toRecorder: peer)
      return grant(bytes, to: peer)
    }
    if case .opening(var waiting)? = intakes[timeline]?.phase {
      waiting.append((append, bytes))
      intakes[timeline]?.phase = .opening(waiting)
      waitingBytes += bytes
      return limitReading()
    }
    let result = intakes[timeline]?.receive(append)
    dropped &+= result?.dropped ?? 0
    if let error = result?.error { refuse(error, of: timeline, by: peer) }
    // The credit returns when the batch is durable; at once if no entry waits.
    if intakes[timeline]?.waiting.hasEntries == false {
      // A recorder that sends known entries has missed the acknowledgment and keeps them until it
      // comes.
      if let result, result.dropped > 0 { acknowledge(timeline) }
      flush(timeline)
      return grant(bytes, to: peer)
    }
    intakes[timeline]?.waiting.credit[peer, default: 0] += bytes
    waitingBytes += bytes
    flush(timeline)
    limitReading()
  }

  /// Refuses entries that cannot be read, after what came before them.
  private mutating func refuseAppend(
    _ error: MessageError, to timeline: TimelineID, by peer: PeerID
  ) {
    guard recorders[peer]?.timelines.contains(timeline) == true, let intake = intakes[timeline],
      intake.writer == peer
    else { return refuseNotOpen(timeline, to: peer) }
    guard case .open = intake.phase else {
      intakes[timeline]?.earlyError = intake.earlyError ?? error
      return
    }
    refuse(error, of: timeline, by: peer)
  }

  private mutating func finish(_ close: FromRecorder.Close, by peer: PeerID) {
    guard let intake = intakes[close.timeline], intake.writer == peer else {
      return refuseNotOpen(close.timeline, to: peer)
    }
    guard intake.ending == nil else {
      return send(.error(Self.closedBefore(close.timeline).reply), toRecorder: peer)
    }
    intakes[close.timeline]?.ending = close.parks ? .park : .finish(close.gap)
    if !close.parks { endControl(of: close.timeline, why: "The app closed the timeline.") }
    flush(close.timeline)
  }

  /// Ends a timeline for a connection that sent an invalid entry. The entries before it are stored;
  /// another connection may continue after them.
  mutating func refuse(_ error: MessageError, of timeline: TimelineID, by peer: PeerID) {
    end(timeline, on: peer, because: error.reply)
    intakes[timeline]?.isRefused = true
    endControl(of: timeline, why: "The timeline cannot be written.")
  }

  /// Reports why a timeline ends for a connection.
  mutating func end(_ timeline: TimelineID, on peer: PeerID, because reply: ErrorReply) {
    recorders[peer]?.end(timeline, .refused)
    var reply = reply
    reply.timeline = timeline
    send(.error(reply), toRecorder: peer)
  }

  /// Answers a message for a timeline that is not open.
  private mutating func refuseNotOpen(_ timeline: TimelineID, to peer: PeerID) {
    let refusal: Refusal
    switch recorders[peer]?.ended[timeline] {
    case .deleted: return
    case .closed: refusal = Self.closedBefore(timeline)
    case .refused: refusal = Self.refusedBefore(timeline)
    case nil:
      refusal = Refusal(
        .notFound, "The timeline is not open on this connection. To fix, send 'open' first.",
        path: "timeline", timeline: timeline)
    }
    send(.error(refusal.reply), toRecorder: peer)
  }

  private static func closedBefore(_ timeline: TimelineID) -> Refusal {
    Refusal(
      .conflict, "The timeline was closed. To add to it, send 'open' first.", path: "timeline",
      timeline: timeline)
  }

  private static func writtenByAnother(_ timeline: TimelineID) -> Refusal {
    Refusal(
      .conflict, "The timeline is being written by another connection.", path: "header.timeline",
      timeline: timeline)
  }

  private static func refusedBefore(_ timeline: TimelineID) -> Refusal {
    Refusal(
      .conflict,
      """
      An error ended the timeline on this connection. To go on with it, connect again and begin after \
      the last acknowledged entry.
      """, path: "timeline", timeline: timeline)
  }

  mutating func grant(_ bytes: Int, to peer: PeerID) {
    if let outputs = recorders[peer]?.grant(bytes) { perform(outputs, of: peer) }
  }
}
