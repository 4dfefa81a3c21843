/// Why a timeline can not become a test, and what to do about it.
public enum TestExportError: Error, Hashable, Sendable {
  /// There is no entry.
  case empty
  /// Nothing was recorded of a machine of that name, but of these.
  case noMachine(named: String, recorded: [String])
  /// The first entry has no state, so nothing could run from there.
  case noStartingState(seq: Int64)
  /// The stretch ends before it begins, or lies beyond the timeline.
  case noStretch
  /// The machine was recorded by reflection, so its events can not be read back.
  case reflected(type: String)
  /// A machine of that kind can not be run again.
  case kind(String?)
  /// The recording does not say in a usable way how the machine is made.
  case notMade(type: String, made: String? = nil)
  /// The expression that was given for a machine has more than one line, or is none.
  case expression(String)
  /// Paths were to be asserted, and none was named.
  case noPaths
  /// A path is none into the state or the outputs.
  case path(String)
}

extension TestExportError {
  /// Whether the recording is right, but not one of a machine that Swift could make.
  var isOfSwift: Bool {
    switch self {
    case .kind, .notMade: true
    case .empty, .noMachine, .noStartingState, .noStretch, .reflected, .expression, .noPaths, .path:
      false
    }
  }
}

extension TestExportError: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .empty: "The timeline has no entries."
    case .noMachine(let name, let recorded):
      if recorded.isEmpty {
        """
        Nothing was recorded of \(SwiftLiteral.string(name)), nor of any other machine. \
        To fix, record a machine to this sink, and call flush() before.
        """
      } else {
        """
        Nothing was recorded of \(SwiftLiteral.string(name)). To fix, name one of the machines that \
        were recorded: \(recorded.map(SwiftLiteral.string).joined(separator: ", ")).
        """
      }
    case .noStartingState(let seq):
      """
      The state of entry \(seq) was not captured, so no test can begin there. \
      To fix, begin at a keyframe, or have the stretch before it computed.
      """
    case .noStretch: "There are no entries in that stretch."
    case .reflected(let type):
      """
      \(SwiftLiteral.string(type)) was recorded by reflection, so its events can not be run again. \
      To fix, make its types Codable.
      """
    case .kind(let kind):
      "A machine of kind \(SwiftLiteral.string(kind ?? "")) can be looked at, not run again."
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
      "\(SwiftLiteral.string(text)) is no expression on one line."
    case .noPaths: "To assert paths, name at least one."
    case .path(let path):
      "\(SwiftLiteral.string(path)) is no path into /state or /outputs."
    }
  }
}
