/// What is asked of a disk.
package enum DiskOperation: String, Hashable, Sendable {
  case open, create, read, write, resize, sync, remove, look, list, move, makeFolder, share

  /// Whether it needs room.
  var needsRoom: Bool {
    switch self {
    case .create, .write, .makeFolder, .move, .share: true
    case .open, .read, .resize, .sync, .remove, .look, .list: false
    }
  }
}

/// Which operations of a disk fail.
package struct DiskFaults: Sendable {
  package enum Kind: String, Hashable, Sendable {
    case broken
    /// There is no room: only what needs some fails.
    case full
  }

  package var kind: Kind
  /// The operation, counted from 0, at which it begins.
  package var first: Int
  /// Whether all operations from there on fail, until the fault is repaired.
  package var isLasting: Bool

  package init(_ kind: Kind, at first: Int, isLasting: Bool) {
    (self.kind, self.first, self.isLasting) = (kind, first, isLasting)
  }

  package func strikes(_ operation: DiskOperation, number: Int) -> Bool {
    guard number == first || isLasting && number > first else { return false }
    return kind == .broken || operation.needsRoom
  }
}

/// A fault planted into the code above the disk, by what the disk sees of it.
package enum PlantedBug: Hashable, Sendable {
  /// Folders are never synced.
  case foldersNotSynced
  /// Files are never synced, as with `synchronous = OFF`.
  case filesNotSynced
  /// Errors of syncing are ignored.
  case syncErrorsIgnored
  /// What cannot be looked at counts as not there.
  case errorsMeanMissing
}
