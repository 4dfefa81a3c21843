internal import Foundation
internal import Timelines

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A small file that only its owner may read, such as a secret's.
///
/// It is written whole or not at all, has mode 0600 from its first moment, and a link that somebody
/// put in its place is never followed.
package struct PrivateFile: Sendable {
  /// Where it is.
  package let path: String

  /// The file at a path; nothing is read or written yet.
  package init(_ path: String) {
    self.path = path
  }

  /// Reads it; `nil` when there is none.
  ///
  /// - Parameter limit: the bytes beyond which it is refused.
  package func read(limit: Int) throws(PrivateFileError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw error(.isLink)
      default: throw error(.system("read", errno))
      }
    }
    defer { close(descriptor) }
    try check(descriptor)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = readInto(descriptor, &buffer)
      if count < 0 {
        if errno == EINTR { continue }
        throw error(.system("read", errno))
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw error(.tooLong(limit)) }
    }
  }

  /// Puts these bytes in its place.
  package func replace(with bytes: [UInt8]) throws(PrivateFileError) {
    let draft = path + "." + Token.random(bytes: 8) + ".new"
    try write(bytes, toNew: draft)
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw error(.system("rename", code))
    }
    syncDirectory()
  }

  /// Makes it with these bytes unless it is there.
  ///
  /// Of two processes that do so at once one wins, and both then read the same file.
  package func create(with bytes: [UInt8]) throws(PrivateFileError) {
    let draft = path + "." + Token.random(bytes: 8) + ".new"
    try write(bytes, toNew: draft)
    defer { unlink(draft) }
    // A link, unlike a rename, does not take the place of a file that is there.
    if link(draft, path) != 0, errno != EEXIST { throw error(.system("create", errno)) }
    syncDirectory()
  }

  private func write(_ bytes: [UInt8], toNew draft: String) throws(PrivateFileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(draft, flags, 0o600)
    guard descriptor >= 0 else { throw error(.system("create", errno)) }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = writeFrom(descriptor, bytes, from: done)
      if count < 0 {
        if errno == EINTR { continue }
        let code = errno
        unlink(draft)
        throw error(.system("write", code))
      }
      done += count
    }
    guard fsync(descriptor) == 0 else {
      let code = errno
      unlink(draft)
      throw error(.system("write", code))
    }
  }

  /// Refuses what is no file, belongs to another, or can be read by others.
  private func check(_ descriptor: Int32) throws(PrivateFileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw error(.system("read", errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw error(.isNoFile) }
    guard status.st_uid == geteuid() else { throw error(.foreign) }
    guard status.st_mode & 0o077 == 0 else { throw error(.open(Int(status.st_mode & 0o777))) }
  }

  /// Makes the new name itself durable. A file system that cannot is no reason to fail.
  private func syncDirectory() {
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func error(_ reason: PrivateFileError.Reason) -> PrivateFileError {
    PrivateFileError(reason, path: path)
  }
}

private func readInto(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  read(descriptor, &buffer, buffer.count)
}

private func writeFrom(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) -> Int {
  let rest = Array(bytes[start...])
  return write(descriptor, rest, rest.count)
}

/// Why a private file cannot be used.
package struct PrivateFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package var reason: Reason
  /// The file.
  package var path: String

  init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// What can be wrong with a private file.
  package enum Reason: Hashable, Sendable {
    /// A link stands in its place.
    case isLink
    /// A directory or device stands in its place.
    case isNoFile
    /// It belongs to another user.
    case foreign
    /// Others may read or write it: its mode.
    case open(Int)
    /// It is longer than it can be.
    case tooLong(Int)
    /// Its content is not what it should be.
    case content(String)
    /// The system refused: what was tried, and its error number.
    case system(String, Int32)
  }

  /// A sentence that says what to do.
  package var description: String {
    switch reason {
    case .isLink: "\(path) is a link, which is not followed. To fix, remove it."
    case .isNoFile: "\(path) is not a file. To fix, remove it."
    case .foreign: "\(path) belongs to another user. To fix, remove it."
    case .open(let mode):
      """
      \(path) can be read by others (mode \(String(mode, radix: 8))). To fix, make it yours alone: \
      chmod 600 \(path.shellWord)
      """
    case .tooLong(let limit): "\(path) is longer than \(limit) bytes. To fix, remove it."
    case .content(let what): "\(path) does not hold \(what). To fix, remove it."
    case .system(let what, let code):
      "\(path): cannot \(what): \(String(cString: strerror(code)))."
    }
  }
}
