internal import Reruns
internal import Timelines
internal import Wire

extension Hub {
  /// A timeline has new durable entries.
  mutating func grown(_ timeline: TimelineID) {
    follows.grew(timeline)
    for peer in inspectors.keys.sorted() where inspectors[peer]?.news.watches[timeline] != nil {
      inspectors[peer]?.news.watches[timeline]?.isBehind = true
      sendNews(to: peer)
    }
  }

  /// A timeline is new, or has changed other than by entries.
  mutating func changed(_ timeline: TimelineID) {
    for peer in inspectors.keys.sorted() {
      guard let news = inspectors[peer]?.news,
        news.watchesList || news.watches[timeline] != nil
      else { continue }
      inspectors[peer]?.news.changed.insert(timeline)
      sendNews(to: peer)
    }
  }

  mutating func hostsChanged() {
    actions.append(.branch(.hostsChanged))
    for peer in inspectors.keys.sorted() where inspectors[peer]?.news.watchesList == true {
      inspectors[peer]?.news.hosts = true
      sendNews(to: peer)
    }
  }

  /// Sends an inspector its pending news, once it has read the earlier ones.
  mutating func sendNews(to peer: PeerID) {
    guard let session = inspectors[peer], session.queued == 0, session.news.isDue,
      mayReceiveNews(peer)
    else { return }
    guard now >= session.news.notBefore else { return wake(in: session.news.notBefore - now) }
    let end = endOfPeriod
    inspectors[peer]?.news.notBefore = end
    for (timeline, watch) in session.news.watches where watch.isBehind && watch.ticket == nil {
      guard now >= watch.retry.notBefore else {
        wake(in: watch.retry.notBefore - now)
        continue
      }
      follow(timeline, watch, peer)
    }
    askForSummaries(of: session.news, peer)
    if session.news.hosts {
      inspectors[peer]?.news.hosts = false
      send(.hosts(ToInspector.Hosts { $0.hosts = hosts.summaries }), to: peer)
    }
    if session.news.sessions {
      inspectors[peer]?.news.sessions = false
      send(.sessions(sessionList(for: peer)), to: peer)
    }
    for message in inspectors[peer]?.news.removeMessages() ?? [] { send(message, to: peer) }
  }

  /// The end of the current period of updates. The periods are the same for all inspectors, so that
  /// those that follow a timeline ask at the same time.
  private var endOfPeriod: Int64 {
    let period = max(settings.limits.newsMilliseconds, 1)
    return (now / period + 1) * period
  }

  /// Asks for the newest entries of a timeline, unless another inspector has just asked the same.
  private mutating func follow(
    _ timeline: TimelineID, _ watch: InspectorNews.Watch, _ peer: PeerID
  ) {
    let question = SharedFollows.Question(
      timeline: timeline, after: watch.reported, filter: watch.filter)
    if let (ticket, isStale) = follows.join(question, peer) {
      inspectors[peer]?.news.watches[timeline]?.isBehind = isStale
      inspectors[peer]?.news.watches[timeline]?.ticket = ticket
      return
    }
    let ticket = ticket(for: .follow)
    follows.begin(question, ticket, for: peer)
    inspectors[peer]?.news.watches[timeline]?.isBehind = false
    inspectors[peer]?.news.watches[timeline]?.ticket = ticket
    actions.append(
      .query(ticket, .follow(timeline, after: watch.reported, filter: watch.filter)))
  }

  private mutating func askForSummaries(of news: InspectorNews, _ peer: PeerID) {
    guard !news.changed.isEmpty, news.summaries == nil else { return }
    let retry = news.summariesRetry
    guard now >= retry.notBefore else { return wake(in: retry.notBefore - now) }
    let ticket = ticket(for: .summaries(peer))
    inspectors[peer]?.news.changed = []
    inspectors[peer]?.news.askedSummaries = news.changed
    inspectors[peer]?.news.summaries = ticket
    let timelines = news.changed.sorted { $0.text < $1.text }
    actions.append(.query(ticket, .summaries(timelines)))
  }

  /// A query for the newest entries was answered.
  mutating func followed(_ ticket: Ticket, _ answer: QueryResult) {
    guard let query = follows.end(ticket) else { return }
    var frame: Frame?
    if case .message(.live(let live)) = answer {
      frame = .text(Envelope(ToInspector.live(live)).encoded())
    }
    for peer in query.peers.sorted() {
      followed(query.question.timeline, of: peer, answer, frame)
    }
  }

  private mutating func followed(
    _ timeline: TimelineID, of peer: PeerID, _ answer: QueryResult, _ frame: Frame?
  ) {
    guard mayReceiveNews(peer), var watch = inspectors[peer]?.news.watches[timeline] else { return }
    watch.ticket = nil
    switch answer {
    case .message(.live(let live)):
      watch.retry.succeed()
      if live.last > watch.reported {
        watch.reported = live.last
        if let frame { send(frame, to: peer) }
      }
    case .refused(let refusal) where refusal.reply.code != .notFound:
      watch.isBehind = true
      watch.retry.fail(now: now)
    case .message, .encoded, .overview, .summaries, .pruned, .deleted, .refused: break
    }
    inspectors[peer]?.news.watches[timeline] = watch
    sendNews(to: peer)
  }

  mutating func sendSummaries(_ peer: PeerID, _ answer: QueryResult) {
    guard mayReceiveNews(peer), var news = inspectors[peer]?.news else { return }
    news.summaries = nil
    switch answer {
    case .summaries(let summaries):
      news.summariesRetry.succeed()
      for summary in summaries {
        let message = ToInspector.Timeline { $0.timeline = decorate(summary) }
        send(.timeline(message), to: peer)
      }
    case .refused:
      news.changed.formUnion(news.askedSummaries.subtracting(news.gone))
      news.summariesRetry.fail(now: now)
    case .message, .encoded, .overview, .pruned, .deleted: break
    }
    news.askedSummaries = []
    inspectors[peer]?.news = news
    sendNews(to: peer)
  }
}
