/// An inspector's messages to the daemon.
package enum FromInspector: MessageSet {
  /// Opens the connection.
  case hello(Hello)
  /// Requests the list of timelines.
  case timelines(Timelines)
  /// Begins or ends live updates.
  case watch(Watch)
  /// Requests a window of entries.
  case entries(Entries)
  /// Requests the moment after an entry.
  case state(State)
  /// Requests the stored line of an entry.
  case raw(Raw)
  /// Requests the difference between two moments of any timelines.
  case diff(Diff)
  /// Requests the entries that changed a value.
  case changes(Changes)
  /// Requests the entries for which a predicate holds.
  case find(Find)
  /// Requests the values at some paths in a stretch of entries.
  case column(Column)
  /// Requests the changes of some values over a stretch, at the resolution of a drawing.
  case series(Series)
  /// Requests counts over a stretch; answered with a binary frame.
  case overview(Overview)
  /// Lets a host compute the states that were not captured in a stretch.
  case compute(Compute)
  /// Makes a branch.
  case fork(Fork)
  /// Names a timeline.
  case rename(Rename)
  /// Deletes a timeline.
  case delete(Delete)
  /// Marks an entry, or removes the mark.
  case mark(Mark)
  /// Begins an import; the file follows in `part`s.
  case `import`(Import)
  /// Carries a part of a file.
  case part(Part)
  /// Requests a timeline, or a stretch of it, as a file.
  case export(Export)
  /// Replays a timeline and compares.
  case verify(Verify)
  /// Compares two timelines, or one with its events on another host.
  case compare(Compare)
  /// Finds the fewest events for which a predicate holds.
  case minimize(Minimize)
  /// Looks for events that lead to a failure.
  case explore(Explore)
  /// Asks what led to an entry.
  case explain(Explain)
  /// Cancels a request in progress.
  case cancel(Cancel)
  /// Acquires control of a live machine, or renews the lease.
  case hold(Hold)
  /// Replaces the live state with that of a moment.
  case restore(Restore)
  /// Sends an event to the live machine.
  case dispatch(Dispatch)
  /// Releases one queued event of a held machine.
  case step(Step)
  /// Ends the lease.
  case resume(Resume)
  /// Selects the events that a live app records from now on.
  case capture(Capture)
  /// Requests which parts of the state grow.
  case growth(Growth)
  /// Requests what always held in recordings.
  case invariants(Invariants)
  /// Requests the lines of source around an entry's call site.
  case source(Source)
  /// Requests the named filters of a machine; keeps or removes one.
  case filters(Filters)
  /// Requests the daemon's status.
  case status(Status)
  /// Deletes the oldest data over the limits, but no marked timelines.
  case prune(Prune)
  /// Checks whether all stored data can be read.
  case check(Check)
  /// Requests the list of sessions.
  case sessions(Sessions)
  /// Ends a session.
  case revoke(Revoke)
  /// Requests a one-time code, with which another inspector creates its session.
  case invite(Invite)
  /// Requests the list of hosts.
  case hosts(Hosts)
  /// Starts an executable as a host.
  case host(Host)
  /// Requests everything of a timeline except its entries, to copy it.
  case manifest(Manifest)
  /// Requests stored chunks of a timeline.
  case fetch(Fetch)
  /// Offers a copy of a timeline.
  case offer(Offer)
  /// Appends chunks to a copy.
  case deposit(Deposit)
  /// Adds marks and a name to a copy, and ends it.
  case finish(Finish)
  /// Reports that a message was not understood, or that a request failed.
  case error(ErrorReply)
}

extension FromInspector {
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
    MessageKind(Self.series),
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
    MessageKind(Self.minimize),
    MessageKind(Self.explore),
    MessageKind(Self.explain),
    MessageKind(Self.cancel),
    MessageKind(Self.hold),
    MessageKind(Self.restore),
    MessageKind(Self.dispatch),
    MessageKind(Self.step),
    MessageKind(Self.resume),
    MessageKind(Self.capture),
    MessageKind(Self.growth),
    MessageKind(Self.invariants),
    MessageKind(Self.source),
    MessageKind(Self.filters),
    MessageKind(Self.status),
    MessageKind(Self.prune),
    MessageKind(Self.check),
    MessageKind(Self.sessions),
    MessageKind(Self.revoke),
    MessageKind(Self.invite),
    MessageKind(Self.hosts),
    MessageKind(Self.host),
    MessageKind(Self.manifest),
    MessageKind(Self.fetch),
    MessageKind(Self.offer),
    MessageKind(Self.deposit),
    MessageKind(Self.finish),
    MessageKind(Self.error),
  ])

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
    case .series(let message): message
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
    case .minimize(let message): message
    case .explore(let message): message
    case .explain(let message): message
    case .cancel(let message): message
    case .hold(let message): message
    case .restore(let message): message
    case .dispatch(let message): message
    case .step(let message): message
    case .resume(let message): message
    case .capture(let message): message
    case .growth(let message): message
    case .invariants(let message): message
    case .source(let message): message
    case .filters(let message): message
    case .status(let message): message
    case .prune(let message): message
    case .check(let message): message
    case .sessions(let message): message
    case .revoke(let message): message
    case .invite(let message): message
    case .hosts(let message): message
    case .host(let message): message
    case .manifest(let message): message
    case .fetch(let message): message
    case .offer(let message): message
    case .deposit(let message): message
    case .finish(let message): message
    case .error(let message): message
    }
  }
}
