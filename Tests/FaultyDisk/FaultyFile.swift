import CSQLite
import Foundation

/// An open file as SQLite knows it: its methods, and behind them ours.
///
/// Safe: SQLite allocates it, `open` fills it, `xClose` releases what it refers to.
struct FaultyFile {
  var methods: UnsafePointer<sqlite3_io_methods>?
  var handle: Unmanaged<FileHandleOfSQLite>?
}

/// A connection's handle of a file.
final class FileHandleOfSQLite {
  let disk: FaultyDisk
  let path: String
  let file: Int
  let number: Int
  let isRemovedAtClose: Bool
  /// Whether the folder is synced with the first sync of the file, as it is for a new log.
  var syncsFolder: Bool

  init(
    _ disk: FaultyDisk, _ path: String, file: Int, number: Int, isRemovedAtClose: Bool,
    syncsFolder: Bool
  ) {
    (self.disk, self.path, self.file, self.number) = (disk, path, file, number)
    (self.isRemovedAtClose, self.syncsFolder) = (isRemovedAtClose, syncsFolder)
  }
}

extension FaultyFile {
  static func open(
    _ disk: FaultyDisk, _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let place = UnsafeMutableRawPointer(file!).assumingMemoryBound(to: FaultyFile.self)
    place.pointee = FaultyFile(methods: nil, handle: nil)
    let opened = disk.shared.withLock { shared -> FileHandleOfSQLite? in
      let path = name.map { String(cString: $0) } ?? "/temporary"
      let number = shared.openFiles.makeHandle()
      let isNew = shared.state.names[path] == nil
      guard !isNew || flags & SQLITE_OPEN_CREATE != 0,
        shared.strikes(isNew ? .create : .open, path) == nil,
        shared.state.names[DiskState.folder(of: path)] == .folder
      else { return nil }
      let node = shared.state.names[path] ?? shared.state.make(path, isFolder: false)
      guard case .file(let id) = node else { return nil }
      let isJournal = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0
      return FileHandleOfSQLite(
        disk, path, file: id, number: number,
        isRemovedAtClose: flags & SQLITE_OPEN_DELETEONCLOSE != 0,
        syncsFolder: flags & SQLITE_OPEN_CREATE != 0 && isJournal)
    }
    guard let opened else { return SQLITE_CANTOPEN }
    outFlags?.pointee = flags
    place.pointee = FaultyFile(
      methods: UnsafePointer(Self.methods.pointer), handle: .passRetained(opened))
    return SQLITE_OK
  }

  /// Safe: made once, never changed, never freed.
  private struct Methods: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<sqlite3_io_methods>
  }

  private static let methods: Methods = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    methods.xClose = { file in
      FileHandleOfSQLite.of(file).close()
      UnsafeMutableRawPointer(file!).assumingMemoryBound(to: FaultyFile.self).pointee.handle?
        .release()
      return SQLITE_OK
    }
    methods.xRead = { FileHandleOfSQLite.of($0).read($1!, Int($2), Int($3)) }
    methods.xWrite = { file, bytes, count, offset in
      FileHandleOfSQLite.of(file).write(
        UnsafeRawBufferPointer(start: bytes, count: Int(count)), Int(offset))
    }
    methods.xTruncate = { FileHandleOfSQLite.of($0).truncate(Int($1)) }
    methods.xSync = { file, _ in FileHandleOfSQLite.of(file).sync() }
    methods.xFileSize = { FileHandleOfSQLite.of($0).size(&$1!.pointee) }
    methods.xLock = { FileHandleOfSQLite.of($0).lock($1) }
    methods.xUnlock = { FileHandleOfSQLite.of($0).unlock($1) }
    methods.xCheckReservedLock = { FileHandleOfSQLite.of($0).checkReserved(&$1!.pointee) }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 4_096 }
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    methods.xShmMap = { FileHandleOfSQLite.of($0).map(Int($1), Int($2), $3 != 0, $4!) }
    methods.xShmLock = { FileHandleOfSQLite.of($0).lockShared(Int($1), Int($2), $3) }
    methods.xShmBarrier = { FileHandleOfSQLite.of($0).disk.shared.withLock { _ in } }
    methods.xShmUnmap = { file, _ in FileHandleOfSQLite.of(file).unmap() }
    let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    pointer.initialize(to: methods)
    return Methods(pointer: pointer)
  }()
}

extension FileHandleOfSQLite {
  fileprivate static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> FileHandleOfSQLite {
    UnsafeMutableRawPointer(file!).assumingMemoryBound(to: FaultyFile.self).pointee.handle!
      .takeUnretainedValue()
  }

