internal import Reruns
internal import TimelineStore

// Background work of the daemon.
extension Server {
  /// Maintains the store and the hosts until the task is canceled.
  func runMaintenance(
    _ store: Store, _ parts: DaemonParts, _ current: CurrentSettings
  ) async {
    let (hosts, daemon) = (parts.hosts, parts.daemon)
    await withTaskGroup { group in
      group.addTask { await hosts.run { [weak daemon] in daemon?.enqueue(.hosts($0)) } }
      group.addTask { await applyRetention(current, parts) }
      group.addTask { await makeIndex(store) }
    }
  }

  /// Applies retention repeatedly, until the task is canceled.
  private func applyRetention(
    _ current: CurrentSettings, _ parts: DaemonParts
  ) async {
    while !Task.isCancelled {
      await parts.applyRetention(current.configuration.retention)
      do { try await Task.sleep(for: configuration.retentionInterval) } catch { return }
    }
  }

  /// Indexes chunks that have no index: after an update, or when it was lost.
  private func makeIndex(_ store: Store) async {
    var count = 0
    do {
      while !Task.isCancelled, try await store.indexMore() { count += 1 }
    } catch {
      // The disk may be full; searches read everything meanwhile, and the next start continues.
      configuration.log.write(LogEvent(.warning, "index.failed", "\(error)"))
    }
    if count > 0 {
      configuration.log.write(
        LogEvent(.info, "index.made", "The index of \(count) chunks was rebuilt."))
    }
  }
}
