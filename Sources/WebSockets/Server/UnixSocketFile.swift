internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A socket in the file system, and the directory that protects it.
package enum UnixSocketFile {
  /// Prepares the path of a socket: creates its private directory, and removes the socket of a listener
  /// that died. Fails if a listener still answers.
  static func prepare(_ path: String) throws(TransportError) {
    func cannot(_ reason: String, _ code: Int32? = nil) -> TransportError {
      .cannotListen(address: path, reason: reason, code: code)
    }
    guard path.hasPrefix("/") else { throw cannot("the path of a socket must begin with /") }
    // The system's structure has room for this much, including the terminating zero.
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      throw cannot("the path is too long for a socket. To fix, choose a shorter directory")
    }
    let directory = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    try prepareDirectory(directory.isEmpty ? "/" : String(directory), cannot)

    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw cannot(ErrorText.last, errno) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw cannot(
        "another kind of file has this path. To fix, move that file, or choose another path")
    }
    guard !answers(path) else { throw .addressInUse(path) }
    guard unlink(path) == 0 || errno == ENOENT else { throw cannot(ErrorText.last, errno) }
  }

  private static func prepareDirectory(
    _ directory: String, _ cannot: (String, Int32?) -> TransportError
  ) throws(TransportError) {
    if mkdir(directory, 0o700) != 0, errno != EEXIST {
      let code = errno
      throw cannot("the directory \(directory) cannot be created: \(ErrorText.of(code))", code)
    }
    var status = stat()
    guard lstat(directory, &status) == 0 else { throw cannot(ErrorText.last, errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw cannot("\(directory) is not a directory", nil)
    }
    guard status.st_uid == geteuid() else {
      throw cannot("\(directory) belongs to another user. To fix, choose another directory", nil)
    }
    guard status.st_mode & 0o077 == 0 else {
      // Restricting a directory that others use, such as /tmp, would break their programs.
      guard holdsOnlySockets(directory) else {
        throw cannot(
          "other users can access \(directory). To fix, choose a directory that only you can access",
          nil)
      }
      throw cannot(
        "other users can access \(directory). To fix, run: chmod 700 \(quoted(directory))", nil)
    }
  }

  private static func holdsOnlySockets(_ directory: String) -> Bool {
    guard let stream = opendir(directory) else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard name != ".", name != ".." else { continue }
      guard lstat(directory + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
        return false
      }
    }
    return true
  }

  /// A word in single quotes for a shell, with quotes escaped.
  private static func quoted(_ word: String) -> String {
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  /// Whether a process listens on the socket.
  package static func answers(_ path: String) -> Bool {
    // A listener that does not accept must not keep the caller waiting.
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    return withUnsafeMutableBytes(of: &address.sun_path) { room in
      // Safe: a path that does not fit with its zero is not copied.
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
      && withUnsafeBytes(of: address) { all in
        guard let start = all.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
          return false
        }
        // A full queue also proves that there is a listener.
        return connect(descriptor, start, socklen_t(all.count)) == 0 || errno == EAGAIN
      }
  }

  /// Allows only the owner to connect.
  static func protect(_ path: String) -> Bool { chmod(path, 0o600) == 0 }

  static func remove(_ path: String) { unlink(path) }
}
