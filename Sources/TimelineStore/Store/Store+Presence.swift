import Foundation

extension Store {
  /// Whether a folder has a database, or the rest of an interrupted recovery. Creates nothing.
  ///
  /// A folder that cannot be listed counts as one with data: opening it reports the problem.
  package static func hasData(in folder: String, on disk: any StoreDisk = SystemDisk()) -> Bool {
    do {
      return try disk.names(in: folder).contains {
        $0.hasPrefix(DatabaseFile.name) || $0 == InterruptedSwap.freshFolder
      }
    } catch {
      return error.code != ENOENT
    }
  }

  /// Throws if another process holds a folder, which must exist.
  package static func checkLock(of folder: String) throws(StoreError) {
    try FolderLock(folder: folder).release()
  }
}
