package import Wire

extension Refusal {
  /// The refusal of a request that needs a running daemon.
  package static func needsDaemon(
    _ request: FromInspector, start: String = ServerConfiguration.start
  ) -> Refusal {
    let what =
      switch request {
      case .fork: "make branches"
      case .verify: "verify timelines"
      case .compare: "compare a timeline with today's code"
      case .minimize: "minimize timelines"
      case .explore: "explore what events lead to"
      case .explain: "explain entries"
      case .export: "compute branches for a file"
      case .compute: "compute states that were not captured"
      case .hello, .timelines, .watch, .entries, .state, .raw, .diff, .changes, .find, .column,
        .series, .overview, .rename, .delete, .mark, .import, .part, .cancel, .hold,
        .restore, .dispatch, .step, .resume, .capture, .status, .prune, .check, .sessions, .revoke,
        .invite, .hosts, .host, .manifest, .growth, .invariants, .source, .filters, .fetch, .offer,
        .deposit,
        .finish, .error:
        "do this"
      }
    if case .compare = request {
      return Refusal(
        .noHost,
        """
        Only a running daemon can \(what). To fix, name a second timeline, or start the daemon: \
        \(start)
        """)
    }
    return Refusal(
      .noHost, "Only a running daemon can \(what). To fix, start it: \(start)")
  }
}
