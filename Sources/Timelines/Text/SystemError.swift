#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An error number of the system, for people: its words, and what to do about it.
///
/// Every message with an error number gets its advice here, so that the same cause has the same
/// remedy everywhere.
package struct SystemError: Hashable, Sendable {
  /// What failed.
  package enum Use: Hashable, Sendable {
    case reading
    case writing
    case listening
  }

  /// The number, as in `errno`.
  package var code: Int32

  package init(_ code: Int32) { self.code = code }

  /// The system's words, such as "Permission denied".
  package var words: String {
    guard let text = strerror(code) else { return "error \(code)" }
    // Safe: the text is valid until this thread's next call, and is copied here.
    return String(cString: text)
  }

  /// The words, then one action; only the words if the number does not say enough for one.
  ///
  /// - Parameter pathAdvice: what to do if the path is the cause, where the caller knows better than
  ///   "correct the path". The end of a sentence that begins with "To fix, ".
  package func sentences(_ use: Use, pathAdvice: String? = nil) -> String {
    guard let advice = advice(use, pathAdvice: pathAdvice) else { return "\(words)." }
    return "\(words). To fix, \(advice)."
  }

  /// The same without a period, to end a longer sentence.
  package func clause(_ use: Use, pathAdvice: String? = nil) -> String {
    guard let advice = advice(use, pathAdvice: pathAdvice) else { return words }
    return "\(words); to fix, \(advice)"
  }

  /// What to do, as the end of a sentence that begins with "To fix, "; `nil` if the number does not
  /// say enough.
  package func advice(_ use: Use, pathAdvice: String? = nil) -> String? {
    systemAdvice ?? pathAdvice ?? ownPathAdvice(use)
  }

  /// What to do if the number says enough, whatever the path is for.
  private var systemAdvice: String? {
    switch code {
    case ENOSPC: "free some space on the disk"
    case EDQUOT: "free some space: your quota on that disk is used up"
    case EFBIG: "raise ulimit -f, or use another file system"
    case EIO: "check the disk, which reports errors"
    case EMFILE: "raise ulimit -n"
    case ENFILE: "close other programs: the system has too many open files"
    case ENOMEM, ENOBUFS: "free some memory"
    case ENAMETOOLONG: "use a shorter path"
    case ELOOP: "name the file itself: the path has too many symbolic links"
    default: nil
    }
  }

  /// What to do if the path or the address is wrong.
  private func ownPathAdvice(_ use: Use) -> String? {
    switch code {
    case ENOENT: use == .reading ? "correct the path" : "create the folder first"
    case ENOTDIR: "correct the path: a part of it is a file, not a folder"
    case EISDIR: "name a file: this is a folder"
    case EROFS: "name a place on a file system that can be written to"
    case EADDRINUSE: "stop the program that uses it, or listen somewhere else"
    case EADDRNOTAVAIL: "listen on an address of this machine"
    case EACCES, EPERM: Self.permissionAdvice(use)
    default: nil
    }
  }

  private static func permissionAdvice(_ use: Use) -> String {
    switch use {
    case .reading: "give yourself the permission to read it, or name another path"
    case .writing: "give yourself the permission to write there, or name another path"
    case .listening: "listen on a port above 1023, or on a path where you can create files"
    }
  }
}
