import DebugServer
import Foundation
internal import Reruns
import Timelines
import Wire

extension CommandSpec {
  /// `debugd view`.
  static let view = CommandSpec(
    name: "view", summary: "look at files in the browser, without a daemon",
    operands: [
      Operand(
        name: "FILE", summary: "a .timeline, .timeline.zst or Redux DevTools .json file",
        repeats: true, completion: .files)
    ],
    options: [
      .host, .hostTime, .hostMemory,
      .flag("print", "p", "print the file to open instead of opening it"),
    ],
    details: """
      Serves the inspector until Ctrl-C, and keeps nothing. With --host, you can change the past, \
      too: branches, undo, minimization, and verification.
      """,
    need: .nothing,
    examples: [
      ("debugd view bug.timeline", "scrub through a recording from a colleague"),
      ("debugd view bug.timeline --host .build/debug/App", "and try what would have happened"),
    ]
  ) { arguments, terminal in
    guard !arguments.operands.isEmpty else { throw arguments.error("view needs FILE.") }
    for file in arguments.operands { try FileProblem.open(file).close() }
    return try await PrivateFolder.use { folder in
      let viewer = try FileViewer(arguments, terminal, in: folder)
      return try await viewer.run()
    }
  }
}

/// A daemon that shows some files and ends with the command.
struct FileViewer: Sendable {
  private let arguments: ParsedArguments
  private let terminal: Terminal
  private let folder: PrivateFolder
  private let configuration: ServerConfiguration

  init(_ arguments: ParsedArguments, _ terminal: Terminal, in folder: PrivateFolder) throws {
    let environment = ProcessInfo.processInfo.environment
    var configuration = ServerConfiguration(data: folder.path + "/data")
    configuration.socket = folder.path + "/socket"
    configuration.isSocketStandard = false
    configuration.places = [ServerConfiguration.Place(host: "127.0.0.1", port: 0)]
    configuration.web = ServeSettings.webFolder(arguments, environment)
    configuration.hosts = try ServeSettings.hosts(arguments)
    configuration.log = StreamLog.standardError(form: .human, threshold: .warning)
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
      return .done
    }
  }

  /// Imports the files, and opens the inspector.
  private func show() async throws {
    let backend = try await SocketBackend.connect(to: configuration.socket ?? "")
    do {
      let inquiry = Inquiry(asking: backend, arguments: arguments, terminal: terminal)
      var first: TimelineID?
      for file in arguments.operands {
        let imported = try await inquiry.upload(file)
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

  private func open(_ backend: any Backend, at timeline: TimelineID?) async throws {
    let answer = try await backend.ask(.invite(FromInspector.Invite())) {
      if case .invite(let answer) = $0 { answer } else { nil }
    }
    guard let page = answer.page else { throw BackendError.unexpected("no page") }
    let file = try LeadingPage.write(
      to: page, code: answer.code, timeline: timeline, in: folder.path)
    let count = Amounts.count(Int64(arguments.operands.count), "file", "files")
    if !arguments.has("print"), Browser.open(file) {
      terminal.print("Opened \(count) in the browser. Press Ctrl-C to end.")
    } else {
      terminal.print("Open this file in a browser within \(answer.seconds) s: \(file)")
      terminal.print("Press Ctrl-C to end.")
    }
  }
}
