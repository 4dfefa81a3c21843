/// What an inspector asks the daemon.
package enum FromInspector: MessageSet {
  /// Opens the connection.
  case hello(Hello)
  /// Asks for the list of timelines.
  case timelines(Timelines)
  /// Begins or ends live updates.
  case watch(Watch)
  /// Asks for a window of entries.
  case entries(Entries)
  /// Asks for what holds after an entry.
  case state(State)
  /// Asks for the stored line of an entry.
  case raw(Raw)
  /// Asks for the difference between two moments of any timelines.
  case diff(Diff)
  /// Asks which entries changed a value.
  case changes(Changes)
  /// Asks for entries for which a predicate holds.
  case find(Find)
  /// Asks for the value at some paths in a stretch of entries.
  case column(Column)
  /// Asks for counts over a stretch; answered by a binary frame.
  case overview(Overview)
  /// Asks a host for the states that were not captured in a stretch.
  case compute(Compute)
  /// Makes a branch.
  case fork(Fork)
  /// Names a timeline.
  case rename(Rename)
  /// Deletes a timeline.
  case delete(Delete)
  /// Marks an entry, or takes the mark away.
  case mark(Mark)
  /// Begins an import; the file follows in `part`s.
  case `import`(Import)
  /// Carries a part of a file.
  case part(Part)
  /// Asks for a timeline, or a stretch of it, as a file.
  case export(Export)
  /// Replays a timeline and compares.
  case verify(Verify)
  /// Compares two timelines, or one with its events on another host.
  case compare(Compare)
  /// Looks for the fewest events for which a predicate holds.
  case minimise(Minimise)
  /// Ends a request that is under way.
  case cancel(Cancel)
  /// Takes control of a live machine, or renews the lease.
  case hold(Hold)
  /// Replaces the live state by that of a moment.
  case restore(Restore)
  /// Sends an event to the live machine.
  case dispatch(Dispatch)
  /// Lets one queued event of a held machine through.
  case step(Step)
  /// Ends the lease.
  case resume(Resume)
  /// Says which events a live app records from now on.
  case capture(Capture)
  /// Asks how the daemon does.
  case status(Status)
  /// Deletes what is more than may be kept, the oldest first; marked timelines stay.
  case prune(Prune)
  /// Asks whether everything that is stored can be read.
  case check(Check)
  /// Asks who may look.
  case sessions(Sessions)
  /// Ends a session.
  case revoke(Revoke)
  /// Asks for a one-time code, from which another inspector makes its session.
  case invite(Invite)
  /// Asks what can run reducers.
  case hosts(Hosts)
  /// Starts an executable as a host.
  case host(Host)
  /// Says that a message was not understood, or that what it asked for was not done.
  case error(ErrorReply)
}

extension FromInspector {
  /// How its messages are read.
  package static let kinds = MessageKinds<Self>([
    MessageKind(Self.hello),
    MessageKind(Self.timelines),
    MessageKind(Self.watch),
    MessageKind(Self.entries),
    MessageKind(Self.state),
    MessageKind(Self.raw),
    MessageKind(Self.diff),
    MessageKind(Self.changes),
    MessageKind(Self.find),
    MessageKind(Self.column),
    MessageKind(Self.overview),
    MessageKind(Self.compute),
    MessageKind(Self.fork),
    MessageKind(Self.rename),
    MessageKind(Self.delete),
    MessageKind(Self.mark),
    MessageKind(Self.`import`),
    MessageKind(Self.part),
    MessageKind(Self.export),
    MessageKind(Self.verify),
    MessageKind(Self.compare),
    MessageKind(Self.minimise),
    MessageKind(Self.cancel),
    MessageKind(Self.hold),
    MessageKind(Self.restore),
    MessageKind(Self.dispatch),
    MessageKind(Self.step),
    MessageKind(Self.resume),
    MessageKind(Self.capture),
    MessageKind(Self.status),
    MessageKind(Self.prune),
    MessageKind(Self.check),
    MessageKind(Self.sessions),
    MessageKind(Self.revoke),
    MessageKind(Self.invite),
    MessageKind(Self.hosts),
    MessageKind(Self.host),
    MessageKind(Self.error),
  ])

  /// The message that it holds.
  package var message: any Message {
    switch self {
    case .hello(let message): message
    case .timelines(let message): message
    case .watch(let message): message
    case .entries(let message): message
    case .state(let message): message
    case .raw(let message): message
    case .diff(let message): message
    case .changes(let message): message
    case .find(let message): message
    case .column(let message): message
    case .overview(let message): message
    case .compute(let message): message
    case .fork(let message): message
    case .rename(let message): message
    case .delete(let message): message
    case .mark(let message): message
    case .`import`(let message): message
    case .part(let message): message
    case .export(let message): message
    case .verify(let message): message
    case .compare(let message): message
    case .minimise(let message): message
    case .cancel(let message): message
    case .hold(let message): message
    case .restore(let message): message
    case .dispatch(let message): message
    case .step(let message): message
    case .resume(let message): message
    case .capture(let message): message
    case .status(let message): message
    case .prune(let message): message
    case .check(let message): message
    case .sessions(let message): message
    case .revoke(let message): message
    case .invite(let message): message
    case .hosts(let message): message
    case .host(let message): message
    case .error(let message): message
    }
  }
}
