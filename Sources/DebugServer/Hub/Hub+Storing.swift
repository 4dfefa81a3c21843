internal import TimelineStore
internal import Timelines
internal import Wire

extension Hub {
  /// Hands the store the waiting entries of a timeline; drops the intake if nothing is left.
  mutating func flush(_ timeline: TimelineID) {
    guard let intake = intakes[timeline] else { return }
    if case .open = intake.phase, intake.flight == nil {
      if intake.waiting.hasEntries {
        let ticket = ticket(for: .append(timeline))
        intakes[timeline]?.flight = intake.waiting
        intakes[timeline]?.waiting = Intake.Batch(timeline)
        actions.append(.store(ticket, .append(intake.waiting.entries)))
      } else {
        switch intake.ending {
        case .finish(let gap):
          intakes[timeline]?.ending = .finishing(gap)
          actions.append(.store(ticket(for: .finish(timeline)), .finish(timeline, gap)))
        case .park: return park(timeline)
        case .finishing, nil: break
        }
      }
    }
    if intakes[timeline]?.isRefused == true, intakes[timeline]?.flight == nil {
      intakes[timeline]?.writer = nil
      intakes[timeline]?.isRefused = false
      changed(timeline)
    }
    if intakes[timeline]?.isIdle == true { intakes[timeline] = nil }
  }

  mutating func stored(_ ticket: Ticket, _ answer: StoreAnswer) {
    switch works.removeValue(forKey: ticket) {
    case .greeting(let peer): greeted(peer, answer)
    case .begin(let timeline, let bytes):
      waitingBytes -= bytes
      begun(timeline, answer)
    case .append(let timeline): appended(timeline, answer)
    case .finish(let timeline): finished(timeline, answer)
    case .request, .follow, .summaries, .restore, nil: return
    }
    limitReading()
  }

  /// Drops the intake of a timeline whose machine runs on.
  ///
  /// The store has all its entries, so nothing needs to be stored.
  private mutating func park(_ timeline: TimelineID) {
    guard let writer = intakes[timeline]?.writer else {
      intakes[timeline] = nil
      return
    }
    acknowledgeEnd(of: timeline)
    intakes[timeline] = nil
    recorders[writer]?.end(timeline, .closed)
    guard recorders[writer]?.parked.count ?? .max < settings.limits.parkedOfRecorder else {
      endControl(of: timeline, why: "The app has too many timelines.")
      return changed(timeline)
    }
    recorders[writer]?.parked.insert(timeline)
    parked[timeline] = writer
  }

  /// Forgets that a timeline is parked. Returns the connection that parked it.
  @discardableResult
  mutating func unpark(_ timeline: TimelineID) -> PeerID? {
    guard let writer = parked.removeValue(forKey: timeline) else { return nil }
    recorders[writer]?.parked.remove(timeline)
    return writer
  }

  private mutating func greeted(_ peer: PeerID, _ answer: StoreAnswer) {
    switch answer {
    case .durable(let durable):
      if let outputs = recorders[peer]?.welcome(durable) { perform(outputs, of: peer) }
    case .failed(let problem):
      guard recorders[peer] != nil else { return }
      let sentence = problem.sentence
      log(.error, "store.failed", Self.cut(sentence), within: \.refusals)
      close(peer, .fault, "The store is not responding.")
    case .begun, .appended, .cut, .finished: return
    }
  }

  private mutating func begun(_ timeline: TimelineID, _ answer: StoreAnswer) {
    guard let intake = intakes[timeline] else { return }
    guard case .opening(let early) = intake.phase else {
      // Another connection continued what this one had begun.
      if case .begun = answer { acknowledge(timeline, isAnswer: true) }
      return
    }
    switch answer {
    case .begun(let sequence):
      intakes[timeline]?.phase = .open
      intakes[timeline]?.earlyError = nil
      intakes[timeline]?.sequence = sequence
      intakes[timeline]?.durable = sequence.last >= 0 ? sequence.last : nil
      changed(timeline)
      acknowledge(timeline, isAnswer: true)
      let ending = intake.ending
      intakes[timeline]?.ending = nil
      for (append, bytes) in early {
        waitingBytes -= bytes
        if let writer = intake.writer { receive(append, bytes: bytes, from: writer) }
      }
      if let error = intake.earlyError, let writer = intake.writer,
        recorders[writer]?.timelines.contains(timeline) == true
      {
        refuse(error, of: timeline, by: writer)
      }
      if intakes[timeline] != nil { intakes[timeline]?.ending = ending }
      flush(timeline)
    case .failed(.gone): deleted(timeline)
    case .failed(.refused(let code, let sentence)):
      intakes[timeline] = nil
      returnCredit(early, to: intake.writer)
      guard let writer = intake.writer else { return }
      recorders[writer]?.timelines.remove(timeline)
      send(.error(Refusal(code, sentence, timeline: timeline).reply), toRecorder: writer)
    case .durable, .appended, .cut, .finished: return
    }
  }

  private mutating func appended(_ timeline: TimelineID, _ answer: StoreAnswer) {
    guard let intake = intakes[timeline], let batch = intake.flight else { return }
    switch answer {
    case .appended(let durable):
      storedEntries &+= Int64(batch.entries.count)
      storedBytes &+= Int64(batch.entries.byteCount)
      intakes[timeline]?.flight = nil
      intakes[timeline]?.durable = durable
      acknowledge(timeline)
      returnCredit(batch)
      grown(timeline)
      answerStored(timeline)
      // When its recorder left, the list showed it without these entries.
      if intake.writer == nil { changed(timeline) }
    case .failed(.gone):
      intakes[timeline]?.flight = nil
      returnCredit(batch)
      deleted(timeline)
      return
    case .cut(let durable, let error):
      intakes[timeline]?.durable = durable >= 0 ? durable : nil
      acknowledge(timeline)
      grown(timeline)
      var reply = error.inMessage.reply
      if error.isOfLimit { reply.code = .limit }
      return drop(timeline, batch, because: reply)
    case .failed(.refused(let code, let sentence)):
      return drop(timeline, batch, because: Refusal(code, sentence).reply)
    case .durable, .begun, .finished: return
    }
    flush(timeline)
  }

