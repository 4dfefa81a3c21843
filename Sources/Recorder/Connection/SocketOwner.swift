internal import Timelines

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Checks that only this user's programs can have created a Unix socket.
enum SocketOwner {
  /// Returns why the socket at a path cannot be trusted, or `nil` if it can.
  ///
  /// The directory must belong to this user and not be writable by others, so that the socket
  /// cannot be replaced between this check and the connection.
  static func problem(at path: String) -> String? {
    guard let socket = status(path) else { return "There is no socket at \(path)." }
    guard socket.st_mode & S_IFMT == S_IFSOCK else {
      return "\(path) is not a socket. To fix, record to the socket that the daemon logs."
    }
    guard socket.st_uid == geteuid() else {
      return """
        The socket at \(path) belongs to another user. To fix, record to the socket of your own daemon.
        """
    }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = end == path.startIndex ? "/" : String(path[..<end])
    guard let directory = status(folder), directory.st_mode & S_IFMT == S_IFDIR else {
      return "\(folder) is not a directory."
    }
    guard directory.st_uid == geteuid(), directory.st_mode & 0o022 == 0 else {
      return """
        Other users can write to \(folder), so the socket may not be yours. \
        To fix, run: chmod 700 \(folder.shellWord)
        """
    }
    return nil
  }

  /// Returns the status of a path itself, without following a link.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
