internal import TimelineStore

// What the daemon does beside serving.
extension Server {
  /// Tends the store and the hosts until the task is cancelled.
  func tend(
    _ store: Store, _ parts: DaemonParts, _ current: CurrentSettings
  ) async {
    let (hosts, daemon) = (parts.hosts, parts.daemon)
    await withTaskGroup { group in
      group.addTask { await hosts.tend { [weak daemon] in daemon?.enqueue(.hosts($0)) } }
      group.addTask { await keepWithin(current, parts) }
      group.addTask { await makeIndex(store) }
    }
  }

  /// Lets go of what is more than may be kept, now and then, until the task is cancelled.
  private func keepWithin(
    _ current: CurrentSettings, _ parts: DaemonParts
  ) async {
    while !Task.isCancelled {
      await parts.keepWithin(current.configuration.retention)
      do { try await Task.sleep(for: configuration.retentionInterval) } catch { return }
    }
  }

  /// Makes the index of chunks that have none: after an update, or when it was lost.
  private func makeIndex(_ store: Store) async {
    var count = 0
    do {
      while !Task.isCancelled, try await store.indexMore() { count += 1 }
    } catch {
      // The disk may be full; searches read everything meanwhile, and the next start goes on.
      configuration.log.write(LogEvent(.warning, "index.failed", "\(error)"))
    }
    if count > 0 {
      configuration.log.write(
        LogEvent(.info, "index.made", "The index of \(count) chunks was made anew."))
    }
  }
}
