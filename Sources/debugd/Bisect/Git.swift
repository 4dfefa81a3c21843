import Foundation

/// The git repository that a bisection reads, through git itself.
struct Git: Sendable {
  /// A commit, as people see it.
  struct Description: Sendable {
    var short: String
    var subject: String
    var author: String
    var date: String
  }

  /// The folder of the repository that the user is in.
  let folder: String
  /// The folder in which git keeps the repository: the same from each of its folders and worktrees.
  let store: String
  private let program: String

  /// Finds git, and the repository of a folder.
  init(_ folder: String, path: String) async throws {
    guard
      let program = path.split(separator: ":").map({ "\($0)/git" })
        .first(where: FileManager.default.isExecutableFile(atPath:))
    else {
      throw CommandError("git is not installed. To fix, install it, for example: apt install git")
    }
    let place = try await ChildCommand(
      program: program,
      arguments: ["rev-parse", "--path-format=absolute", "--git-common-dir"], folder: folder
    ).run()
    guard place.isSuccess else {
      throw CommandError(
        """
        \(Escaped.quoted(URL(filePath: folder).standardized.path)) is not in a git repository. To fix, name the repository of your app: \
        --repository FOLDER
        """)
    }
    self.program = program
    self.folder = folder
    store = place.output.trimmingCharacters(in: .newlines)
  }

  /// The commits of `GOOD..BAD`.
  func ends(of range: String) async throws -> (BisectSearch.Commit, BisectSearch.Commit)? {
    guard let dots = range.range(of: ".."), !range[dots.upperBound...].hasPrefix(".") else {
      return nil
    }
    let (first, last) = (range[..<dots.lowerBound], range[dots.upperBound...])
    return (
      try await commit(first.isEmpty ? "HEAD" : String(first)),
      try await commit(last.isEmpty ? "HEAD" : String(last))
    )
  }

  private func commit(_ word: String) async throws -> BisectSearch.Commit {
    let found = try await run(
      "rev-parse", "--verify", "--quiet", "--end-of-options", word + "^{commit}")
    guard found.isSuccess else {
      throw CommandError(
        "git knows no commit \(Escaped.quoted(word)). 'git log --oneline' shows those it knows.")
    }
    return found.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether every commit from one to the other follows from the first.
  func isAncestor(_ old: BisectSearch.Commit, of new: BisectSearch.Commit) async throws -> Bool {
    try await run("merge-base", "--is-ancestor", old, new).isSuccess
  }

  /// The commits that a search can still run, the one that halves them first.
  func candidates(of search: BisectSearch) async throws -> [BisectSearch.Commit] {
    let list = try await succeed(["rev-list", "--bisect-all", search.new, "--not"] + search.old)
    // Each line is a commit and '(dist=N)'.
    return list.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  /// An id of a file's content.
  func hash(ofFile file: String) async throws -> String {
    try await succeed(["hash-object", "--no-filters", "--", file])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// How people know a commit.
  func describe(_ commit: BisectSearch.Commit) async throws -> Description {
    let text = try await succeed(["show", "--no-patch", "--format=%h%x00%s%x00%an%x00%as", commit])
    let parts = text.trimmingCharacters(in: .newlines).split(
      separator: "\0", omittingEmptySubsequences: false
    ).map(String.init)
    guard parts.count == 4 else {
      return Description(short: String(commit.prefix(10)), subject: "", author: "", date: "")
    }
    return Description(short: parts[0], subject: parts[1], author: parts[2], date: parts[3])
  }

  /// Checks a commit out in a worktree of its own. Files that git does not track stay, so that builds
  /// continue from the previous commit's.
  func check(out commit: BisectSearch.Commit, in tree: String) async throws {
    // The hooks of the repository are for the user's own commits.
    let quiet = ["-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"]
    if FileManager.default.fileExists(atPath: tree + "/.git") {
      let moved = try await run(quiet + ["-C", tree, "checkout", "--quiet", "--force", commit])
      if moved.isSuccess { return }
      try FileManager.default.removeItem(atPath: tree)
    }
    // Forced, because git still knows a worktree whose folder was deleted; and twice, because git
    // keeps it locked if a signal ended its earlier attempt.
    _ = try await succeed(
      quiet + ["worktree", "add", "--quiet", "--force", "--force", "--detach", tree, commit])
  }

  private func succeed(_ arguments: [String]) async throws -> String {
    let result = try await run(arguments)
    guard result.isSuccess else {
      let command = arguments.map { ShellWord.text($0) ?? Escaped.shell($0) }.joined(separator: " ")
      throw CommandError("git failed. To see why, run: git -C \(Escaped.shell(folder)) \(command)")
    }
    return result.output
  }

  private func run(_ arguments: String...) async throws -> ChildCommand.Result {
    try await run(arguments)
  }

  private func run(_ arguments: [String]) async throws -> ChildCommand.Result {
    try await ChildCommand(program: program, arguments: arguments, folder: folder).run()
  }
}
