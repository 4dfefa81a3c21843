/// The commit in the environment, by which a recording finds the code that made it.
extension RecorderEnvironment {
  /// What CI servers call the commit of a job: GitHub Actions, GitLab, CircleCI, Buildkite, Bitbucket,
  /// Azure Pipelines, Travis CI, Xcode Cloud, and Jenkins.
  static let commitVariables = [
    "GITHUB_SHA", "CI_COMMIT_SHA", "CIRCLE_SHA1", "BUILDKITE_COMMIT", "BITBUCKET_COMMIT",
    "BUILD_SOURCEVERSION", "TRAVIS_COMMIT", "CI_COMMIT", "GIT_COMMIT",
  ]

  /// The maximum length of a commit, in bytes: longer texts do not name one.
  private static let maximumCommitBytes = 200

  /// The commit from which the program was built: `DEBUGD_COMMIT`, or else the one of the CI job.
  ///
  /// An empty `DEBUGD_COMMIT` says that there is none.
  package var commit: String? {
    if let own = variables["DEBUGD_COMMIT"] {
      return own.isEmpty || own.utf8.count > Self.maximumCommitBytes ? nil : own
    }
    return Self.commitVariables.lazy.compactMap { variables[$0] }.first(where: Self.isHash)
  }

  /// Whether a text is a commit as version control writes it. Another program may use the variable for
  /// something else, which is not to be recorded.
  private static func isHash(_ text: String) -> Bool {
    7...64 ~= text.utf8.count && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }
}
