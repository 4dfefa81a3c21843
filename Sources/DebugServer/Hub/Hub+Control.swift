internal import HostProcesses
internal import JSONCore
internal import Timelines
internal import Wire

/// Control of live apps. The recorder enforces it; the hub knows which inspector has it.
extension Hub {
  mutating func hold(_ hold: FromInspector.Hold, id: RequestID, by peer: PeerID) {
    let timeline = hold.timeline
    guard let recorder = controllable(timeline, id: id, for: peer) else { return }
    let control = controls[timeline]
    if hold.join { return join(control, of: timeline, id: id, by: peer) }
    if let lease = hold.lease {
      guard let control = held(timeline, by: lease, of: peer) else {
        return refuse(id, with: Self.notHeld(timeline), to: peer)
      }
      return relay(
        .hold(holdMessage(hold, lease: control.recorderLease)),
        purpose: .renew(lease: lease, hold.policy),
        of: timeline, to: recorder, request: id, by: peer)
    }
    let isHolding = relays.values.contains {
      guard case .hold = $0.purpose else { return false }
      return $0.timeline == timeline && $0.inspector != peer
    }
    if control != nil || isHolding, !hold.take, control?.holder != peer {
      let name = control.flatMap { inspectors[$0.holder]?.admission?.name } ?? "another inspector"
      let refusal = Refusal(
        .conflict, "The machine is held by \(name). To fix, take over control.", timeline: timeline)
      return refuse(id, with: refusal, to: peer)
    }
    let next = Control(
      holder: peer, lease: settings.token(),
      recorderLease: control?.recorderLease ?? settings.token(), policy: hold.policy)
    relay(
      .hold(holdMessage(hold, lease: next.recorderLease)), purpose: .hold(next), of: timeline,
      to: recorder, request: id, by: peer)
  }

  /// Answers with the lease of the inspector that holds a machine.
  private mutating func join(
    _ control: Control?, of timeline: TimelineID, id: RequestID, by peer: PeerID
  ) {
    guard let control, shares(control, peer) else {
      let sentence = "This machine is not held. To fix, hold it first."
      return refuse(id, with: Refusal(.conflict, sentence, timeline: timeline), to: peer)
    }
    answer(id, with: .done(ToInspector.Done { $0.lease = control.lease }), to: peer)
  }

  private func holdMessage(_ hold: FromInspector.Hold, lease: String) -> ToRecorder.Hold {
    ToRecorder.Hold {
      $0.timeline = hold.timeline
      $0.policy = hold.policy
      $0.lease = lease
      $0.milliseconds = Int64(settings.limits.wire.leaseSeconds) * 1_000
    }
  }

  /// Passes on a command that carries the inspector's lease.
  mutating func command(
    _ message: ToRecorder, of timeline: TimelineID, lease: String, id: RequestID, by peer: PeerID
  ) {
    guard let recorder = controllable(timeline, id: id, for: peer) else { return }
    guard let control = held(timeline, by: lease, of: peer) else {
      return refuse(id, with: Self.notHeld(timeline), to: peer)
    }
    var message = message
    var purpose = Relay.Purpose.command
    switch message {
    case .dispatch(var dispatch):
      dispatch.lease = control.recorderLease
      message = .dispatch(dispatch)
    case .step(var step):
      step.lease = control.recorderLease
      message = .step(step)
    case .resume(var resume):
      resume.lease = control.recorderLease
      message = .resume(resume)
      purpose = .resume
    case .challenge, .welcome, .ack, .credit, .gone, .capture, .reduce, .confirm, .cancel, .hold,
      .restore, .notice, .error:
      break
    }
    relay(message, purpose: purpose, of: timeline, to: recorder, request: id, by: peer)
  }

