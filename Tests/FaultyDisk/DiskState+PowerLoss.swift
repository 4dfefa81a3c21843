/// What a loss of power does to a change that was not synced.
package enum Fate: Sendable {
  case lost
  case kept
  /// A sector is written in part. A name is kept.
  case torn
}

extension DiskState {
  /// How many changes are not synced: each may survive a loss of power or not.
  package var unsynced: Int {
    pendingNames.count + files.values.reduce(0) { $0 + $1.pending.count }
  }

  /// The disk after a loss of power, where a closure decides about each change that was not synced.
  package func afterPowerLoss(_ fate: (Int) -> Fate) -> DiskState {
    var next = 0
    func decide() -> Fate {
      defer { next += 1 }
      return fate(next)
    }
    var state = self
    for change in pendingNames where decide() != .lost {
      Self.apply(change, to: &state.durableNames)
    }
    for (id, file) in files.sorted(by: { $0.key < $1.key }) {
      state.files[id] = file.afterPowerLoss(decide)
    }
    // A name in a folder that is not there is not there either.
    state.names = state.durableNames.filter { path, _ in
      var folder = Self.folder(of: path)
      while folder != "/" {
        guard state.durableNames[folder] == .folder else { return false }
        folder = Self.folder(of: folder)
      }
      return true
    }
    state.durableNames = state.names
    state.pendingNames = []
    return state
  }
}

extension DiskFile {
  fileprivate func afterPowerLoss(_ decide: () -> Fate) -> DiskFile {
    var bytes = durable
    for change in pending {
      switch (decide(), change) {
      case (.lost, _): continue
      case (.torn, .write(let offset, let new, _)):
        Self.apply(
          .write(offset, new.prefix(new.count / 2), isDropped: false), to: &bytes)
      case (.kept, _), (.torn, .resize): Self.apply(change, to: &bytes)
      }
    }
    var file = DiskFile()
    file.content = bytes
    file.flush()
    return file
  }
}
