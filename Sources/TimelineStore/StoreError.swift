package import JSONCore
package import Timelines

/// Why the store did not do what it was asked for.
package struct StoreError: Error, Hashable, Sendable {
  /// What is wrong.
  package var reason: Reason

  package init(_ reason: Reason) {
    self.reason = reason
  }

  /// What can be wrong.
  package enum Reason: Hashable, Sendable {
    /// Another process holds the data.
    case held(folder: String, by: LockHolder?)
    /// The data was written by a newer build.
    case newer(format: Int, known: Int)
    /// The folder or a file in it cannot be used.
    case folder(String, why: String)
    /// Other users can write to the folder.
    case openFolder(String)
    /// The database says so.
    case database(DatabaseError)
    /// Nothing is written at the moment.
    case refusing(String)
    /// The store was closed.
    case closed
    /// There is no such timeline.
    case notFound(TimelineID)
    /// The timeline was deleted.
    case gone(TimelineID)
    /// The timeline is there and is another one.
    case conflict(TimelineID, why: String)
    /// Others start from it.
    case hasBranches(TimelineID, branches: [String])
    /// The timeline has no such entry.
    case noEntry(TimelineID, seq: Int64)
    /// An entry cannot follow the ones before it.
    case order(TimelineError)
    /// A path leads to no value that changes.
    case path(Pointer)
    /// A path leads through too many elements of arrays to be searched for.
    case longPath(Pointer)
    /// What is stored cannot be read.
    case damaged(String)
    /// A file is no timeline.
    case file(TimelineFileError)
    /// Entries cannot be packed.
    case packing(String)
    /// A file cannot be unpacked.
    case packed(String)
  }
}

/// The process that holds the data.
package struct LockHolder: Hashable, Sendable {
  /// The process.
  package var pid: Int64
  /// Since when, as RFC 3339 writes it.
  package var since: String
}

extension StoreError: CustomStringConvertible {
  /// A sentence, with what to do where that is known.
  package var description: String {
    switch reason {
    case .held(let folder, let holder?):
      "The data in \(folder) is held by process \(holder.pid) since \(holder.since). "
        + "To fix, use that daemon, or stop it first."
    case .held(let folder, nil):
      "The data in \(folder) is held by another process. To fix, stop it first."
    case .newer(let format, let known):
      "The data has format \(format); this build knows formats up to \(known). "
        + "To fix, use a newer build, or another data directory."
    case .openFolder(let path):
      "Other users can write to the data directory \(path). "
        + "To fix, run: chmod 700 \(path.shellWord)"
    case .folder(let path, let why): "The data directory \(path) cannot be used: \(why)."
    case .database(let error): error.damage ?? "The database: \(error)."
    case .refusing(let why): "Nothing can be written at the moment: \(why)"
    case .closed: "The store was closed."
    case .notFound(let id): "There is no timeline \(id)."
    case .gone(let id): "The timeline \(id) was deleted. To fix, begin a new one."
    case .conflict(let id, let why): "The timeline \(id) is there already: \(why)."
    case .hasBranches(let id, let branches):
      "The timeline \(id) has branches: \(branches.joined(separator: ", ")). "
        + "To fix, delete these first, or delete them too (in a shell: --cascade)."
    case .noEntry(let id, let seq): "The timeline \(id) has no entry \(seq)."
    case .order(let error): "An entry is refused: \(error)."
    case .path(let path):
      "The path '\(path)' leads nowhere. To fix, begin it with '/state' or '/outputs'."
    case .longPath:
      "The path leads through too many array elements. To fix, ask for one of the arrays it leads "
        + "through."
    case .damaged(let what): "The data is damaged: \(what)."
    case .file(let error): "The file is no timeline: \(error)."
    case .packing(let why): "Entries cannot be packed: \(why)."
    case .packed(let why): "The file cannot be unpacked: \(why)."
    }
  }
}

extension StoreError {
  init(_ error: DatabaseError) {
    self.init(.database(error))
  }

  /// The sentence; about damage with the command that saves the rest of the data in a folder.
  package func sentence(about folder: String) -> String {
    guard case .damaged = reason else { return description }
    return "\(description) \(Self.savingAdvice(folder))"
  }

  /// The command that saves what can be read of a damaged database.
  static func savingAdvice(_ folder: String?) -> String {
    "To save what can be read, stop the daemon if it is running, and run: debugd recover"
      + (folder.map { " --data \($0.shellWord)" } ?? "")
  }

  /// What SQLite says when the database is damaged.
  var damage: DatabaseError? {
    if case .database(let error) = reason, error.isDamage { error } else { nil }
  }
}