  mutating func restore(_ restore: FromInspector.Restore, id: RequestID, by peer: PeerID) {
    guard controllable(restore.timeline, id: id, for: peer) != nil else { return }
    guard held(restore.timeline, by: restore.lease, of: peer) != nil else {
      return refuse(id, with: Self.notHeld(restore.timeline), to: peer)
    }
    let ticket = ticket(for: .restore(peer, id, restore))
    inspectors[peer]?.began(id, ticket)
    actions.append(.query(ticket, .state(restore.from)))
  }

  /// The state to restore was found.
  mutating func restored(
    _ restore: FromInspector.Restore, id: RequestID, by peer: PeerID, _ answer: QueryResult
  ) {
    switch answer {
    case .message(.state(let state)):
      let message = ToRecorder.Restore {
        $0.timeline = restore.timeline
        $0.from = restore.from
        $0.state = state.value ?? .null
      }
      guard let control = held(restore.timeline, by: restore.lease, of: peer),
        let recorder = controllable(restore.timeline, id: id, for: peer)
      else { return refuse(id, with: Self.notHeld(restore.timeline), to: peer) }
      var leased = message
      leased.lease = control.recorderLease
      relay(
        .restore(leased), purpose: .command, of: restore.timeline, to: recorder, request: id,
        by: peer)
    case .refused(let refusal): refuse(id, with: refusal, to: peer)
    case .message, .encoded, .overview, .summaries, .pruned, .deleted: return
    }
  }

  mutating func capture(_ capture: FromInspector.Capture, id: RequestID, by peer: PeerID) {
    guard let recorder = controllable(capture.timeline, id: id, for: peer) else { return }
    let message = ToRecorder.Capture {
      $0.timeline = capture.timeline
      $0.allow = capture.allow
      $0.deny = capture.deny
    }
    relay(
      .capture(message), purpose: .command, of: capture.timeline, to: recorder, request: id,
      by: peer)
  }

  /// The recorder that writes a timeline and allows control; otherwise the request is refused.
  private mutating func controllable(
    _ timeline: TimelineID, id: RequestID, for peer: PeerID
  ) -> PeerID? {
    guard let writer = writer(of: timeline), let session = recorders[writer] else {
      let sentence = "No connected app writes the timeline \(timeline)."
      refuse(id, with: Refusal(.notFound, sentence, path: "timeline", timeline: timeline), to: peer)
      return nil
    }
    guard session.can.control else {
      let sentence =
        "The program did not opt in to control. To fix, set allowsControl in its recorder's options, "
        + "and start it again."
      refuse(id, with: Refusal(.forbidden, sentence, timeline: timeline), to: peer)
      return nil
    }
    return writer
  }

  /// The control of a machine, if the inspector may use it with this lease.
  private func held(_ timeline: TimelineID, by lease: String, of peer: PeerID) -> Control? {
    guard let control = controls[timeline], control.lease == lease,
      control.holder == peer || shares(control, peer)
    else { return nil }
    return control
  }

  /// Whether an inspector may use another one's lease: both belong to the same session.
  private func shares(_ control: Control, _ peer: PeerID) -> Bool {
    inspectors[control.holder]?.entrance == .socket && inspectors[peer]?.entrance == .socket
  }

  private static func notHeld(_ timeline: TimelineID) -> Refusal {
    Refusal(
      .conflict, "The machine is not held by this lease. To fix, hold it first.", path: "lease",
      timeline: timeline)
  }
}

/// Commands that wait for an answer.
extension Hub {
  private mutating func relay(
    _ message: ToRecorder, purpose: Relay.Purpose, of timeline: TimelineID, to recorder: PeerID,
    request: RequestID?, by inspector: PeerID?
  ) {
    if case .renew = purpose {
      // A page renews its lease every few seconds.
    } else if let inspector {
      audit(message, of: timeline, by: inspector)
    }
    lastCommand += 1
    relays[lastCommand] = Relay(
      recorder: recorder, inspector: inspector, request: request, timeline: timeline,
      purpose: purpose, deadline: now + settings.limits.commandMilliseconds)
    send(message, id: .number(lastCommand), toRecorder: recorder)
    wake(in: settings.limits.commandMilliseconds)
  }

