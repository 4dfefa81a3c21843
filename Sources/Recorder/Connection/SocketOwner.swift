internal import Timelines

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whether a Unix socket is one that only this user's programs can have put there.
enum SocketOwner {
  /// Why the socket at a path is not to be trusted, or `nil` when it is.
  ///
  /// The directory must be this user's and writable by nobody else, so that nobody can put another
  /// socket in its place between this look and the connection.
  static func problem(at path: String) -> String? {
    guard let socket = status(path) else { return "There is no socket at \(path)." }
    guard socket.st_mode & S_IFMT == S_IFSOCK else { return "\(path) is no socket." }
    guard socket.st_uid == geteuid() else {
      return "The socket at \(path) belongs to another user."
    }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = end == path.startIndex ? "/" : String(path[..<end])
    guard let directory = status(folder), directory.st_mode & S_IFMT == S_IFDIR else {
      return "\(folder) is no directory."
    }
    guard directory.st_uid == geteuid(), directory.st_mode & 0o022 == 0 else {
      return """
        Others can write into \(folder), so that anybody may have put the socket there. \
        To fix, make it yours alone: chmod 700 \(folder.shellWord)
        """
    }
    return nil
  }

  /// The status of what stands at a path itself, not of what a link there leads to.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
