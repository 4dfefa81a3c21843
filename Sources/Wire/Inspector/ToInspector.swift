import Timelines

/// The daemon's messages to an inspector.
package enum ToInspector: MessageSet {
  /// Proves the daemon to an inspector, and asks for the inspector's proof.
  case challenge(Challenge)
  /// Accepts the inspector.
  case welcome(Welcome)
  /// Answers `timelines`.
  case timelines(Timelines)
  /// Reports that a timeline is new or has changed, other than by entries.
  case timeline(Timeline)
  /// Reports a deleted timeline.
  case gone(Gone)
  /// Reports that a timeline has grown.
  case live(Live)
  /// Reports who controls a live machine.
  case control(Control)
  /// Answers `entries`.
  case entries(Entries)
  /// Answers `state`.
  case state(State)
  /// Answers `raw`.
  case raw(Raw)
  /// Answers `diff`.
  case diff(Diff)
  /// Answers `changes`.
  case changes(Changes)
  /// Answers `find`.
  case find(Find)
  /// Answers `column`.
  case column(Column)
  /// Answers `series`.
  case series(Series)
  /// Answers `fork`; `progress` follows while the branch is computed.
  case fork(Fork)
  /// Answers a request without other results.
  case done(Done)
  /// Reports the progress of a request; has its ID as `re`.
  case progress(Progress)
  /// Answers `import`, and again after the last part.
  case `import`(Import)
  /// Answers `export`, in one or more parts.
  case export(Export)
  /// Answers `verify`.
  case verify(Verify)
  /// Answers `compare`.
  case compare(Compare)
  /// Answers `minimise`.
  case minimize(Minimize)
  /// Answers `explore`.
  case explore(Explore)
  /// Answers `explain`.
  case explain(Explain)
  /// Answers `growth`.
  case growth(Growth)
  /// Answers `invariants`.
  case invariants(Invariants)
  /// Answers `source`.
  case source(Source)
  /// Answers `filters`.
  case filters(Filters)
  /// Answers `status`.
  case status(Status)
  /// Answers `prune`.
  case prune(Prune)
  /// Answers `check`.
  case check(Check)
  /// Answers `sessions`, and reports changes.
  case sessions(Sessions)
  /// Answers `invite`.
  case invite(Invite)
  /// Answers `hosts`, and reports changes.
  case hosts(Hosts)
  /// Shows a notice.
  case notice(Notice)
  /// Answers `manifest`.
  case manifest(Manifest)
  /// Answers `fetch`.
  case fetch(Fetch)
  /// Answers `offer`.
  case offer(Offer)
  /// Reports that a message was not understood, or that a request failed.
  case error(ErrorReply)
}

extension ToInspector {
  package static let kinds = MessageKinds<Self>([
    MessageKind(Self.challenge),
    MessageKind(Self.welcome),
    MessageKind(Self.timelines),
    MessageKind(Self.timeline),
    MessageKind(Self.gone),
    MessageKind(Self.live),
    MessageKind(Self.control),
    MessageKind(Self.entries),
    MessageKind(Self.state),
    MessageKind(Self.raw),
    MessageKind(Self.diff),
    MessageKind(Self.changes),
    MessageKind(Self.find),
    MessageKind(Self.column),
    MessageKind(Self.series),
    MessageKind(Self.fork),
    MessageKind(Self.done),
    MessageKind(Self.progress),
    MessageKind(Self.`import`),
    MessageKind(Self.export),
    MessageKind(Self.verify),
    MessageKind(Self.compare),
    MessageKind(Self.minimize),
    MessageKind(Self.explore),
    MessageKind(Self.explain),
    MessageKind(Self.growth),
    MessageKind(Self.invariants),
    MessageKind(Self.source),
    MessageKind(Self.filters),
    MessageKind(Self.status),
    MessageKind(Self.prune),
    MessageKind(Self.check),
    MessageKind(Self.sessions),
    MessageKind(Self.invite),
    MessageKind(Self.hosts),
    MessageKind(Self.notice),
    MessageKind(Self.manifest),
    MessageKind(Self.fetch),
    MessageKind(Self.offer),
    MessageKind(Self.error),
  ])

  package var message: any Message {
    switch self {
    case .challenge(let message): message
    case .welcome(let message): message
    case .timelines(let message): message
    case .timeline(let message): message
    case .gone(let message): message
    case .live(let message): message
    case .control(let message): message
    case .entries(let message): message
    case .state(let message): message
    case .raw(let message): message
    case .diff(let message): message
    case .changes(let message): message
    case .find(let message): message
    case .column(let message): message
    case .series(let message): message
    case .fork(let message): message
    case .done(let message): message
    case .progress(let message): message
    case .`import`(let message): message
    case .export(let message): message
    case .verify(let message): message
    case .compare(let message): message
    case .minimize(let message): message
    case .explore(let message): message
    case .explain(let message): message
    case .growth(let message): message
    case .invariants(let message): message
    case .source(let message): message
    case .filters(let message): message
    case .status(let message): message
    case .prune(let message): message
    case .check(let message): message
    case .sessions(let message): message
    case .invite(let message): message
    case .hosts(let message): message
    case .notice(let message): message
    case .manifest(let message): message
    case .fetch(let message): message
    case .offer(let message): message
    case .error(let message): message
    }
  }
}