  /// Handles a recorder's answer to a command.
  mutating func relayed(_ id: RequestID, _ answer: FromRecorder, from recorder: PeerID) {
    guard case .number(let number) = id, let relay = relays[number], relay.recorder == recorder
    else { return }
    if case .done(let done) = answer, let seq = done.seq, case .command = relay.purpose,
      !isStored(seq, of: relay.timeline)
    {
      // An inspector may request an entry as soon as it is reported, so wait until it is stored.
      // Control itself does not wait for the disk.
      relays[number]?.answered = seq
      countQueued(answer, of: relay.timeline)
      return
    }
    relays[number] = nil
    countQueued(answer, of: relay.timeline)
    switch answer {
    case .done(let done): carriedOut(relay, seq: done.seq)
    case .error(let error):
      guard let peer = relay.inspector, let request = relay.request else { return }
      var reply = error
      reply.timeline = relay.timeline
      self.answer(request, with: .error(reply), to: peer)
    case .hello, .open, .append, .close, .reduced, .confirmed, .released: return
    }
  }

  /// Records how many events of the app wait, and reports a change.
  private mutating func countQueued(_ answer: FromRecorder, of timeline: TimelineID) {
    guard case .done(let done) = answer else { return }
    let queued = done.queued ?? 0
    let reported = queuedEvents[timeline] ?? 0
    queuedEvents[timeline] = queued == 0 ? nil : queued
    if queued != reported, controls[timeline] != nil { reportControl(of: timeline) }
  }

  /// Whether an entry can be read; true for a timeline that is not written, which would never have
  /// it. A parked one is about to be opened, because a command reached its machine.
  private func isStored(_ seq: Int64, of timeline: TimelineID) -> Bool {
    guard let intake = intakes[timeline] else { return parked[timeline] == nil }
    return intake.durable ?? -1 >= seq
  }

  /// Answers the commands whose entries are stored by now.
  mutating func answerStored(_ timeline: TimelineID) {
    for (number, relay) in relays.sorted(by: { $0.key < $1.key }) where relay.timeline == timeline {
      guard let seq = relay.answered, isStored(seq, of: timeline) else { continue }
      relays[number] = nil
      carriedOut(relay, seq: seq)
    }
  }

  private mutating func carriedOut(_ relay: Relay, seq: Int64?) {
    let timeline = relay.timeline
    var done = ToInspector.Done { $0.seq = seq }
    switch relay.purpose {
    case .hold(let control):
      guard inspectors[control.holder] != nil else {
        return resume(timeline, lease: control.recorderLease, at: relay.recorder)
      }
      let loser = controls[timeline]?.holder
      controls[timeline] = control
      if let loser, loser != control.holder {
        reportControl(of: timeline, to: loser, why: "Control was taken over.")
      }
      done.lease = control.lease
      reportControl(of: timeline)
    case .renew(let lease, let policy):
      done.lease = lease
      // Another inspector may have taken over during the renewal.
      if let control = controls[timeline], control.lease == lease, control.policy != policy {
        controls[timeline]?.policy = policy
        reportControl(of: timeline)
      }
    case .resume:
      let holder = controls.removeValue(forKey: timeline)?.holder
      queuedEvents[timeline] = nil
      reportControl(of: timeline)
      if let holder, holder != relay.inspector {
        reportControl(of: timeline, to: holder, why: "Another command released the machine.")
      }
    case .command: break
    }
    if let peer = relay.inspector, let request = relay.request {
      answer(request, with: .done(done), to: peer)
    }
  }

  /// A machine was released by its recorder.
  mutating func released(_ released: FromRecorder.Released, by recorder: PeerID) {
    guard let control = controls[released.timeline], control.recorderLease == released.lease,
      writer(of: released.timeline) == recorder
    else { return }
    endControl(of: released.timeline, why: released.why)
  }

