import Foundation

/// Finishes a recovery whose last steps were interrupted, before a folder's database is opened.
///
/// The steps of ``Store/swapFiles(_:with:sync:)`` leave three pictures: the old database without its
/// log, no database at all, or the new one. Opened as they are, the first would lose what was in the
/// log, and the second would begin with nothing.
enum InterruptedSwap {
  /// The folder in which a recovery makes the new database.
  static let freshFolder = "recovering"

  /// Between the database's name and the time at which it was found damaged.
  static let mark = ".damaged-"

  private static let log = "-wal"

  /// Puts back what was moved too early, or in place what was to come; refuses with a sentence where
  /// it cannot tell.
  static func finish(in folder: String) throws(StoreError) {
    let database = folder + "/" + Store.fileName
    let fresh = folder + "/" + freshFolder + "/" + Store.fileName
    // A database with a log was not closed in order: the recovery that made it did not end.
    let isFresh = exists(fresh) && !exists(fresh + log)
    let kept = keptFiles(in: folder)
    if exists(database) {
      guard isFresh, !exists(database + log),
        let alone = kept.first(where: { $0.hasSuffix(log) && !kept.contains(base(of: $0)) })
      else { return }
      try move(folder + "/" + alone, to: database + log)
      return try DiskSync.sync(folder)
    }
    let damaged = kept.last { !$0.hasSuffix(log) && !$0.hasSuffix("-shm") }
    if isFresh, damaged != nil {
      try move(fresh, to: database)
      try DiskSync.sync(folder)
      // What is left in there says nothing any more, and the next recovery removes it too.
      try? FileManager.default.removeItem(atPath: folder + "/" + freshFolder)
      return
    }
    if let damaged {
      throw StoreError(
        .folder(
          folder,
          why: "\(Store.fileName) is missing, and a damaged one stands beside it. "
            + "To fix, rename \(damaged) to \(Store.fileName) and run debugd recover"))
    }
    if exists(fresh) {
      throw StoreError(
        .folder(
          folder,
          why: "\(Store.fileName) is missing, and a recovery that did not end stands beside it. "
            + "To fix, put the database back, or remove \(freshFolder) to begin with nothing"))
    }
  }

  /// The names of the databases that were found damaged, and of their logs, oldest first.
  private static func keptFiles(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(Store.fileName + mark) }.sorted()
  }

  private static func base(of name: String) -> String { String(name.dropLast(log.count)) }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func move(_ path: String, to other: String) throws(StoreError) {
    guard rename(path, other) == 0 else {
      throw StoreError(.folder(path, why: String(cString: strerror(errno))))
    }
  }
}
