import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let dap = CommandSpec(
    name: "dap", summary: "show recordings in an editor over the Debug Adapter Protocol",
    options: [.data, .socket],
    details: """
      The editor starts this command, and talks to it on standard input and output. It launches a \
      timeline or a .timeline file: a thread is a machine, the stack is the chain of causes, and you \
      step and continue in both directions. No port is opened.
      """,
    need: .nothing,
    examples: [("debugd dap", "what an editor's launch configuration runs")]
  ) { arguments, terminal in
    try await PrivateFolder.use(for: .recordings) { folder in
      let opener = RecordingOpener(arguments, folder)
      let server = DAPServer { word in
        try await opener.open(word)
      } write: { bytes in
        terminal.write(bytes)
      }
      let input = InputMessages()
      do {
        try await server.serve { try await input.next() }
      } catch {
        await opener.close()
        throw error
      }
      await opener.close()
      return .done
    }
  }
}

/// Opens what an editor launches: a timeline of the daemon, or a file.
private actor RecordingOpener {
  private let arguments: ParsedArguments
  private let folder: PrivateFolder
  private var backend: (any Backend)?
  private let quiet: Terminal

  init(_ arguments: ParsedArguments, _ folder: PrivateFolder) {
    self.arguments = arguments
    self.folder = folder
    let nothing = FileHandle.nullDevice
    quiet = Terminal(
      output: nothing, errors: nothing, isInteractive: false, hasColor: false, columns: nil)
  }

  func open(_ word: String) async throws -> (Inquiry, TimelineID) {
    await close()
    let isFile = try FileTimelines.isFile(word)
    let backend: any Backend
    if isFile {
      let place = folder.path + "/\(UUID().uuidString.prefix(8))"
      backend = try LocalBackend(ServerConfiguration(data: place))
    } else {
      let configuration = try ServeSettings.quiet(arguments, ProcessInfo.processInfo.environment)
      backend = try await Backends.open(configuration, needing: .data, client: "debugd dap")
    }
    self.backend = backend
    let inquiry = Inquiry(asking: backend, arguments: arguments, terminal: quiet)
    guard isFile else { return (inquiry, try await inquiry.timeline(named: word)) }
    guard let timeline = try await inquiry.upload(word).timelines?.first else {
      throw BackendError.unexpected("no timeline")
    }
    return (inquiry, timeline)
  }

  func close() async {
    await backend?.close()
    backend = nil
  }
}
