internal import Timelines

/// What inspectors are told without having asked.
extension Hub {
  /// A timeline has new durable entries.
  mutating func grown(_ timeline: TimelineID) {
    for peer in inspectors.keys.sorted() where inspectors[peer]?.news.watches[timeline] != nil {
      inspectors[peer]?.news.watches[timeline]?.isBehind = true
      tell(peer)
    }
  }

  /// A timeline is new, or has changed other than by entries.
  mutating func changed(_ timeline: TimelineID) {
    for peer in inspectors.keys.sorted() {
      guard let news = inspectors[peer]?.news,
        news.watchesList || news.watches[timeline] != nil
      else { continue }
      inspectors[peer]?.news.changed.insert(timeline)
      tell(peer)
    }
  }

  /// The hosts are others than before.
  mutating func hostsChanged() {
    actions.append(.branch(.hostsChanged))
    for peer in inspectors.keys.sorted() where inspectors[peer]?.news.watchesList == true {
      inspectors[peer]?.news.hosts = true
      tell(peer)
    }
  }

  /// Tells an inspector what there is, once it has taken what it was told before.
  mutating func tell(_ peer: PeerID) {
    guard let session = inspectors[peer], session.admission != nil, session.queued == 0,
      session.news.isDue
    else { return }
    guard now >= session.news.notBefore else { return wake(in: session.news.notBefore - now) }
    inspectors[peer]?.news.notBefore = now + settings.limits.newsMilliseconds
    for (timeline, watch) in session.news.watches where watch.isBehind && watch.ticket == nil {
      let ticket = ticket(for: .follow(peer, timeline))
      inspectors[peer]?.news.watches[timeline]?.isBehind = false
      inspectors[peer]?.news.watches[timeline]?.ticket = ticket
      actions.append(
        .look(ticket, .follow(timeline, after: watch.told, filter: watch.filter)))
    }
    if !session.news.changed.isEmpty, session.news.summaries == nil {
      let ticket = ticket(for: .summaries(peer))
      inspectors[peer]?.news.changed = []
      inspectors[peer]?.news.summaries = ticket
      let timelines = session.news.changed.sorted { $0.text < $1.text }
      actions.append(.look(ticket, .summaries(timelines)))
    }
    if session.news.hosts {
      inspectors[peer]?.news.hosts = false
      send(.hosts(ToInspector.Hosts { $0.hosts = hosts.summaries }), to: peer)
    }
    for message in inspectors[peer]?.news.takeMessages() ?? [] { send(message, to: peer) }
  }

  mutating func followed(_ timeline: TimelineID, of peer: PeerID, _ answer: LookAnswer) {
    guard let watch = inspectors[peer]?.news.watches[timeline] else { return }
    inspectors[peer]?.news.watches[timeline]?.ticket = nil
    if case .message(.live(let live)) = answer, live.last > watch.told {
      inspectors[peer]?.news.watches[timeline]?.told = live.last
      send(.live(live), to: peer)
    }
    tell(peer)
  }

  mutating func summarised(_ peer: PeerID, _ answer: LookAnswer) {
    inspectors[peer]?.news.summaries = nil
    if case .summaries(let summaries) = answer {
      for summary in summaries {
        let message = ToInspector.Timeline { $0.timeline = decorate(summary) }
        send(.timeline(message), to: peer)
      }
    }
    tell(peer)
  }
}
