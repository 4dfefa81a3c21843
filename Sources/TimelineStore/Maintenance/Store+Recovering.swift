import Foundation
import Synchronization
import Timelines

extension Store {
  /// Recovers what is readable in a folder that no process holds.
  ///
  /// An undamaged database is left as it is. The readable content of a damaged one is copied to a
  /// new database, and the old one is kept under another name, unchanged: it is only ever read.
  /// Gaps report what is missing, as in a recovered file.
  package static func recover(
    folder: String, indexer: any ChunkIndexer = TimelineIndexer(),
    options: StoreOptions = StoreOptions()
  ) async throws -> SalvageReport {
    let disk = options.disk
    let lock = try FolderLock(folder: folder, on: disk)
    defer { lock.release() }
    let path = folder + "/" + DatabaseFile.name
    try InterruptedSwap.finish(in: folder, on: disk)
    guard try exists(path, on: disk) else {
      throw StoreError(.folder(folder, why: "there is no \(DatabaseFile.name) in it"))
    }
    if let format = Schema.format(of: path, disk), format > Schema.current {
      throw StoreError(.newer(format: format, known: Schema.current))
    }
    let earlier = try StoreError.mapping { () throws(DiskError) in
      try RecoveryReportFile.read(in: folder, on: disk)
    }
    let damage = try await damage(folder, path, indexer, options)
    if damage == .none {
      RecoveryReportFile.remove(from: folder, on: disk)
      return earlier ?? SalvageReport()
    }
    let fresh = folder + "/" + InterruptedSwap.freshFolder
    try discard(fresh, on: disk)
    var report: SalvageReport
    do {
      report = try await salvage(path, into: fresh, indexer, options)
    } catch {
      try? discard(fresh, on: disk)
      throw error
    }
    report.wasDamaged = true
    if damage == .ofOrder, report.losses.isEmpty {
      report.losses.append(
        "The database's own order is damaged; timelines may have had more at their ends.")
    }
    report.losses = (earlier?.losses ?? []) + report.losses
    let stamp = Timestamp(microseconds: wallClock()).text.filter { $0.isNumber }
    let kept = path + InterruptedSwap.mark + stamp
    report.damagedFile = kept
    let last = report
    try StoreError.mapping { () throws(DiskError) in
      try RecoveryReportFile.write(last, in: fresh, on: disk)
      try swapFiles(path, with: fresh + "/" + DatabaseFile.name, keeping: kept, on: disk)
      try RecoveryReportFile.publish(from: fresh, in: folder, on: disk)
    }
    try? remove(fresh, on: disk)
    RecoveryReportFile.remove(from: folder, on: disk)
    return report
  }

  /// Makes the new database; when this returns, its file holds everything.
  private static func salvage(
    _ path: String, into fresh: String, _ indexer: any ChunkIndexer, _ options: StoreOptions
  ) async throws -> SalvageReport {
    var options = options
    // Fail at once: waiting does not repair the disk.
    options.waitsForDisk = false
    let target = try Store(folder: fresh, indexer: indexer, options: options)
    var salvage = Salvage(target: target, disk: options.disk)
    do {
      try await salvage.run(from: path)
      try await target.moveLog()
    } catch {
      await target.close()
      throw error
    }
    await target.close()
    let log = fresh + "/" + DatabaseFile.name + "-wal"
    // Closing could not remove it. It is empty, but would suggest that the recovery did not end.
    if try exists(log, on: options.disk) { try remove(log, on: options.disk) }
    return salvage.report
  }

  /// Moves everything that was committed into the database file, or throws.
  private func moveLog() throws(StoreError) {
    while state == .open, inbox.withLock({ !$0.isEmpty }) { commitPending(isLast: true) }
    if case .refusing(let why) = state { throw StoreError(.refusing(why)) }
    try rows?.syncLog()
  }

  private enum Damage {
    case none
    /// Of the content: readers detect it.
    case ofContent
    /// Of the structure: rows that cannot be found may have existed.
    case ofOrder
  }

  private static func damage(
    _ folder: String, _ path: String, _ indexer: any ChunkIndexer, _ options: StoreOptions
  ) async throws -> Damage {
    // Never write to the file: if it is damaged, writing would make it worse.
    let store = try Store(
      folder: folder, indexer: indexer, options: options, lock: nil, now: wallClock
    ) { () throws(StoreError) in throw StoreError(.refusing("The data is being checked.")) }
    var report: CheckReport?
    do {
      report = try await store.check(thorough: true)
    } catch let error as StoreError where error.isOfDisk {
      await store.close()
      throw error
    } catch {
      // The content cannot be read.
    }
    await store.close()
    // Remove the log that a read-only connection made; it is empty.
    let log = path + "-wal"
    if try StoreError.mapping({ () throws(DiskError) in try options.disk.status(of: log) })?.size
      == 0
    {
      for suffix in ["-wal", "-shm"] { try? options.disk.remove(path + suffix) }
    }
    guard let report, report.findings.allSatisfy({ $0.timeline != nil }) else { return .ofOrder }
    return report.isDamaged ? .ofContent : .none
  }

  /// Puts the new database in the old one's place, after renaming the old one.
  ///
  /// Every step is durable before the next: whenever the power fails, one of the two is complete,
  /// and ``InterruptedSwap`` finishes the rest. The log goes first, so that it is never next to a
  /// database that is not its own.
  static func swapFiles(
    _ old: String, with new: String, keeping kept: String, on disk: any StoreDisk = SystemDisk()
  ) throws(DiskError) {
    let folder = (old as NSString).deletingLastPathComponent
    try disk.sync(new)
    try disk.sync((new as NSString).deletingLastPathComponent)
    for suffix in ["-wal", "-shm"] where try disk.exists(old + suffix) {
      try disk.move(old + suffix, to: kept + suffix)
    }
    try disk.sync(folder)
    try disk.move(old, to: kept)
    try disk.sync(folder)
    try disk.move(new, to: old)
    try disk.sync(folder)
  }

  private static func exists(_ path: String, on disk: any StoreDisk) throws(StoreError) -> Bool {
    try StoreError.mapping { () throws(DiskError) in try disk.exists(path) }
  }

  /// Removes a new database that will not be used; its report first, which would be valid alone.
  private static func discard(_ fresh: String, on disk: any StoreDisk) throws(StoreError) {
    try StoreError.mapping { () throws(DiskError) in
      let report = fresh + "/" + RecoveryReportFile.name
      if try disk.exists(report) {
        try disk.remove(report)
        try disk.sync(fresh)
      }
      try disk.remove(fresh)
    }
  }

  private static func remove(_ path: String, on disk: any StoreDisk) throws(StoreError) {
    try StoreError.mapping { () throws(DiskError) in try disk.remove(path) }
  }
}
