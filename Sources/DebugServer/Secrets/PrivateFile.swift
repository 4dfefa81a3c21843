internal import Foundation
internal import Timelines

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A small file that only its owner may read, such as one with a secret.
///
/// It is written atomically, has mode 0600 from the start, and links in its place are never
/// followed.
package struct PrivateFile: Sendable {
  package let path: String

  /// The file at a path; nothing is read or written yet.
  package init(_ path: String) {
    self.path = path
  }

  /// Reads the file; `nil` if it does not exist.
  ///
  /// - Parameter limit: the maximum length.
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

  /// Replaces the file atomically.
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

  /// Creates the file unless it exists.
  ///
  /// If two processes do so at once, one wins, and both then read the same file.
  package func create(with bytes: [UInt8]) throws(PrivateFileError) {
    let draft = path + "." + Token.random(bytes: 8) + ".new"
    try write(bytes, toNew: draft)
    defer { unlink(draft) }
    // Unlike a rename, a link does not replace an existing file.
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

  /// Refuses what is not a file, belongs to another user, or is readable by others.
  private func check(_ descriptor: Int32) throws(PrivateFileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw error(.system("read", errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw error(.isNotAFile) }
    guard status.st_uid == geteuid() else { throw error(.foreign) }
    guard status.st_mode & 0o077 == 0 else { throw error(.open(Int(status.st_mode & 0o777))) }
  }

  /// Makes the new name itself durable. Ignores file systems that do not support it.
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
  package var reason: Reason
  package var path: String

  init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  package enum Reason: Hashable, Sendable {
    case isLink
    /// It is a directory or device.
    case isNotAFile
    /// It belongs to another user.
    case foreign
    /// Its mode lets others read or write it.
    case open(Int)
    /// It is longer than the limit.
    case tooLong(Int)
    /// Its content is invalid.
    case content(String)
    /// The system call that failed, and its error number.
    case system(String, Int32)
  }

  /// The problem and what to do.
  package var description: String {
    switch reason {
    case .isLink: "\(path) is a link, which is not followed. To fix, remove it."
    case .isNotAFile: "\(path) is not a file. To fix, remove it."
    case .foreign: "\(path) belongs to another user. To fix, remove it."
    case .open(let mode):
      """
      \(path) can be read by others (mode \(String(mode, radix: 8))). To fix, make it yours alone: \
      chmod 600 \(path.shellWord)
      """
    case .tooLong(let limit): "\(path) is longer than \(limit) bytes. To fix, remove it."
    case .content(let what): "\(path) does not hold \(what). To fix, remove it."
    case .system(let what, let code):
      "\(path): cannot \(what): \(SystemError(code).sentences(what == "read" ? .reading : .writing))"
    }
  }
}
