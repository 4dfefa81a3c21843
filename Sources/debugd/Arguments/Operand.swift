/// A word that a command takes without the name of an option: a timeline, a seq, a file.
struct Operand: Sendable {
  /// What a shell offers for it.
  enum Completion: Equatable, Sendable {
    case nothing, timelines, files, timelinesOrFiles, words([String])
  }

  /// What stands for it in the help.
  let name: String
  /// One line for the help.
  let summary: String
  /// Whether it may be left out.
  var isOptional = false
  /// Whether several may follow; only the last operand may.
  var repeats = false
  /// What a shell offers for it.
  var completion = Completion.nothing

  static let timeline = Operand(
    name: "TIMELINE",
    summary: "a machine's name, an id, the beginning of an id, or 'last' for the newest recording",
    completion: .timelines)

  /// A timeline, or the file of one, for a command that only reads.
  static let timelineOrFile = Operand(
    name: "TIMELINE",
    summary: """
      a machine's name, an id, the beginning of an id, 'last' for the newest recording, or a \
      .timeline file
      """,
    completion: .timelinesOrFiles)

  static let seq = Operand(name: "SEQ", summary: "an entry's number, or 'last'")
}
