/// Why a command line cannot be understood.
struct ArgumentError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what to do about it.
  let description: String
  /// The command whose help fits; nil for the list of commands.
  let command: String?

  init(_ description: String, command: String? = nil) {
    self.description = description
    self.command = command
  }
}
