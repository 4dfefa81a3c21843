package import JSONCore
package import Timelines

/// Why a request to the store failed.
package struct StoreError: Error, Hashable, Sendable {
  package var reason: Reason

  package init(_ reason: Reason) {
    self.reason = reason
  }

  package enum Reason: Hashable, Sendable {
    /// Another process holds the data.
    case held(folder: String, by: LockHolder?)
    /// A daemon on another machine, or with another data folder, has the lease of the database until a
    /// time in RFC 3339 format.
    case leased(by: String, until: String)
    /// The data was written by a newer build.
    case newer(format: Int, known: Int)
    /// The folder or a file in it cannot be used.
    case folder(String, why: String)
    /// Other users can write to the folder.
    case openFolder(String)
    case database(DatabaseError)
    /// An error of a database server.
    case server(DatabaseServerError)
    /// Writing is not possible at the moment.
    case refusing(String)
    case closed
    case notFound(TimelineID)
    /// The timeline was deleted.
    case gone(TimelineID)
    /// The timeline exists and is another one.
    case conflict(TimelineID, why: String)
    /// The parents that the header names lead back to the timeline itself.
    case ownAncestor(TimelineID)
    /// The header has more parents, and parents of these, than the limit.
    case manyAncestors(TimelineID, limit: Int)
    case hasBranches(TimelineID, branches: [String])
    /// The timeline has no such entry.
    case noEntry(TimelineID, seq: Int64)
    /// An entry cannot follow the previous ones.
    case order(TimelineError)
    /// The path is not one to a value that changes.
    case path(Pointer)
    /// The path leads through too many array elements to be searched for.
    case longPath(Pointer)
    case damaged(String)
    /// The file is not a timeline.
    case file(TimelineFileError)
    /// Entries cannot be compressed.
    case packing(String)
    /// A file cannot be decompressed.
    case packed(String)
    /// A chunk of a copy is refused.
    case chunk(String)
  }
}

/// The process that holds the data.
package struct LockHolder: Hashable, Sendable {
  package var pid: Int64
  /// Since when, in RFC 3339 format.
  package var since: String
}

extension StoreError: CustomStringConvertible {
  /// A sentence, with the action if one is known.
  package var description: String {
    switch reason {
    case .held(let folder, let holder?):
      "The data in \(folder) is held by process \(holder.pid) since \(holder.since). "
        + "To fix, use that daemon, or stop it first."
    case .held(let folder, nil):
      "The data in \(folder) is held by another process. To fix, stop it first."
    case .leased(let host, let until):
      "A daemon on \(host) serves the database; its lease is valid until \(until) unless it is "
        + "renewed. To fix, use that daemon, or stop it first."
    case .newer(let format, let known):
      "The data has format \(format); this build knows formats up to \(known). "
        + "To fix, use a newer build, or another data directory."
    case .openFolder(let path):
      "Other users can write to the data directory \(path). "
        + "To fix, run: chmod 700 \(path.shellWord)"
    case .folder(let path, let why): "The data directory \(path) cannot be used: \(why)."
    case .database(let error): error.damage ?? "The database: \(error)."
    case .server(let error) where error.isOfConnection:
      "The database does not answer: \(error). What you see may be out of date until it answers."
    case .server(let error) where error.isOfLock:
      "The database cannot be used at the moment: another session holds a lock on its tables. To fix, "
        + "end that session's transaction."
    case .server(let error): "The database server: \(error)."
    case .refusing(let why): "The store cannot write at the moment: \(why)"
    case .closed: "The store was closed."
    case .notFound(let id): "There is no timeline \(id)."
    case .gone(let id): "The timeline \(id) was deleted. To fix, start a new one."
    case .conflict(let id, let why): "The timeline \(id) already exists: \(why)."
    case .ownAncestor(let id):
      "The timeline \(id) is refused: its header names a parent that is one of its own branches."
    case .manyAncestors(let id, let limit):
      "The timeline \(id) is refused: it is a branch of a branch, more than \(limit) levels deep."
    case .hasBranches(let id, let branches):
      "The timeline \(id) has branches: \(branches.joined(separator: ", ")). "
        + "To fix, delete the branches first, or pass --cascade to delete them as well."
    case .noEntry(let id, let seq): "The timeline \(id) has no entry \(seq)."
    case .order(let error): "An entry is refused: \(error)."
    case .path(let path):
      "The path '\(path)' leads nowhere. To fix, begin it with '/state' or '/outputs'."
    case .longPath:
      "The path leads through too many array elements. To fix, ask for one of the arrays it leads "
        + "through."
    case .damaged(let what): "The data is damaged: \(what)."
    case .file(let error): "The file is not a timeline: \(error)."
    case .packing(let why): "Entries cannot be compressed: \(why)."
    case .packed(let why): "The file cannot be decompressed: \(why)."
    case .chunk(let why): "A chunk is refused: \(why)."
    }
  }
}

extension StoreError {
  init(_ error: DatabaseError) {
    self.init(.database(error))
  }

  /// The sentence; for damage, with the command that saves the rest of the data in a folder.
  package func sentence(about folder: String) -> String {
    guard case .damaged = reason else { return description }
    return "\(description) \(Self.savingAdvice(folder))"
  }

  /// The command that recovers a damaged database.
  static func savingAdvice(_ folder: String?) -> String {
    "To save what can be read, stop the daemon if it is running, and run: debugd recover"
      + (folder.map { " --data \($0.shellWord)" } ?? "")
  }

  /// SQLite's message for a damaged database.
  var damage: DatabaseError? {
    if case .database(let error) = reason, error.isDamage { error } else { nil }
  }
}
