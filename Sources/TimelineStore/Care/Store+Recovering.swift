import Foundation
import Synchronization
import Timelines

/// What a recovery did.
package struct SalvageReport: Hashable, Sendable {
  /// The timelines that were kept.
  package var timelines = 0
  /// The entries that were kept.
  package var entries: Int64 = 0
  /// Whether anything was wrong at all; else nothing was touched.
  package var wasDamaged = false
  /// What is lost, a sentence each.
  package var losses: [String] = []
  /// The damaged database, which is kept.
  package var damagedFile: String?
}

extension Store {
  /// Saves what can be read of the data in a folder that nobody holds.
  ///
  /// A sound database is left as it is. Of a damaged one everything that can be read goes into a new
  /// one, and the old one stays beside it under another name, byte for byte: it is only ever read.
  /// What is missing is said by gaps, as in a recovered file.
  package static func recover(
    folder: String, indexer: any ChunkIndexer = TimelineIndexer(),
    options: StoreOptions = StoreOptions()
  ) async throws -> SalvageReport {
    let disk = options.disk
    let lock = try FolderLock(folder: folder, on: disk)
    defer { lock.release() }
    let path = folder + "/" + fileName
    try InterruptedSwap.finish(in: folder, on: disk)
    guard try exists(path, on: disk) else {
      throw StoreError(.folder(folder, why: "there is no \(fileName) in it"))
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
      try swapFiles(path, with: fresh + "/" + fileName, keeping: kept, on: disk)
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
    // Nobody would repair the disk meanwhile.
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
    let log = fresh + "/" + fileName + "-wal"
    // Closing could not remove it. It is empty, and would only say that the recovery did not end.
    if try exists(log, on: options.disk) { try remove(log, on: options.disk) }
    return salvage.report
  }

  /// Moves everything that was committed into the database's own file, or throws.
  private func moveLog() throws(StoreError) {
    while state == .open, inbox.withLock({ !$0.isEmpty }) { commitPending(isLast: true) }
    if case .refusing(let why) = state { throw StoreError(.refusing(why)) }
    try rows?.prove()
  }

  private enum Damage {
    case none
    /// Of what is stored: who reads it finds it all.
    case ofContent
    /// Of the database: what cannot be found may have been there.
    case ofOrder
  }

  private static func damage(
    _ folder: String, _ path: String, _ indexer: any ChunkIndexer, _ options: StoreOptions
  ) async throws -> Damage {
    // Whatever is wrong with the file, writing to it would make it worse.
    let store = try Store(
      folder: folder, indexer: indexer, options: options, lock: nil, now: wallClock
    ) { () throws(StoreError) in throw StoreError(.refusing("The data is being looked at.")) }
    var report: CheckReport?
    do {
      report = try await store.check(thorough: true)
    } catch let error as StoreError where error.isOfDisk {
      await store.close()
      throw error
    } catch {
      // What is stored cannot be read.
    }
    await store.close()
    // Who only reads leaves the log that it made, which says nothing.
    let log = path + "-wal"
    if try StoreError.mapping({ () throws(DiskError) in try options.disk.status(of: log) })?.size
      == 0
    {
      for suffix in ["-wal", "-shm"] { try? options.disk.remove(path + suffix) }
    }
    guard let report, report.findings.allSatisfy({ $0.timeline != nil }) else { return .ofOrder }
    return report.isDamaged ? .ofContent : .none
  }

  /// Puts the new database in the old one's place, which gets another name.
  ///
  /// Every step is on the disk before the next: whenever the power fails, one of the two is there
  /// whole, and ``InterruptedSwap`` does the rest. The log goes first, so that it never stands beside
  /// a database that is not its own.
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

  /// Removes a new database that will not be used; its report first, which would be believed alone.
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
