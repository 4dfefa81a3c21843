import CSQLite
import Foundation

/// A VFS of SQLite as long as it lives.
///
/// Safe: SQLite reads what is allocated here only between registering and `deinit`, and the disk,
/// which owns this, outlives every connection that a test makes with it.
final class VFSRegistration: @unchecked Sendable {
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let name: UnsafeMutablePointer<CChar>

  init(_ name: String, of disk: FaultyDisk) {
    self.name = strdup(name)
    vfs = .allocate(capacity: 1)
    var methods = sqlite3_vfs()
    methods.iVersion = 2
    methods.szOsFile = Int32(MemoryLayout<FaultyFile>.size)
    methods.mxPathname = 1_024
    methods.zName = UnsafePointer(self.name)
    methods.pAppData = Unmanaged.passUnretained(disk).toOpaque()
    methods.xOpen = { vfs, name, file, flags, outFlags in
      FaultyFile.open(FaultyDisk.of(vfs), name, file, flags, outFlags)
    }
    methods.xDelete = { vfs, name, syncs in
      FaultyDisk.of(vfs).delete(String(cString: name!), syncs: syncs != 0)
    }
    methods.xAccess = { vfs, name, flags, result in
      FaultyDisk.of(vfs).access(String(cString: name!), flags, &result!.pointee)
    }
    methods.xFullPathname = { _, name, count, result in
      guard strlen(name!) < Int(count) else { return SQLITE_CANTOPEN }
      strcpy(result!, name!)
      return SQLITE_OK
    }
    methods.xDlOpen = { _, _ in nil }
    methods.xDlError = { _, _, _ in }
    methods.xDlClose = { _, _ in }
    methods.xRandomness = { _, count, bytes in
      memset(bytes!, 0x5A, Int(count))
      return count
    }
    methods.xSleep = { _, microseconds in microseconds }
    methods.xCurrentTime = { _, days in
      days!.pointee = 2_461_000.5
      return SQLITE_OK
    }
    methods.xCurrentTimeInt64 = { _, milliseconds in
      milliseconds!.pointee = 212_630_443_200_000
      return SQLITE_OK
    }
    methods.xGetLastError = { _, _, _ in 0 }
    vfs.initialize(to: methods)
    sqlite3_vfs_register(vfs, 0)
  }

  deinit {
    sqlite3_vfs_unregister(vfs)
    vfs.deallocate()
    free(name)
  }
}

extension FaultyDisk {
  fileprivate static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultyDisk {
    Unmanaged.fromOpaque(vfs!.pointee.pAppData).takeUnretainedValue()
  }

  fileprivate func delete(_ path: String, syncs: Bool) -> Int32 {
    shared.withLock { shared in
      if shared.strikes(.remove, path) != nil { return sqliteIOErrorDelete }
      guard shared.state.names[path] != nil else { return sqliteIOErrorDeleteNoEntry }
      shared.state.apply(.remove(path))
      return syncs ? shared.syncFolderOf(path) : SQLITE_OK
    }
  }

  fileprivate func access(_ path: String, _ flags: Int32, _ result: inout Int32) -> Int32 {
    shared.withLock { shared in
      if shared.strikes(.look, path) != nil { return sqliteIOErrorAccess }
      switch shared.state.names[path] {
      case nil: result = 0
      case .folder: result = 1
      // An empty file counts as none, as in SQLite's VFS for Unix.
      case .file(let id):
        let isEmpty = shared.state.files[id]?.content.isEmpty ?? true
        result = flags == SQLITE_ACCESS_EXISTS && isEmpty ? 0 : 1
      }
      return SQLITE_OK
    }
  }
}

extension FaultyDisk.Shared {
  /// Syncs the folder of a file, as SQLite's VFS for Unix does for journals and logs.
  mutating func syncFolderOf(_ path: String) -> Int32 {
    let folder = DiskState.folder(of: path)
    if strikes(.sync, folder) != nil {
      return bugs.contains(.syncErrorsIgnored) ? SQLITE_OK : sqliteIOErrorDirFsync
    }
    syncFolder(folder)
    return SQLITE_OK
  }
}

// Macros of SQLite that Swift does not import.
let sqliteIOErrorRead = SQLITE_IOERR | 1 << 8
let sqliteIOErrorShortRead = SQLITE_IOERR | 2 << 8
let sqliteIOErrorWrite = SQLITE_IOERR | 3 << 8
let sqliteIOErrorFsync = SQLITE_IOERR | 4 << 8
let sqliteIOErrorDirFsync = SQLITE_IOERR | 5 << 8
let sqliteIOErrorTruncate = SQLITE_IOERR | 6 << 8
let sqliteIOErrorFstat = SQLITE_IOERR | 7 << 8
let sqliteIOErrorDelete = SQLITE_IOERR | 10 << 8
let sqliteIOErrorAccess = SQLITE_IOERR | 13 << 8
let sqliteIOErrorShmSize = SQLITE_IOERR | 19 << 8
let sqliteIOErrorDeleteNoEntry = SQLITE_IOERR | 23 << 8
