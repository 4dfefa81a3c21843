import Foundation

/// Refuses files that other users can change.
///
/// A configuration file names executables that the daemon starts as its own user. The rules are
/// those of the data directory.
enum FileTrust {
  /// Checks an open file, and the folders in which its path and the file itself are.
  static func check(_ file: FileHandle, at path: String, user: uid_t = geteuid()) throws {
    var status = stat()
    guard fstat(file.fileDescriptor, &status) == 0 else { throw FileProblem.reading(path, errno) }
    if let problem = problem(of: status, path, "configuration file", user: user) { throw problem }
    // A link in a safe folder may lead into one that is not.
    for path in [path, URL(filePath: path).resolvingSymlinksInPath().path] {
      let folder = FilePath.folder(of: path)
      let name = folder.isEmpty ? "." : folder
      guard stat(name, &status) == 0 else { throw FileProblem.reading(name, errno) }
      // With the sticky bit, as on /tmp, users cannot replace the files of others.
      if status.st_mode & 0o1000 != 0 { status.st_mode &= ~0o022 }
      if let problem = problem(of: status, name, "folder of the configuration file", user: user) {
        throw problem
      }
    }
  }

  /// Why a file or folder is not trusted. Root is: it can change everything anyway.
  private static func problem(
    of status: stat, _ path: String, _ kind: String, user: uid_t
  ) -> CommandError? {
    let name = Escaped.quoted(path)
    guard status.st_uid == user || status.st_uid == 0 else {
      return CommandError(
        """
        The \(kind), \(name), belongs to another user, who could make the daemon run any program. \
        To fix, copy the file into a folder of your own, check the copy, and pass it: --config FILE
        """)
    }
    guard status.st_mode & 0o022 == 0 else {
      return CommandError(
        """
        Other users can write to the \(kind), \(name), and make the daemon run any program. \
        To fix, check the file, and run: chmod go-w \(ShellWord.text(path) ?? "PATH")
        """)
    }
    return nil
  }
}
