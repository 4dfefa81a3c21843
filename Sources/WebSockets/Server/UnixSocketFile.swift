internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A socket in the file system, and the directory that keeps others away from it.
enum UnixSocketFile {
  /// Makes the way free for a listener: the directory is ours alone, and what is left of a listener
  /// that died is taken away. A listener that answers keeps its socket.
  static func prepare(_ path: String) throws(TransportError) {
    func cannot(_ reason: String) -> TransportError {
      .cannotListen(address: path, reason: reason)
    }
    guard path.hasPrefix("/") else { throw cannot("the path of a socket must begin with /") }
    // The system's structure has room for this much, with the zero at the end.
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      throw cannot("the path is too long for a socket. To fix, choose a shorter directory")
    }
    let directory = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    try prepareDirectory(directory.isEmpty ? "/" : String(directory), cannot)

    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw cannot(ErrorText.last) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw cannot(
        "there is something else of that name. To fix, move that file, or choose another path")
    }
    guard !answers(path) else { throw .addressInUse(path) }
    guard unlink(path) == 0 || errno == ENOENT else { throw cannot(ErrorText.last) }
  }

  private static func prepareDirectory(
    _ directory: String, _ cannot: (String) -> TransportError
  ) throws(TransportError) {
    if mkdir(directory, 0o700) != 0, errno != EEXIST {
      throw cannot("the directory \(directory) cannot be made: \(ErrorText.last)")
    }
    var status = stat()
    guard lstat(directory, &status) == 0 else { throw cannot(ErrorText.last) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw cannot("\(directory) is not a directory")
    }
    guard status.st_uid == geteuid() else {
      throw cannot("\(directory) belongs to another user. To fix, choose another directory")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw cannot("others may enter \(directory). To fix, run: chmod 700 \(quoted(directory))")
    }
  }

  /// A word in quotes for a shell. A quote within ends them, stands escaped, and begins them again.
  private static func quoted(_ word: String) -> String {
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  /// Whether somebody listens there.
  static func answers(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    return withUnsafeMutableBytes(of: &address.sun_path) { room in
      // Safe: prepare has made sure that the path fits with its zero.
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
      && withUnsafeBytes(of: address) { all in
        guard let start = all.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
          return false
        }
        // A listener whose queue is full is one, too.
        return connect(descriptor, start, socklen_t(all.count)) == 0 || errno == EAGAIN
      }
  }

  /// Lets nobody but the owner connect.
  static func protect(_ path: String) -> Bool { chmod(path, 0o600) == 0 }

  /// Takes it away.
  static func remove(_ path: String) { unlink(path) }
}
