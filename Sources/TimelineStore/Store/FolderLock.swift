import Foundation
import Timelines

/// The lock on a data directory, which says who holds it.
///
/// The lock goes with the process, however it ends; the file stays and means nothing by itself.
final class FolderLock: Sendable {
  private let lock: any DiskLock

  /// Makes the folder for this user alone when it is missing, and takes the lock.
  init(folder: String, on disk: any StoreDisk = SystemDisk()) throws(StoreError) {
    do {
      try Self.makeFolder(folder, disk)
    } catch {
      throw StoreError(.folder(folder, why: error.words))
    }
    try Self.checkAccess(to: folder, disk)
    let text = "\(getpid()) \(Timestamp(microseconds: wallClock()).text)\n"
    let locking: DiskLocking
    do {
      locking = try disk.lock(folder + "/lock", storing: text)
    } catch {
      throw StoreError(.folder(folder, why: error.words))
    }
    switch locking {
    case .taken(let lock): self.lock = lock
    case .held(let text): throw StoreError(.held(folder: folder, by: Self.holder(text)))
    }
  }

  /// Lets the next process have the folder.
  func release() {
    lock.release()
  }

  private static func holder(_ text: String) -> LockHolder? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let pid = Int64(words[0]) else { return nil }
    return LockHolder(pid: pid, since: String(words[1]))
  }

  private static func makeFolder(_ folder: String, _ disk: any StoreDisk) throws(DiskError) {
    var parent = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      let path = parent + "/" + part
      // What will be acknowledged is worth nothing in a folder that a loss of power takes away.
      if try disk.makeFolder(path) { try disk.sync(parent.isEmpty ? "/" : parent) }
      parent = path
    }
  }

  /// Who may write into the folder may put a database of their own there. Who may only list it reads
  /// nothing: each file in it is its owner's alone.
  private static func checkAccess(to folder: String, _ disk: any StoreDisk) throws(StoreError) {
    let status = try StoreError.mapping { () throws(DiskError) in
      guard let status = try disk.status(of: folder) else {
        throw DiskError(code: ENOENT, path: folder)
      }
      return status
    }
    try checkAccess(
      to: folder, mode: mode_t(status.mode), owner: uid_t(status.owner), user: geteuid())
  }

  /// A folder belongs to its user, or to root, who made it for them. Root trusts no folder of another
  /// user either: its owner can replace what is in it, and keeps what root would write there.
  static func checkAccess(
    to folder: String, mode: mode_t, owner: uid_t, user: uid_t
  ) throws(StoreError) {
    // With the sticky bit, as on /tmp, no one can replace the files of others.
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
