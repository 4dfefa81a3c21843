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
    let summaries = hosts.summaries
    counts.hosts = summaries.count
    counts.busyHosts = summaries.count { $0.busy }
    counts.isStoring = problem == nil
    return counts
  }
}
