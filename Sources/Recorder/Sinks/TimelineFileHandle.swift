import Replaying
import Synchronization
import Timelines

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An append-only file of whole lines: an incomplete write is undone.
final class TimelineFileHandle: Sendable {
  private let name: FileName
  private let files: OpenFiles
  private let end = ForkSafeMutex(End())

  private struct End: Sendable {
    /// The end of the last whole line.
    var length: Int64 = 0
    /// Whether the file may have a part of a line after it.
    var isTorn = false
  }

  enum Outcome: Sendable {
    /// The file has all of them.
    case written
    /// The file has none of them: see `errno`.
    case failed
    /// The file was deleted, replaced, or changed.
    case missing
  }

  /// Refers to a file that was just created.
  init(_ name: FileName, in files: OpenFiles) {
    (self.name, self.files) = (name, files)
  }

  deinit {
    files.close(name)
  }

  /// Appends bytes that end with a line, all or none. Either way the file ends with a whole line, if
  /// the file system allows it.
  func append(_ bytes: [UInt8]) -> Outcome {
    end.withLock { append(bytes, to: &$0) }
  }

  private func append(_ bytes: [UInt8], to end: inout End) -> Outcome {
    guard let file = files.descriptor(of: name) else {
      return lastErrorIsMissingFile() ? .missing : .failed
    }
    if end.isTorn { file.truncate(to: end.length) }
    // Opening a file by its name and writing to what was deleted would both look like success.
    guard file.length == end.length else {
      files.close(name)
      return .missing
    }
    end.isTorn = false
    var written = 0
    while written < bytes.count {
      // A write is only partial after a signal or on a full disk.
      guard let count = file.write(bytes, from: written) else {
        let problem = errno
        if written > 0 {
          end.isTorn = true
          file.truncate(to: end.length)
        }
        errno = problem
        return .failed
      }
      written += count
    }
    end.length += Int64(bytes.count)
    return .written
  }
}

/// What `errno` means, and what to do about it.
///
/// - Parameter pathAdvice: what to do if the path is the cause.
func systemErrorText(pathAdvice: String) -> String {
  SystemError(errno).sentences(.writing, pathAdvice: pathAdvice)
}

/// Whether `errno` says that the file exists.
func lastErrorIsFileExists() -> Bool { errno == EEXIST || errno == ELOOP }

/// Returns whether a path is a folder.
func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Creates a private folder and its parents. Returns true if the folder exists already.
func makeFolder(_ path: String) -> Bool {
  if mkdir(path, 0o700) == 0 { return true }
  let problem = errno
  if problem == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex,
    makeFolder(String(path[..<end]))
  {
    return mkdir(path, 0o700) == 0
  }
  if isFolder(path) { return true }
  errno = problem
  return false
}
