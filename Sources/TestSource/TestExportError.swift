/// Why a timeline cannot become a test.
public enum TestExportError: Error, Hashable, Sendable {
  /// The timeline has no entries.
  case empty
  /// No machine of this name was recorded, only these.
  case noMachine(named: String, recorded: [String])
  /// The first entry has no state, so a test cannot start there.
  case noStartingState(seq: Int64)
  /// The stretch ends before it begins, or is outside the timeline.
  case noStretch
  /// The machine was recorded by reflection, so its events cannot be decoded.
  case reflected(type: String)
  /// A machine of this kind cannot be run again.
  case kind(String?)
  /// The recording does not say, or not in a usable way, how to make the machine.
  case notMade(type: String, made: String? = nil)
  /// The expression for a machine is empty or has more than one line.
  case expression(String)
  /// The failure of a minimized branch is a predicate that this build cannot parse.
  case failure(String)
  /// The assertion names no paths.
  case noPaths
  /// A path does not begin with `/state` or `/outputs`.
  case path(String)
}

extension TestExportError {
  /// Whether the recording is valid, but Swift cannot make its machine.
  var isOfSwift: Bool {
    switch self {
    case .kind, .notMade: true
    case .empty, .noMachine, .noStartingState, .noStretch, .reflected, .expression, .failure,
      .noPaths, .path:
      false
    }
  }
}

extension TestExportError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .empty: "The timeline has no entries."
    case .noMachine(let name, let recorded):
      if recorded.isEmpty {
        """
        No machine \(SwiftLiteral.string(name)) was recorded, and no other machine either. \
        To fix, record a machine to this sink, and call flush() before you export.
        """
      } else {
        """
        No machine \(SwiftLiteral.string(name)) was recorded. To fix, name one of the machines that \
        were recorded: \(recorded.map(SwiftLiteral.string).joined(separator: ", ")).
        """
      }
    case .noStartingState(let seq):
      """
      The state of entry \(seq) was not captured, so no test can begin there. \
      To fix, begin at a keyframe.
      """
    case .noStretch: "The timeline has no entries in that stretch."
    case .reflected(let type):
      """
      \(SwiftLiteral.string(type)) was recorded by reflection, so its events cannot be run again. \
      To fix, make its types Codable.
      """
    case .kind(let kind?):
      "A machine of kind \(SwiftLiteral.string(kind)) can be viewed but not run again."
    case .kind(nil):
      """
      The header of the timeline has no 'kind' in its 'machine', so a test in Swift cannot send its \
      events. To fix, export a fixture, or record it again with the kind of the machine.
      """
    case .notMade(let type, let made?):
      """
      The recording of \(SwiftLiteral.string(type)) says that \(SwiftLiteral.string(made)) makes the \
      machine, which does not name a Swift type as "App.Coin.self" or "App.Coin.make()" do. To fix, \
      give the Swift expression that makes one.
      """
    case .notMade(let type, nil):
      """
      The recording of \(SwiftLiteral.string(type)) does not say how the machine is made. \
      To fix, record it by a Replayable type, or give the Swift expression that makes one.
      """
    case .expression(let text):
      "\(SwiftLiteral.string(text)) is not a one-line expression."
    case .failure(let text):
      """
      This build cannot parse the failure that the branch was minimized for, \
      \(SwiftLiteral.string(text)). Without it, the test would assert what the bug recorded.
      """
    case .noPaths: "To assert paths, name at least one."
    case .path(let path):
      "\(SwiftLiteral.string(path)) does not begin with /state or /outputs."
    }
  }
}
