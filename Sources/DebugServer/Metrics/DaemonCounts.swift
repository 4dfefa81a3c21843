internal import TimelineStore

/// What the daemon counts, for its metrics: nothing that has to be searched for.
struct DaemonCounts: Sendable {
  var recorders = 0
  var inspectors = 0
  /// The timelines whose machines run in a connected recorder.
  var liveTimelines = 0
  /// The entries of recorders that the store took, since the daemon was started.
  var storedEntries: Int64 = 0
  /// The bytes of those entries.
  var storedBytes: Int64 = 0
  /// The entries that came twice, since the daemon was started.
  var droppedEntries: Int64 = 0
  /// The bytes of entries that wait for the disk.
  var waitingBytes = 0
  /// The bytes of answers and news that inspectors have not read.
  var queuedBytes = 0
  var refused = RefusedConnections()
  /// The executables and recorders that can run reducers.
  var hosts = 0
  var busyHosts = 0
  var queries: Int64 = 0
  var runningQueries = 0
  var store = StoreCounts()
  /// Whether the store takes entries.
  var isStoring = true
}

extension MetricsText {
  init(_ counts: DaemonCounts, version: String) {
    add("debugd_build_info", .gauge, "The daemon's version.", by: "version", [version: 1])
    add(
      "debugd_connections", .gauge, "Connections that were let in.", by: "role",
      ["recorder": counts.recorders, "inspector": counts.inspectors])
    add(
      "debugd_connections_refused_total", .counter,
      "Connections closed for lack of a proof, or because of a limit.", by: "reason",
      ["unproved": counts.refused.unproved, "limit": counts.refused.excess])
    add("debugd_live_timelines", .gauge, "Timelines that a recorder writes.", counts.liveTimelines)
    add(
      "debugd_entries_stored_total", .counter, "Entries of recorders that were stored.",
      counts.storedEntries)
    add(
      "debugd_entry_bytes_stored_total", .counter, "Bytes of these entries, before compression.",
      counts.storedBytes)
    add(
      "debugd_entries_dropped_total", .counter,
      "Entries that recorders sent again although they were stored.", counts.droppedEntries)
    add(
      "debugd_waiting_bytes", .gauge, "Bytes of entries that wait for the disk.",
      counts.waitingBytes)
    add(
      "debugd_inspector_queue_bytes", .gauge,
      "Bytes of answers and news that inspectors have not read.", counts.queuedBytes)
    add(
      "debugd_hosts", .gauge, "Hosts that can run reducers.", by: "state",
      ["busy": counts.busyHosts, "idle": counts.hosts - counts.busyHosts])
    add(
      "debugd_queries_total", .counter, "Requests that read recordings or ran a reducer.",
      counts.queries)
    add("debugd_queries_running", .gauge, "These requests in progress.", counts.runningQueries)
    add(
      "debugd_store_writable", .gauge, "1 while the store takes entries, 0 while it does not.",
      counts.isStoring ? 1 : 0)
    add(counts.store)
  }

  private mutating func add(_ store: StoreCounts) {
    add(
      "debugd_store_waiting", .gauge, "Writes that wait for a commit, and reads for a thread.",
      by: "for", ["write": store.waitingWrites, "read": store.waitingReads])
    if let machines = store.machines {
      add(
        "debugd_saved_copies", .gauge, "Computers that have an entry once it is acknowledged.",
        machines)
    }
    if let renewed = store.renewed {
      add(
        "debugd_lease_renewed_timestamp_seconds", .gauge,
        "When the lease of the database was renewed last, in seconds since 1970.",
        Double(renewed) / 1_000_000)
    }
  }
}
