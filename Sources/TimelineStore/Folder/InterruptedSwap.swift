import Foundation

/// Finishes a recovery whose last steps were interrupted, before a folder's database is opened.
///
/// The steps of ``Store/swapFiles(_:with:on:)`` leave one of three situations: the old database
/// without its log, no database at all, or the new one. Opened as they are, the first would lose
/// the content of the log, and the second would start empty.
enum InterruptedSwap {
  /// The folder in which a recovery creates the new database.
  static let freshFolder = "recovering"

  /// Separates the database's name from the time at which damage was found.
  static let mark = ".damaged-"

  private static let logSuffix = "-wal"

  /// Moves the files back or into place, or refuses with a sentence if it cannot decide.
  static func finish(in folder: String, on disk: any StoreDisk = SystemDisk()) throws(StoreError) {
    let found = try StoreError.mapping { () throws(DiskError) in try Found(folder, disk) }
    let fresh = folder + "/" + freshFolder
    if found.hasDatabase {
      if found.hasReportAlone {
        try StoreError.mapping { () throws(DiskError) in
          try RecoveryReportFile.publish(from: fresh, in: folder, on: disk)
        }
        return
      }
      guard found.isFreshWhole, !found.hasLog, let alone = found.logAlone else { return }
      try StoreError.mapping { () throws(DiskError) in
        try disk.move(folder + "/" + alone, to: folder + "/" + DatabaseFile.name + logSuffix)
        try disk.sync(folder)
      }
      return
    }
    if found.isFreshWhole, found.damaged != nil {
      try StoreError.mapping { () throws(DiskError) in
        try disk.move(fresh + "/" + DatabaseFile.name, to: folder + "/" + DatabaseFile.name)
        try disk.sync(folder)
        try RecoveryReportFile.publish(from: fresh, in: folder, on: disk)
      }
      // The rest of the folder is no longer needed, and the next recovery removes it too.
      try? disk.remove(fresh)
      return
    }
    if let damaged = found.damaged {
      throw StoreError(
        .folder(
          folder,
          why: "\(DatabaseFile.name) is missing, and there is a damaged one next to it. "
            + "To fix, rename \(damaged) to \(DatabaseFile.name) and run debugd recover"))
    }
    if found.hasFresh {
      throw StoreError(
        .folder(
          folder,
          why: "\(DatabaseFile.name) is missing, and there is an unfinished recovery next to it. "
            + "To fix, put the database back, or remove \(freshFolder) to begin with nothing"))
    }
  }

  /// The files of the old and the new database.
  private struct Found {
    let hasDatabase: Bool
    let hasLog: Bool
    let hasFresh: Bool
    /// A database with a log was not closed properly: the recovery that made it did not end.
    let isFreshWhole: Bool
    /// Whether the new database has left its report behind, and so is in place.
    let hasReportAlone: Bool
    /// The newest damaged database.
    let damaged: String?
    /// The log that was moved before its database.
    let logAlone: String?

    init(_ folder: String, _ disk: any StoreDisk) throws(DiskError) {
      let names = Set(try disk.names(in: folder))
      hasDatabase = names.contains(DatabaseFile.name)
      hasLog = names.contains(DatabaseFile.name + logSuffix)
      let fresh =
        names.contains(freshFolder) ? Set(try disk.names(in: folder + "/" + freshFolder)) : []
      hasFresh = fresh.contains(DatabaseFile.name)
      hasReportAlone = !hasFresh && fresh.contains(RecoveryReportFile.name)
      isFreshWhole = hasFresh && !fresh.contains(DatabaseFile.name + logSuffix)
      let kept = names.filter { $0.hasPrefix(DatabaseFile.name + mark) }
      damaged = kept.filter { !$0.hasSuffix(logSuffix) && !$0.hasSuffix("-shm") }.max()
      logAlone = kept.filter { $0.hasSuffix(logSuffix) }.sorted().first { log in
        !kept.contains(String(log.dropLast(logSuffix.count)))
      }
    }
  }
}
