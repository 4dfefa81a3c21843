import Foundation
import JSONCore
import Timelines

/// The folder in which a repository's commits are built, and what earlier runs found there.
///
/// It outlives the command: the next run continues from the same builds, and does not repeat what
/// is known.
final class BisectFolder {
  /// The worktree.
  let tree: String
  /// What the last build wrote.
  let log: String
  private let outcomes: String
  private let lock: Int32

  /// Creates the folder, and keeps other runs out of it until this one ends.
  init(for repository: String, _ environment: [String: String]) throws {
    guard let caches = Self.caches(environment) else {
      throw CommandError("There is no home directory. To fix, set XDG_CACHE_HOME to a folder.")
    }
    let hash = SHA256.hexadecimal(Array(SHA256.hash(repository.utf8).prefix(6)))
    let folder = "\(caches)/debugd/bisect/\(hash)"
    // Builds and recordings are the user's own.
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    tree = folder + "/tree"
    log = folder + "/build.log"
    outcomes = folder + "/outcomes"
    lock = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw FileProblem.writing(folder + "/lock", errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      throw CommandError(
        """
        Another bisect runs in this repository, and both would build in \(Escaped.quoted(tree)). To \
        fix, wait until it ends.
        """)
    }
  }

  deinit { close(lock) }

  private static func caches(_ environment: [String: String]) -> String? {
    environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
  }

  /// The known outcomes of commits in runs that did the same: built, started, and replayed the same.
  func known(for question: String) -> [BisectSearch.Commit: CommitOutcome] {
    guard let data = FileManager.default.contents(atPath: outcomes) else { return [:] }
    var known: [BisectSearch.Commit: CommitOutcome] = [:]
    for line in data.split(separator: UInt8(ascii: "\n")) {
      // The last line may be half written: a run can end at any time.
      guard let json = try? JSON(parsing: Array(line)), json["question"]?.string == question,
        let commit = json["commit"]?.string, let outcome = CommitOutcome(json)
      else { continue }
      known[commit] = outcome
    }
    return known
  }

  /// Remembers an outcome. What could not be tested is tried again: another disk or network may do.
  func remember(
    _ outcome: CommitOutcome, of commit: BisectSearch.Commit, for question: String
  ) throws {
    if case .untestable = outcome { return }
    guard case .object(var object) = outcome.json else { return }
    object["commit"] = .string(commit)
    object["question"] = .string(question)
    let descriptor = open(outcomes, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileProblem.writing(outcomes, errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // After a half-written line, a new one begins.
    try handle.write(contentsOf: Data([UInt8(ascii: "\n")] + JSON.object(object).encoded()))
  }

  /// A fresh log for a build.
  func openLog() throws -> FileHandle {
    let descriptor = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileProblem.writing(log, errno) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