  /// Ends the intake of a timeline after the store refused an entry: later entries would not fit
  /// either. The recorder keeps what was not acknowledged, and connects again to send it.
  private mutating func drop(
    _ timeline: TimelineID, _ batch: Intake.Batch, because reply: ErrorReply
  ) {
    guard let intake = intakes.removeValue(forKey: timeline) else { return }
    returnCredit(batch)
    returnCredit(intake.waiting)
    log(
      .error, "store.refused", Self.cut(reply.message), ["timeline": timeline], within: \.refusals)
    if let writer = intake.writer { end(timeline, on: writer, because: reply) }
    endControl(of: timeline, why: "The timeline cannot be written.")
    changed(timeline)
  }

  /// Reports to the writer of a timeline up to which entry it is durable.
  ///
  /// A recorder that may park timelines gets an answer to its `open` and `close` even if there is no
  /// entry.
  mutating func acknowledge(
    _ timeline: TimelineID, isAnswer: Bool = false, isClosed: Bool = false
  ) {
    guard let intake = intakes[timeline], let writer = intake.writer else { return }
    let isExpected = isAnswer && recorders[writer]?.parks == true
    guard intake.durable != nil || isExpected else { return }
    let ack = ToRecorder.Ack {
      $0.timeline = timeline
      $0.durable = intake.durable
      $0.closed = isClosed
    }
    send(.ack(ack), toRecorder: writer)
  }

  /// Reports to a recorder that may park timelines that it can open another one.
  private mutating func acknowledgeEnd(of timeline: TimelineID) {
    guard let writer = intakes[timeline]?.writer, recorders[writer]?.parks == true else { return }
    acknowledge(timeline, isAnswer: true, isClosed: true)
  }

  private mutating func finished(_ timeline: TimelineID, _ answer: StoreAnswer) {
    // A recorder that connected again meanwhile continues the timeline.
    guard let intake = intakes[timeline], case .finishing? = intake.ending else { return }
    switch answer {
    case .failed(.gone): return deleted(timeline)
    case .failed(.refused(let code, let sentence)):
      if let writer = intake.writer {
        send(.error(Refusal(code, sentence, timeline: timeline).reply), toRecorder: writer)
      }
    case .finished: acknowledgeEnd(of: timeline)
    case .durable, .begun, .appended, .cut: return
    }
    intakes[timeline] = nil
    if let writer = intake.writer { recorders[writer]?.end(timeline, .closed) }
    changed(timeline)
  }

  /// Returns the credit of entries that no longer wait.
  private mutating func returnCredit(_ batch: Intake.Batch) {
    waitingBytes -= batch.bytes
    for (peer, bytes) in batch.credit.sorted(by: { $0.key < $1.key }) { grant(bytes, to: peer) }
  }

  /// Returns the credit of frames that came before the timeline was begun.
  mutating func returnCredit(
    _ early: [(append: FromRecorder.Append, bytes: Int)], to writer: PeerID?
  ) {
    let bytes = early.reduce(0) { $0 + $1.bytes }
    waitingBytes -= bytes
    if let writer { grant(bytes, to: writer) }
  }

  /// Drops the entries of a deleted timeline, and notifies the peers that use it.
  mutating func deleted(_ timeline: TimelineID) {
    if let intake = intakes.removeValue(forKey: timeline) {
      if let batch = intake.flight { returnCredit(batch) }
      returnCredit(intake.waiting)
      if case .opening(let early) = intake.phase { returnCredit(early, to: intake.writer) }
      if let writer = intake.writer { reportDeletion(timeline, to: writer) }
    }
    if let writer = unpark(timeline) { reportDeletion(timeline, to: writer) }
    endControl(of: timeline, why: "The timeline was deleted.")
    forget(branch: timeline)
    for peer in inspectors.keys.sorted() {
      inspectors[peer]?.news.forget(timeline)
      sendNews(to: peer)
    }
    limitReading()
  }

  private mutating func reportDeletion(_ timeline: TimelineID, to peer: PeerID) {
    recorders[peer]?.end(timeline, .deleted)
    send(.gone(ToRecorder.Gone { $0.timeline = timeline }), toRecorder: peer)
  }
}

/// A disk that accepts no more data.
extension Hub {
  /// Notifies all peers when the store stops accepting entries, and when it resumes.
  mutating func storeState(_ problem: String?) {
    guard self.problem != problem else { return }
    self.problem = problem
    let sentence = problem ?? "The store accepts entries again."
    if problem == nil {
      log(.info, "store.recovered", sentence)
    } else {
      log(.error, "store.blocked", sentence)
    }
    notify(
      NoticeMessage {
        $0.level = problem == nil ? .info : .error
        $0.message = sentence
      })
  }

  /// Stops reading recorders while too many bytes wait for the disk, and resumes when there are
  /// fewer.
  mutating func limitReading() {
    let reads = waitingBytes <= settings.limits.waitingBytes
    guard reads != readsRecorders else { return }
    readsRecorders = reads
    for peer in recorders.keys.sorted() { actions.append(.read(peer, reads)) }
  }
}

extension StoreProblem {
  var code: ErrorCode {
    switch self {
    case .gone: .notFound
    case .refused(let code, _): code
    }
  }

  var sentence: String {
    switch self {
    case .refused(_, let sentence): sentence
    case .gone: "The timeline was deleted."
    }
  }
}
