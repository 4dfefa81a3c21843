internal import Reruns
internal import Wire

extension Hub {
  /// What it counts. Peers that were not let in yet do not count.
  var counts: DaemonCounts {
    var counts = DaemonCounts()
    counts.recorders = recorders.values.count { $0.isKnown }
    counts.inspectors = inspectors.values.count { $0.admission != nil }
    counts.liveTimelines = live.count
    (counts.storedEntries, counts.storedBytes) = (storedEntries, storedBytes)
    counts.droppedEntries = dropped
    counts.waitingBytes = waitingBytes
    counts.queuedBytes = queuedOfInspectors
    counts.refused = refused
    let usable = hosts.summaries.filter { $0.problem == nil }
    counts.hosts = usable.count
    counts.busyHosts = usable.count { $0.busy }
    counts.isStoring = problem == nil
    return counts
  }
}
