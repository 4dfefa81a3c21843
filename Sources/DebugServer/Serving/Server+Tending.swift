internal import TimelineStore

// What the daemon does beside serving.
extension Server {
  /// Tends the store and the hosts until the task is cancelled.
  func tend(
    _ store: Store, _ hosts: HostKeeper, _ daemon: Daemon, _ current: CurrentSettings
  ) async {
    await withTaskGroup { group in
      group.addTask { await hosts.tend { [weak daemon] in daemon?.enqueue(.hosts($0)) } }
      group.addTask { await keepWithin(current, store, daemon) }
      group.addTask { await makeIndex(store) }
    }
  }

  /// Lets go of what is more than may be kept, now and then, until the task is cancelled.
  private func keepWithin(
    _ current: CurrentSettings, _ store: Store, _ daemon: Daemon
  ) async {
    while !Task.isCancelled {
      let retention = current.configuration.retention
      if retention != Retention() {
        do {
          let pruned = try await store.prune(retention, live: await daemon.live)
          for sentence in pruned.sentences {
            configuration.log.write(LogEvent(.info, "retention", sentence))
          }
          if pruned != Pruned() { daemon.enqueue(.limited(pruned)) }
        } catch {
          configuration.log.write(LogEvent(.warning, "retention.failed", "\(error)"))
        }
      }
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
