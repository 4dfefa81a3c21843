import DebugServer
import Foundation
import Timelines
import Wire

/// Reads timelines in files, for commands that need no daemon then.
///
/// A file is imported when the command first names it, into a store that ends with the command.
actor FileTimelines {
  private var known: [String: TimelineID] = [:]
  /// The folder of the page, for exports that contain it.
  private nonisolated let web: String?

  /// `nil` if the command was not called with a file, or does not accept one.
  init?(_ arguments: ParsedArguments) throws {
    guard arguments.command.operands.first?.completion == .timelinesOrFiles,
      let word = arguments.operand(0), try Self.isFile(word)
    else { return nil }
    web = ServeSettings.webFolder(arguments, ProcessInfo.processInfo.environment)
  }

  /// Whether a word names a file, by its end, or because it begins as a path.
  ///
  /// Any other word names a timeline, whatever is in the working directory: names of machines may
  /// contain slashes, and `app/machine` may also be a folder.
  static func isFile(_ word: String) throws -> Bool {
    let isMarked = [".timeline", ".timeline.zst", ".timeline.gz"].contains { word.hasSuffix($0) }
    guard isMarked || word.hasPrefix("/") || word.hasPrefix(".") || word.hasSuffix(".json") else {
      return false
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: word, isDirectory: &isFolder), !isFolder.boolValue {
      return true
    }
    if isMarked { throw FileProblem.reading(word, isFolder.boolValue ? EISDIR : ENOENT) }
    return false
  }

  /// Lends the store's backend.
  nonisolated func use(_ body: (any Backend) async throws -> ExitCode) async throws -> ExitCode {
    try await PrivateFolder.use(for: .recordings) { folder in
      var configuration = ServerConfiguration(data: folder.path)
      configuration.web = web
      let backend = try LocalBackend(configuration)
      let result: Result<ExitCode, any Error>
      do {
        result = .success(try await body(backend))
      } catch {
        result = .failure(error)
      }
      await backend.close()
      return try result.get()
    }
  }

  func timeline(in file: String, _ inquiry: Inquiry) async throws -> TimelineID {
    if let timeline = known[file] { return timeline }
    guard try Self.isFile(file) else {
      throw CommandError(
        "\(Escaped.quoted(file)) is not a file: name files or timelines, not both.")
    }
    let imported: ToInspector.Import
    do {
      imported = try await inquiry.upload(file)
    } catch BackendError.refused(let reply) where reply.code == .conflict {
      throw CommandError(
        """
        \(Escaped.quoted(known.keys.first ?? "")) and \(Escaped.quoted(file)) are recordings of one \
        timeline, or parts of it. To compare it with today's code, run: debugd verify FILE --host EXE
        """)
    }
    guard let timeline = imported.timelines?.first else {
      throw BackendError.unexpected("no timeline")
    }
    if let note = imported.note {
      inquiry.terminal.complain("\(Escaped.text(file)): \(Escaped.text(note))")
    }
    known[file] = timeline
    return timeline
  }
}
