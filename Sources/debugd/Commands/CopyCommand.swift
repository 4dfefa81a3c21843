import DebugServer
import Foundation
import JSONCore
import Synchronization
import Timelines
import Wire

/// Copies timelines to or from another daemon.
struct CopyCommand {
  enum Direction {
    case push, pull

    /// The option with the address.
    var option: String {
      switch self {
      case .push: "to"
      case .pull: "from"
      }
    }
  }

  private let arguments: ParsedArguments
  private let terminal: Terminal
  private let direction: Direction
  private let environment = ProcessInfo.processInfo.environment

  init(_ arguments: ParsedArguments, _ terminal: Terminal, direction: Direction) {
    (self.arguments, self.terminal, self.direction) = (arguments, terminal, direction)
  }

  func run() async throws -> ExitCode {
    guard arguments.operands.isEmpty == arguments.has("all") else {
      throw arguments.error("\(arguments.command.name) needs TIMELINE or --all.")
    }
    let remote = try remoteDaemon()
    let key = try accessKey()
    let configuration = try ServeSettings.quiet(arguments, environment)
    let (direction, need, own) = (direction, arguments.command.need, OwnEnd())
    let connect = { @Sendable () async throws -> Transfer.Ends in
      let there = try await SocketBackend.connect(to: remote, key: key, client: Self.client)
      do {
        let here = try await own.connect(configuration, needing: need)
        return direction == .push
          ? Transfer.Ends(source: here, target: there) : Transfer.Ends(source: there, target: here)
      } catch {
        await there.close()
        throw error
      }
    }
    let view = CopyView(terminal, isJSON: arguments.has("json"))
    do {
      let timelines = try await chosen(connect)
      try await Transfer(connect: connect, pause: Self.pause).run(timelines) { view.show($0) }
    } catch BackendError.disconnected(let why) {
      view.clear()
      throw CommandError("\(remote.address): \(PlainText.escaping(why)) \(again)")
    }
    view.conclude(next: next)
    return .done
  }

  /// What to do when the connection fails for good.
  private var again: String {
    "What was copied stays; to continue, run the same command again."
  }

  /// The command that shows what was copied.
  private var next: @Sendable (TimelineID) -> String {
    let option = ServeSettings.dataOption(arguments)
    return switch direction {
    case .push: { "To see it there, run on that machine: debugd show \($0.text.prefix(8))" }
    case .pull: { "To see it, run: debugd show \($0.text.prefix(8))\(option)" }
    }
  }

  private static let client = "debugd on \(ProcessInfo.processInfo.hostName)"

  /// Waits 1, 2, 4, … seconds, which is enough for a daemon to start again.
  private static let pause: @Sendable (Int) async throws -> Void = { attempt in
    try await Task.sleep(for: .seconds(1 << min(attempt - 1, 4)))
  }

  private func chosen(
    _ connect: @Sendable () async throws -> Transfer.Ends
  ) async throws -> [TimelineID] {
    let ends = try await connect()
    let summaries: Result<[ToInspector.TimelineSummary], any Error>
    do {
      summaries = .success(try await ends.source.timelines())
    } catch {
      summaries = .failure(error)
    }
    await ends.close()
    let known = try summaries.get()
    if arguments.has("all") {
      // The oldest first, as they were recorded.
      return known.reversed().compactMap { try? Header(reading: $0.header).timeline }
    }
    let choice = TimelineChoice(known)
    return try arguments.operands.map { try choice($0) }
  }

  private func remoteDaemon() throws -> RemoteDaemon {
    let option = direction.option
    guard let text = arguments.value(option) else {
      throw arguments.error("\(arguments.command.name) needs --\(option) wss://HOST:PORT.")
    }
    guard var remote = RemoteDaemon(text) else {
      throw arguments.error(
        "--\(option) takes an address such as wss://team.example:7357, not \(Escaped.quoted(text))."
      )
    }
    switch (arguments.value("fingerprint"), arguments.value("authority")) {
    case (nil, nil): break
    case (let digits?, nil):
      let plain = digits.filter { $0 != ":" && $0 != " " }
      guard plain.utf8.count == 64, plain.allSatisfy(\.isHexDigit) else {
        throw arguments.error(
          "--fingerprint takes the SHA-256 of a certificate: 64 hexadecimal digits.")
      }
      remote.trust = .fingerprint(plain)
    case (nil, let file?):
      try FileProblem.open(file).close()
      remote.trust = .authority(path: file)
    case (_?, _?): throw arguments.error("Use either --fingerprint or --authority.")
    }
    return remote
  }

