import Foundation
import Timelines

/// The lock on a data directory, with the process that holds it.
///
/// The lock ends with the process, however it ends; the file stays and has no meaning by itself.
final class FolderLock: Sendable {
  private let lock: any DiskLock

  /// Creates the folder for this user alone if it is missing, and takes the lock.
  init(folder: String, on disk: any StoreDisk = SystemDisk()) throws(StoreError) {
    do {
      try Self.makeFolder(folder, disk)
    } catch {
      throw StoreError(.folder(folder, why: error.clause))
    }
    try Self.checkAccess(to: folder, disk)
    let text = "\(getpid()) \(Timestamp(microseconds: wallClock()).text)\n"
    let locking: DiskLocking
    do {
      locking = try disk.lock(folder + "/lock", storing: text)
    } catch {
      throw StoreError(.folder(folder, why: error.clause))
    }
    switch locking {
    case .taken(let lock): self.lock = lock
    case .held(let text): throw StoreError(.held(folder: folder, by: Self.holder(text)))
    }
  }

  /// Lets another process lock the folder.
  func release() {
    lock.release()
  }

  private static func holder(_ text: String) -> LockHolder? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let pid = Int64(words[0]) else { return nil }
    return LockHolder(pid: pid, since: String(words[1]))
  }

  private static func makeFolder(_ folder: String, _ disk: any StoreDisk) throws(DiskError) {
    // An acknowledgment is worthless in a folder that a power loss removes. An existing folder may
    // be left from an attempt that failed before it was synced; one with a database was synced
    // before the database was created.
    let isNew = try !disk.exists(folder + "/" + DatabaseFile.name)
    var parent = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      let path = parent + "/" + part
      let isMade = try disk.makeFolder(path)
      if isMade || isNew { try sync(parent.isEmpty ? "/" : parent, isMade: isMade, disk) }
      parent = path
    }
  }

  /// Syncs the names in a folder.
  ///
  /// A folder that this user may not read, and where nothing was created, is skipped: another user
  /// created its content.
  private static func sync(
    _ folder: String, isMade: Bool, _ disk: any StoreDisk
  ) throws(DiskError) {
    do {
      try disk.sync(folder)
    } catch {
      guard !isMade, error.code == EACCES else { throw error }
    }
  }

  /// A user who can write to the folder can put a database there. A user who can only list it reads
  /// nothing: each file in it is accessible only to its owner.
  private static func checkAccess(to folder: String, _ disk: any StoreDisk) throws(StoreError) {
    let status = try StoreError.mapping { () throws(DiskError) in
      guard let status = try disk.status(of: folder) else {
        throw DiskError(code: ENOENT, path: folder)
      }
      return status
    }
    try checkAccess(
      to: folder, mode: mode_t(status.mode), owner: uid_t(status.owner), user: geteuid())
    for suffix in ["", "-wal", "-shm", "-journal"] {
      let name = DatabaseFile.name + suffix
      let file = try StoreError.mapping { () throws(DiskError) in
        try disk.status(of: folder + "/" + name)
      }
      if let file { try checkFile(name, file, in: folder, status, user: geteuid()) }
    }
  }

  /// In a folder with the sticky bit others cannot replace a file, but they can make it first: then
  /// they can read and change everything that is recorded. Opening a pipe or device could block.
  static func checkFile(
    _ name: String, _ file: FileStatus, in path: String, _ folder: FileStatus, user: uid_t
  ) throws(StoreError) {
    guard mode_t(file.mode) & S_IFMT == S_IFREG else {
      throw StoreError(.folder(path, why: "\(name) in it is not a regular file"))
    }
    guard folder.mode & 0o022 != 0 else { return }
    guard uid_t(file.owner) == user, file.mode & 0o022 == 0 else {
      throw StoreError(.folder(path, why: "others can change \(name) in it"))
    }
  }

  /// A folder must belong to its user, or to root, who created it for them. Root trusts no other
  /// user's folder: the owner can replace its content, and keeps what root would write there.
  static func checkAccess(
    to folder: String, mode: mode_t, owner: uid_t, user: uid_t
  ) throws(StoreError) {
    // With the sticky bit, as on /tmp, users cannot replace the files of others.
    guard mode & 0o022 == 0 || mode & 0o1000 != 0 else { throw StoreError(.openFolder(folder)) }
    guard owner == user || owner == 0 else {
      throw StoreError(.folder(folder, why: "it belongs to another user"))
    }
  }
}

/// The wall clock in microseconds since 1970.
func wallClock() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}