  fileprivate func close() {
    disk.shared.withLock { shared in
      shared.openFiles.unlock(file, number, level: 0)
      if isRemovedAtClose, shared.state.names[path] == .file(file) {
        shared.state.apply(.remove(path))
      }
    }
  }

  fileprivate func read(_ bytes: UnsafeMutableRawPointer, _ count: Int, _ offset: Int) -> Int32 {
    disk.shared.withLock { shared in
      if shared.strikes(.read, path) != nil { return sqliteIOErrorRead }
      let content = shared.state.files[file]?.content ?? Data()
      let found = max(0, min(count, content.count - offset))
      if found > 0 {
        content.copyBytes(
          to: bytes.assumingMemoryBound(to: UInt8.self), from: offset..<offset + found)
      }
      guard found < count else { return SQLITE_OK }
      memset(bytes + found, 0, count - found)
      return sqliteIOErrorShortRead
    }
  }

  fileprivate func write(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int32 {
    disk.shared.withLock { shared in
      if let kind = shared.strikes(.write, path) {
        // A part of it may have been written.
        shared.state.files[file]?.write(
          Data(bytes: bytes.baseAddress!, count: bytes.count / 2), at: offset)
        return kind == .full ? SQLITE_FULL : sqliteIOErrorWrite
      }
      shared.state.files[file]?.write(
        Data(bytes: bytes.baseAddress!, count: bytes.count), at: offset)
      return SQLITE_OK
    }
  }

  fileprivate func truncate(_ size: Int) -> Int32 {
    disk.shared.withLock { shared in
      if shared.strikes(.resize, path) != nil { return sqliteIOErrorTruncate }
      shared.state.files[file]?.resize(size)
      return SQLITE_OK
    }
  }

  fileprivate func sync() -> Int32 {
    disk.shared.withLock { shared in
      if shared.strikes(.sync, path) != nil {
        shared.state.files[file]?.failSync()
        return shared.bugs.contains(.syncErrorsIgnored) ? SQLITE_OK : sqliteIOErrorFsync
      }
      shared.syncFile(file)
      guard syncsFolder else { return SQLITE_OK }
      syncsFolder = false
      return shared.syncFolderOf(path)
    }
  }

  fileprivate func size(_ size: inout sqlite3_int64) -> Int32 {
    disk.shared.withLock { shared in
      if shared.strikes(.look, path) != nil { return sqliteIOErrorFstat }
      size = sqlite3_int64(shared.state.files[file]?.content.count ?? 0)
      return SQLITE_OK
    }
  }

  fileprivate func lock(_ level: Int32) -> Int32 {
    disk.shared.withLock { $0.openFiles.lock(file, number, level: level) }
      ? SQLITE_OK : SQLITE_BUSY
  }

  fileprivate func unlock(_ level: Int32) -> Int32 {
    disk.shared.withLock { $0.openFiles.unlock(file, number, level: level) }
    return SQLITE_OK
  }

  fileprivate func checkReserved(_ result: inout Int32) -> Int32 {
    result = disk.shared.withLock { $0.openFiles.isReserved(file) } ? 1 : 0
    return SQLITE_OK
  }

  fileprivate func map(
    _ index: Int, _ size: Int, _ extends: Bool,
    _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Int32 {
    disk.shared.withLock { shared in
      var memory = shared.openFiles.memory[file] ?? OpenFiles.SharedMemory()
      defer { shared.openFiles.memory[file] = memory }
      memory.users.insert(number)
      result.pointee = nil
      if index >= memory.regions.count {
        guard extends else { return SQLITE_OK }
        if shared.strikes(.share, path) != nil { return sqliteIOErrorShmSize }
        while index >= memory.regions.count { memory.regions.append(SharedRegion(size: size)) }
      }
      result.pointee = memory.regions[index].bytes
      return SQLITE_OK
    }
  }

  fileprivate func lockShared(_ offset: Int, _ count: Int, _ flags: Int32) -> Int32 {
    disk.shared.withLock { shared in
      shared.openFiles.change(
        file, number, slots: offset..<offset + count, isLock: flags & SQLITE_SHM_LOCK != 0,
        isShared: flags & SQLITE_SHM_SHARED != 0)
    } ? SQLITE_OK : SQLITE_BUSY
  }

  fileprivate func unmap() -> Int32 {
    disk.shared.withLock { shared in
      guard var memory = shared.openFiles.memory[file] else { return }
      for slot in memory.slots.indices {
        memory.slots[slot].shared.remove(number)
        if memory.slots[slot].exclusive == number { memory.slots[slot].exclusive = nil }
      }
      memory.users.remove(number)
      shared.openFiles.memory[file] = memory.users.isEmpty ? nil : memory
    }
    return SQLITE_OK
  }
}