  /// Ends control of a timeline whose app disconnected or released the machine.
  mutating func endControl(of timeline: TimelineID, why: String) {
    guard let control = controls.removeValue(forKey: timeline) else { return }
    queuedEvents[timeline] = nil
    reportControl(of: timeline, to: control.holder, why: why)
    reportControl(of: timeline, why: why)
  }

  /// Releases everything that an inspector held.
  mutating func releaseControls(of peer: PeerID) {
    for timeline in controls.keys.sorted(by: { $0.text < $1.text }) {
      guard let control = controls[timeline], control.holder == peer else { continue }
      controls[timeline] = nil
      queuedEvents[timeline] = nil
      if let writer = writer(of: timeline) {
        resume(timeline, lease: control.recorderLease, at: writer)
      }
      reportControl(of: timeline, why: "The inspector that held it disconnected.")
    }
  }

  private mutating func resume(_ timeline: TimelineID, lease: String, at recorder: PeerID) {
    let message = ToRecorder.Resume {
      $0.timeline = timeline
      $0.lease = lease
    }
    relay(
      .resume(message), purpose: .command, of: timeline, to: recorder, request: nil, by: nil)
  }

  /// Fails the commands to a recorder that disconnected.
  mutating func failRelays(to recorder: PeerID) {
    for (number, relay) in relays.sorted(by: { $0.key < $1.key }) where relay.recorder == recorder {
      fail(number, relay, "The app is no longer connected.")
    }
  }

  /// Fails a command whose answer is not valid.
  mutating func failRelay(_ number: Int64, _ error: MessageError, of recorder: PeerID) {
    guard let relay = relays[number], relay.recorder == recorder else { return }
    fail(number, relay, HostMistake.sentence(error, of: "app"))
  }

  /// Fails the commands that were not answered in time.
  mutating func expireRelays() {
    for (number, relay) in relays.sorted(by: { $0.key < $1.key }) {
      if relay.deadline <= now {
        fail(number, relay, "The app did not answer in time.")
      } else {
        wake(in: relay.deadline - now)
      }
    }
  }

  private mutating func fail(_ number: Int64, _ relay: Relay, _ sentence: String) {
    relays[number] = nil
    // The command was carried out, although its entry is not stored.
    if let seq = relay.answered { return carriedOut(relay, seq: seq) }
    guard let peer = relay.inspector, let request = relay.request else { return }
    refuse(request, with: Refusal(.failed, sentence, timeline: relay.timeline), to: peer)
  }
}

extension Hub {
  /// Reports the control of a timeline to every inspector that follows it.
  private mutating func reportControl(of timeline: TimelineID, why: String? = nil) {
    for peer in inspectors.keys.sorted() {
      guard let news = inspectors[peer]?.news else { continue }
      let isHolder = controls[timeline]?.holder == peer
      if isHolder || news.watchesList || news.watches[timeline] != nil {
        reportControl(of: timeline, to: peer, why: why)
      }
    }
  }

  /// Reports current control to an inspector that starts to follow; otherwise it would only hear of
  /// changes.
  ///
  /// - Parameter timeline: the timeline it follows; `nil` for all.
  mutating func reportHolders(_ timeline: TimelineID? = nil, to peer: PeerID) {
    for held in controls.keys where timeline == nil || held == timeline {
      reportControl(of: held, to: peer, why: nil)
    }
  }

  private mutating func reportControl(of timeline: TimelineID, to peer: PeerID, why: String?) {
    let control = controls[timeline]
    let name = control.flatMap { inspectors[$0.holder]?.admission?.name }
    inspectors[peer]?.news.controls[timeline] = ToInspector.Control {
      $0.timeline = timeline
      $0.held = control != nil
      $0.yours = control?.holder == peer
      $0.holder = name
      $0.policy = control?.policy
      $0.queued = control?.policy == .queue ? queuedEvents[timeline] ?? 0 : nil
      $0.why = why
    }
    sendNews(to: peer)
  }
}
