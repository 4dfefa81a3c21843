/// The data folder of a daemon whose timelines are in a database: locked, and marked with its address.
///
/// It is locked while it waits for the lease of the database, too.
package final class DatabaseFolder: Sendable {
  package let path: String
  let lock: FolderLock
  let database: any SharedDatabase
  private let marker: DatabaseMarker
  /// The marker before, to undo the change for a database that cannot be used.
  private let known: DatabaseMarker?
  private let disk: any StoreDisk

  /// Creates the folder if it is missing, locks it, and marks it.
  package init(
    _ path: String, of database: any SharedDatabase, on disk: any StoreDisk = SystemDisk()
  ) throws(StoreError) {
    lock = try FolderLock(folder: path, on: disk)
    known = try DatabaseMarker.read(in: path, on: disk)
    marker = try DatabaseMarker.mark(path, address: database.address, on: disk)
    (self.path, self.database, self.disk) = (path, database, disk)
  }

  /// Acquires the lease of the database. Blocks until the database has answered.
  ///
  /// - Parameters:
  ///   - host: the name of this machine, for messages on others.
  ///   - milliseconds: how long the lease is valid unless it is renewed.
  package func acquireLease(
    host: String, milliseconds: Int = LeaseHolder.usualMilliseconds
  ) throws(StoreError) -> any DatabaseLease {
    try database.acquireLease(
      as: LeaseHolder(host: host, instance: marker.instance, milliseconds: milliseconds))
  }

  /// Leaves the folder as it was: its database cannot be used.
  package func restore() {
    DatabaseMarker.restore(known, in: path, on: disk)
  }
}
