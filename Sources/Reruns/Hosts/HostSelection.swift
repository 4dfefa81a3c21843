internal import Timelines
internal import Wire

/// Selects the host for a machine: the first that can make it, in the order of the host list.
struct HostSelection {
  /// The expression that makes the machine.
  let make: String
  let app: String
  /// The app's version.
  let version: String?
  /// The app's run.
  let run: String?
  /// The name of the app's executable, if it is safe to suggest in a command; `nil` if the machine
  /// is not known to be in Swift, so that its executable may be anywhere.
  let executable: String?
  /// Whether the recording was made by tests, whose executable cannot be a host.
  let isFromTests: Bool
  /// The name of the requested host, if one was named.
  let name: String?

  /// The selection for a timeline.
  ///
  /// - Throws: a ``Refusal`` if no host can make the machine.
  init(_ header: Header, named name: String?) throws(Refusal) {
    guard let make = header.machine.make else {
      throw Refusal(.noHost, Self.notMade(header), timeline: header.timeline)
    }
    self.make = make
    app = header.app.name
    version = header.app.version
    run = header.app.run
    let plain = [header.app.process, header.app.name].compactMap(\.self).first(where: Self.isPlain)
    executable = Self.isSwift(header) ? plain ?? "App" : nil
    isFromTests = Self.runsTests(header.app.process ?? "")
    self.name = name
  }

  /// Whether the machine is known to be in Swift: only the recorder in Swift states these.
  private static func isSwift(_ header: Header) -> Bool {
    header.app.process != nil || header.machine.module != nil
  }

  /// Whether a process is one in which SwiftPM and Xcode run tests.
  private static func runsTests(_ process: String) -> Bool {
    process.hasSuffix(".xctest") || process == "xctest" || process == "swiftpm-testing-helper"
  }

  /// Why no host can make the machine, and what to do about it.
  static func notMade(_ header: Header) -> String {
    if header.machine.encoding == "reflected" {
      return """
        The machine was recorded as text, so it can only be viewed: its states or events are not \
        Codable, or the type in 'madeBy:' makes another machine. To fix, correct what the recorder \
        logged at the start of the recording, and record it again.
        """
    }
    guard isSwift(header) else {
      return """
        The header of the timeline has no 'make' in its 'machine', so no host can be chosen. To fix, \
        record it again with a text there, such as "\(header.machine.name)()", and run a host that \
        makes the same text, such as your copy of Examples/host.py: debugd host FILE
        """
    }
    return """
      The timeline does not say how its machine is made. To fix, record it again with \
      'madeBy:' and a Replayable type that makes the machine, or record a Reducible state.
      """
  }

  /// Recorded text is suggested to a shell only if all its characters are harmless there.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < 64 && !name.hasPrefix("-") && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._-".utf8.contains(byte)
        }
      }
  }

  /// Whether to ask a host at all.
  func isCandidate(_ host: ToInspector.HostSummary) -> Bool {
    if let name { return host.name == name }
    return isForApp(host) && !isForOtherVersion(host)
  }

  private func isForApp(_ host: ToInspector.HostSummary) -> Bool {
    host.app.map { $0 == app } ?? true
  }

  /// Whether an executable was given for another version of the app. Recorders offer their own code
  /// for all versions: it is newer than the recording while someone works on it.
  private func isForOtherVersion(_ host: ToInspector.HostSummary) -> Bool {
    guard host.executable != nil, let other = host.version else { return false }
    return other != version
  }

  /// Whether a host makes the machine.
  func makes(_ host: ToInspector.HostSummary) -> Bool { host.makes.contains(make) }

  /// The executables to ask, those for the timeline's version first.
  func ordered(_ executables: [ExecutableHost]) -> [ExecutableHost] {
    let candidates = executables.filter { isCandidate($0.summary) }
    return candidates.filter { $0.spec.version != nil }
      + candidates.filter { $0.spec.version == nil }
  }

  /// The recorders that make the machine: of the timeline's own run first, then of its version;
  /// processes before live apps.
  func ordered(_ offers: [RecorderOffer]) -> [RecorderOffer] {
    let fitting = offers.filter { isCandidate($0.summary) && makes($0.summary) }
    return [HostPlace.process, .live].flatMap { place in
      let here = fitting.filter { $0.summary.place == place }
      let own = here.filter { $0.run != nil && $0.run == run }
      let others = here.filter { $0.run == nil || $0.run != run }
      return own + others.filter { $0.summary.version == version }
        + others.filter { $0.summary.version != version }
    }
  }

  /// Why no host was found among those that were asked.
  func refusal(asked: [ToInspector.HostSummary], hasDaemon: Bool, data: String) -> Refusal {
    let remedy = remedy(hasDaemon: hasDaemon, data: data)
    if let name {
      guard let host = asked.first(where: { $0.name == name }) else {
        let known = asked.map(\.name).joined(separator: ", ")
        let hint = known.isEmpty ? remedy : "There are: \(known)."
        return Refusal(.noHost, "No host is named \(name.debugDescription). \(hint)")
      }
      return Refusal(.noHost, sentence(about: host))
    }
    let unfit = asked.filter(isForApp).map { sentence(about: $0) }
    let why = unfit.isEmpty ? "" : " " + unfit.joined(separator: " ")
    return Refusal(.noHost, "No host can run \(make) of the app \(app).\(why) \(remedy)")
  }

  private func remedy(hasDaemon: Bool, data: String) -> String {
    if isFromTests { return HostPool.testsRemedy(hasDaemon: hasDaemon, data) }
    return hasDaemon ? HostPool.remedy(executable, data) : HostPool.fileRemedy(executable)
  }

  private func sentence(about host: ToInspector.HostSummary) -> String {
    if let problem = host.problem { return "\(host.name): \(problem)" }
    if isForOtherVersion(host), let other = host.version {
      let recorded = version.map { "version \($0)" } ?? "an app without a version"
      return "\(host.name) is for version \(other), and \(recorded) made the recording."
    }
    return "\(host.name) makes \(Self.list(host.makes)), not \(make)."
  }

  /// Some of the names, so that the message can be read: a host may make thousands.
  private static func list(_ makes: [String]) -> String {
    guard !makes.isEmpty else { return "nothing" }
    let more = makes.count - maximumListed
    let names = makes.prefix(maximumListed).joined(separator: ", ")
    return more > 0 ? "\(names), and \(more) more" : names
  }

  private static let maximumListed = 10
}
