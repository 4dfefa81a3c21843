import Foundation
import Timelines

/// The lock on a data directory, which says who holds it.
///
/// The lock goes with the process, however it ends; the file stays and means nothing by itself.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Makes the folder for this user alone when it is missing, and takes the lock.
  init(folder: String) throws(StoreError) {
    guard Self.makeFolder(folder) else {
      throw StoreError(.folder(folder, why: Self.words(errno)))
    }
    try Self.checkAccess(to: folder)
    let path = folder + "/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(.folder(folder, why: Self.words(errno))) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let holder = Self.holder(descriptor)
      _ = Foundation.close(descriptor)
      guard code == EWOULDBLOCK else {
        throw StoreError(.folder(folder, why: Self.words(code)))
      }
      throw StoreError(.held(folder: folder, by: holder))
    }
    self.descriptor = descriptor
    let text = "\(getpid()) \(Timestamp(microseconds: wallClock()).text)\n"
    _ = ftruncate(descriptor, 0)
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  /// Makes an empty file for this user alone, when there is none.
  static func makeFile(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(.folder(path, why: words(errno))) }
    _ = Foundation.close(descriptor)
  }

  /// Lets the next process have the folder.
  func release() {
    _ = flock(descriptor, LOCK_UN)
  }

  deinit {
    _ = Foundation.close(descriptor)
  }

  private static func holder(_ descriptor: Int32) -> LockHolder? {
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let words = String(decoding: bytes[..<count], as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let pid = Int64(words[0]) else { return nil }
    return LockHolder(pid: pid, since: String(words[1]))
  }

  private static func makeFolder(_ folder: String) -> Bool {
    var path = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      path += "/" + part
      if mkdir(path, 0o700) != 0, errno != EEXIST, errno != EISDIR {
        // A parent that may not be made may be there all the same.
        guard access(path, F_OK) == 0 else { return false }
      }
    }
    return true
  }

  /// Who may write into the folder may put a database of their own there. Who may only list it reads
  /// nothing: each file in it is its owner's alone.
  private static func checkAccess(to folder: String) throws(StoreError) {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw StoreError(.folder(folder, why: words(errno)))
    }
    try checkAccess(to: folder, mode: status.st_mode, owner: status.st_uid, user: geteuid())
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

  private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// The wall clock in microseconds since 1970.
func wallClock() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}
