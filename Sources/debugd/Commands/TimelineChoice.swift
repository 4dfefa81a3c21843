import Timelines
import Wire

/// Finds the timeline that a word on the command line means.
///
/// The word is an id, the beginning of one, a machine's name, the name of a branch or timeline, or
/// `last`; of several timelines of a machine the newest recording is meant, and no branch: branches go
/// by names of their own, each of which only one may have. `app/machine` distinguishes machines of the
/// same name.
///
/// `last` is the newest recording, unless something has that name. Recordings of the example app count
/// only if there are no others: it records all the time.
///
/// Apps and files choose most of these names. So a name never hides the id of another timeline, and
/// among names only one that was given with `debugd name` comes before the others.
struct TimelineChoice {
  /// Why no timeline is meant.
  struct Unclear: Error, CustomStringConvertible {
    let description: String
  }

  struct Candidate {
    let id: TimelineID
    let app: String
    let machine: String
    /// What a person called it in this daemon.
    var given: String?
    /// What its header calls it: the name of a branch, or whatever a file says.
    var recorded: String?
    var isBranch = false
  }

  private let candidates: [Candidate]

  /// A choice among these, the newest first.
  init(_ candidates: [Candidate]) {
    self.candidates = candidates
  }

  /// A choice among what the daemon has.
  init(_ summaries: [ToInspector.TimelineSummary]) {
    self.init(
      summaries.compactMap { summary in
        guard let header = try? Header(reading: summary.header) else { return nil }
        return Candidate(
          id: header.fields.timeline, app: header.fields.app.name,
          machine: header.fields.machine.name,
          given: summary.name, recorded: header.fields.parent?.name,
          isBranch: header.fields.parent != nil)
      })
  }

  /// The timeline that a word means.
  func callAsFunction(_ word: String) throws(Unclear) -> TimelineID {
    if let exact = TimelineID(word.lowercased()) {
      if candidates.contains(where: { $0.id == exact }) { return exact }
      throw Unclear(
        description: "There is no timeline \(exact.text). \(Self.listAdvice)")
    }
    guard let named = try byName(word) else {
      if word == Self.last, let newest { return newest }
      return try byPrefix(word)
    }
    let others = prefixed(word).filter { $0.id != named }
    guard others.isEmpty else {
      throw unclear(
        word, "is the name of one timeline and the beginning of another one's id",
        [named] + others.map(\.id))
    }
    return named
  }

  /// The word for the newest recording.
  static let last = "last"

  /// Why a name cannot be given to a timeline; `nil` when it can.
  static func problem(with name: String) -> String? {
    guard name == last else { return nil }
    return "'last' already means the newest recording. To fix, choose another name."
  }

  /// The newest recording, or the newest branch if there is nothing else.
  var newest: TimelineID? {
    newestOfApps ?? candidates.first { !$0.isBranch }?.id ?? candidates.first?.id
  }

  /// The newest recording that is not of the example app.
  var newestOfApps: TimelineID? {
    candidates.first { !$0.isBranch && $0.app != Self.exampleApp }?.id
  }

  private static let exampleApp = "Gallery"

  /// How to see what there is.
  static let listAdvice = "'debugd list' shows them all."

  /// The timeline that goes by a name, if any does.
  private func byName(_ word: String) throws(Unclear) -> TimelineID? {
    let given = candidates.filter { $0.given == word }.map(\.id)
    if given.count > 1 { throw unclear(word, "is the name of \(given.count) timelines", given) }
    if let only = given.first { return only }
    let named = candidates.filter { $0.given == nil && $0.recorded == word }
    guard named.count <= 1 else {
      throw unclear(word, "is the name of \(named.count) branches", named.map(\.id))
    }
    let recorded = named.first
    let machines = candidates.filter { isMachine($0, word) }
    // A branch alone is an imported file.
    let machine = machines.first { !$0.isBranch } ?? machines.first
    if let recorded, let machine, recorded.id != machine.id {
      throw unclear(
        word, "is the name of a machine and of a branch", [machine.id, recorded.id])
    }
    if let recorded { return recorded.id }
    let apps = Set(candidates.filter { $0.machine == word }.map(\.app))
    guard apps.count <= 1 else {
      let ways = apps.sorted().map { way(to: word, of: $0) }.joined(separator: ", ")
      throw Unclear(
        description: "Several apps have a machine \(Escaped.quoted(word)). Say which: \(ways).")
    }
    return machine?.id
  }

  /// Ids are shown whole: nothing else can be called like them.
  private func unclear(_ word: String, _ why: String, _ ids: [TimelineID]) -> Unclear {
    let shown = ids.prefix(3).map(\.text).joined(separator: " or ")
    return Unclear(description: "\(Escaped.quoted(word)) \(why). Say which: \(shown).")
  }

  /// What to type for an app's machine: recorded names that no quotes make harmless have an id.
  private func way(to machine: String, of app: String) -> String {
    if let words = ShellWord.quoted("\(app)/\(machine)") { return words }
    let newest = candidates.first { $0.app == app && $0.machine == machine }
    return newest?.id.text ?? machine
  }

  private func isMachine(_ candidate: Candidate, _ word: String) -> Bool {
    candidate.machine == word || "\(candidate.app)/\(candidate.machine)" == word
  }

  /// The timelines whose ids begin with a word. A shorter beginning is more likely a misspelled name.
  private func prefixed(_ word: String) -> [Candidate] {
    word.count >= 4 ? candidates.filter { $0.id.text.hasPrefix(word.lowercased()) } : []
  }

  /// Refuses the name of an app, with its machines.
  private func checkApp(_ word: String) throws(Unclear) {
    let machines = candidates.filter { $0.app.lowercased() == word.lowercased() }
    var ways: [String] = []
    for candidate in machines where ways.count < 4 {
      let way = way(to: candidate.machine, of: candidate.app)
      if !ways.contains(way) { ways.append(way) }
    }
    guard !ways.isEmpty else { return }
    throw Unclear(
      description:
        "\(Escaped.quoted(word)) is an app. Name a machine of it: \(ways.joined(separator: ", ")).")
  }

  private func byPrefix(_ word: String) throws(Unclear) -> TimelineID {
    let found = prefixed(word)
    if found.count == 1 { return found[0].id }
    if found.count > 1 {
      throw unclear(word, "is the start of \(found.count) ids", found.map(\.id))
    }
    guard !candidates.isEmpty else {
      throw Unclear(
        description:
          "There are no timelines yet. Run an app that links Recorder, or import a file: "
          + "debugd import FILE")
    }
    try checkApp(word)
    let machines = candidates.map { word.contains("/") ? "\($0.app)/\($0.machine)" : $0.machine }
    let names = (machines + candidates.compactMap { $0.given ?? $0.recorded })
      .filter {
        ShellWord.quoted($0) != nil
      }
    let guess = Suggestion.sentence(for: word, among: names)
    throw Unclear(
      description:
        "No timeline is called \(Escaped.quoted(word)).\(guess) \(Self.listAdvice)")
  }
}
