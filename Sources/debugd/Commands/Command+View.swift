import DebugServer
import Foundation
import JSONCore
internal import Reruns
import Synchronization
import Timelines
import Wire

extension CommandSpec {
  static let view = CommandSpec(
    name: "view", summary: "look at files in the browser, without a daemon",
    operands: [
      Operand(
        name: "FILE",
        summary:
          "a .timeline, .timeline.zst or Redux DevTools .json file, or a folder of timelines",
        repeats: true, completion: .files)
    ],
    options: [
      .host, .hostTime, .hostMemory, .source, .editor,
      .flag("print", "p", "print the file to open instead of opening it"),
    ],
    details: """
      Serves the inspector until Ctrl-C, and keeps nothing. With --host, you can change the past, \
      too: branches, undo, minimization, and verification. To keep a branch, export it on the page.
      """,
    need: .nothing,
    examples: [
      ("debugd view bug.timeline", "scrub through a recording from a colleague"),
      ("debugd view bug.timeline --host .build/debug/App", "and try what would have happened"),
    ]
  ) { arguments, terminal in
    guard !arguments.operands.isEmpty else { throw arguments.error("view needs FILE.") }
    let files = try VerifiedFiles.timelines(among: arguments.operands)
    for file in files {
      // The name of a timeline, as `app/machine`, looks like a path.
      if access(file, F_OK) != 0, errno == ENOENT, !VerifiedFiles.isOnlyPath(file) {
        throw CommandError(
          """
          \(FileProblem.reading(file, ENOENT)) To open a timeline of a running daemon, run: debugd open \
          \(ShellWord.text(file) ?? "TIMELINE")
          """)
      }
      try FileProblem.open(file).close()
    }
    return try await PrivateFolder.use(for: .recordings) { store in
      try await PrivateFolder.use(for: .sockets) { folder in
        let viewer = try FileViewer(files, arguments, terminal, in: folder, storing: store)
        return try await viewer.run()
      }
    }
  }
}

/// A daemon that shows some files and ends with the command.
struct FileViewer: Sendable {
  /// What the page shows when the first branch is made.
  static let branchNotice =
    "debugd view forgets branches when it ends. To keep this one, press Shift+E, and export it."

  /// What was imported: branches in files are not lost.
  private let imported = Imported()
  private let files: [String]
  private let arguments: ParsedArguments
  private let terminal: Terminal
  private let folder: PrivateFolder
  private let configuration: ServerConfiguration

  init(
    _ files: [String], _ arguments: ParsedArguments, _ terminal: Terminal, in folder: PrivateFolder,
    storing store: PrivateFolder
  ) throws {
    self.files = files
    let environment = ProcessInfo.processInfo.environment
    var configuration = ServerConfiguration(data: store.path)
    configuration.socket = folder.path + "/socket"
    configuration.isSocketStandard = false
    configuration.places = [ServerConfiguration.Place(host: "127.0.0.1", port: 0)]
    configuration.web = ServeSettings.webFolder(arguments, environment)
    configuration.hosts = try ServeSettings.hosts(arguments)
    configuration.sources = try ServeSettings.sources(arguments)
    configuration.log = StreamLog.standardError(form: .human, threshold: .warning)
    configuration.branchNotice = Self.branchNotice
    configuration.isTemporary = true
    self.arguments = arguments
    self.terminal = terminal
    self.folder = folder
    self.configuration = configuration
  }

  /// Serves until a signal comes.
  func run() async throws -> ExitCode {
    ProcessHeap.bound()
    DescriptorLimit.raise()
    signal(SIGPIPE, SIG_IGN)
    do {
      return try await Interruptible.run {
        try await withThrowingTaskGroup(of: Void.self) { group in
          let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
          group.addTask {
            try await Server(configuration).run { _ in continuation.yield() }
          }
          group.addTask {
            for await _ in ready.prefix(1) { try await show() }
          }
          do {
            while try await group.next() != nil {}
          } catch {
            group.cancelAll()
            throw error
          }
          return ExitCode.done
        }
      }
    } catch is Interruptible.Interrupted {
      // Ctrl-C is how it ends.
      await reportBranches()
      return .done
    }
  }

  /// Imports the files, and opens the inspector.
  private func show() async throws {
    let backend = try await SocketBackend.connect(to: configuration.socket ?? "")
    do {
      let inquiry = Inquiry(asking: backend, arguments: arguments, terminal: terminal)
      var first: TimelineID?
      for file in files {
        let imported = try await inquiry.upload(file)
        self.imported.add(imported.timelines ?? [])
        first = first ?? imported.timelines?.first
        if let note = imported.note {
          terminal.complain("\(Escaped.text(file)): \(Escaped.text(note))")
        }
      }
      try await open(backend, at: first)
    } catch {
      await backend.close()
      throw error
    }
    await backend.close()
  }

  /// Says how many branches end with the command, and how to keep the next ones.
  private func reportBranches() async {
    guard let backend = try? LocalBackend(ServerConfiguration(data: configuration.data)) else {
      return
    }
    let summaries = (try? await backend.timelines()) ?? []
    await backend.close()
    let branches = summaries.filter { summary in
      summary.header["parent"] != nil && !imported.has(summary.header["timeline"]?.string ?? "")
    }
    guard !branches.isEmpty else { return }
    let lost =
      branches.count == 1 ? "The branch that you made is" : "\(branches.count) branches are"
    let words = files.map { ShellWord.text($0) ?? "FILE" }.joined(separator: " ")
    terminal.complain(
      """
      \(lost) not kept. To keep the next ones, import the files into a running daemon: debugd import \
      \(words)
      """)
  }

  private func open(_ backend: any Backend, at timeline: TimelineID?) async throws {
    let answer = try await backend.ask(.invite(FromInspector.Invite())) {
      if case .invite(let answer) = $0 { answer } else { nil }
    }
    guard let page = answer.page else { throw BackendError.unexpected("no page") }
    let file = try LeadingPage.write(
      to: page, code: answer.code, timeline: timeline, in: folder.path)
    let count = Amounts.count(Int64(files.count), "file", "files")
    if !arguments.has("print"), Browser.open(file) {
      terminal.print("Opened \(count) in the browser. Press Ctrl-C to end.")
    } else {
      terminal.print("Open this file in a browser within \(answer.seconds) s: \(file)")
      terminal.print("Press Ctrl-C to end.")
    }
  }
}

/// The timelines that came from files.
private final class Imported: Sendable {
  private let timelines = Mutex<Set<String>>([])

  func add(_ added: [TimelineID]) {
    timelines.withLock { $0.formUnion(added.map(\.text)) }
  }

  func has(_ timeline: String) -> Bool { timelines.withLock { $0.contains(timeline) } }
}