  private func accessKey() throws -> AccessKey {
    let advice = "To get one, run on the other machine: debugd open --key \(direction)"
    let text: String
    if let file = arguments.value("key-file") {
      guard let bytes = try PrivateFile(file).read(limit: 1_024) else {
        throw FileProblem.reading(file, ENOENT)
      }
      text = String(decoding: bytes, as: UTF8.self)
    } else if let variable = environment["DEBUGD_KEY"], !variable.isEmpty {
      text = variable
    } else {
      throw CommandError(
        "There is no key: set DEBUGD_KEY, or name a file with --key-file. \(advice)")
    }
    guard let key = AccessKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw CommandError("That is not a key for another daemon. \(advice)")
    }
    return key
  }
}

/// The end on this machine: the daemon, or the store if none is running.
private final class OwnEnd: Sendable {
  private let hasDaemon = Mutex(false)

  /// Connects. Once there was a daemon, only to a daemon: if it ends, its successor must be able to
  /// open the store.
  func connect(
    _ configuration: ServerConfiguration, needing need: Backends.Need
  ) async throws -> any Backend {
    if hasDaemon.withLock({ $0 }), let socket = configuration.socket {
      return try await SocketBackend.connect(to: socket, client: "debugd")
    }
    let backend = try await Backends.open(configuration, needing: need)
    if backend is SocketBackend { hasDaemon.withLock { $0 = true } }
    return backend
  }
}

/// Shows how far a transfer is, and what was copied.
private final class CopyView: Sendable {
  private struct Totals {
    var timelines: Int64 = 0
    var entries: Int64 = 0
    var bytes: Int64 = 0
    var last: TimelineID?
  }

  private let terminal: Terminal
  private let isJSON: Bool
  private let totals = Mutex(Totals())

  init(_ terminal: Terminal, isJSON: Bool) {
    (self.terminal, self.isJSON) = (terminal, isJSON)
  }

  func show(_ event: Transfer.Event) {
    switch event {
    case .progress(let progress): show(progress)
    case .copied(let copy): show(copy)
    case .interrupted(let why):
      clear()
      terminal.complain("The connection ended: \(why) Trying again.")
    }
  }

  private func show(_ progress: TimelineCopier.Progress) {
    guard terminal.isInteractive, !isJSON else { return }
    let share = progress.through > 0 ? max(0, progress.last) * 100 / progress.through : 100
    terminal.write(
      Array(
        "\r\u{1B}[K\(Escaped.text(progress.machine))  \(share) %  \(Amounts.bytes(progress.bytes))"
          .utf8))
  }

  private func show(_ copy: TimelineCopier.Copy) {
    totals.withLock { totals in
      totals.timelines += 1
      totals.entries += copy.entries
      totals.bytes += copy.bytes
      totals.last = copy.timeline
    }
    if isJSON {
      return Inquiry.printJSON(
        [
          "timeline": .string(copy.timeline.text),
          "entries": .number(JSON.Number(copy.entries)),
          "bytes": .number(JSON.Number(copy.bytes)),
          "completed": .bool(copy.isCompleted),
        ], on: terminal)
    }
    clear()
    terminal.print("\(copy.timeline.text)  \(Self.words(copy))")
  }

  private static func words(_ copy: TimelineCopier.Copy) -> String {
    if copy.isAhead { return "has more entries there" }
    if copy.isUnchanged { return "was there already" }
    if copy.entries == 0 { return "marks and name" }
    return "\(Amounts.count(copy.entries, "entry", "entries")), \(Amounts.bytes(copy.bytes))"
  }

  /// Clears the line that shows the progress.
  func clear() {
    if terminal.isInteractive, !isJSON { terminal.write(Array("\r\u{1B}[K".utf8)) }
  }

  /// Prints the sum, and the command that shows the result.
  func conclude(next: (TimelineID) -> String) {
    guard !isJSON else { return }
    let totals = totals.withLock { $0 }
    let sent =
      totals.entries == 0
      ? "no entries to copy"
      : "\(Amounts.count(totals.entries, "entry", "entries")) copied, \(Amounts.bytes(totals.bytes))"
    terminal.print("\(Amounts.count(totals.timelines, "timeline")): \(sent)")
    if let last = totals.last { terminal.print(next(last)) }
  }
}
