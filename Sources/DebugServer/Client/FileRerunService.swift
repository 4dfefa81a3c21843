internal import Foundation
package import Reruns
internal import TimelineStore
package import Timelines
package import Wire

/// Verifies and compares files where no daemon is running: with a temporary store for each, and
/// hosts of its own.
package actor FileRerunService {
  private let folder: URL
  private let hosts: HostManager
  private let settings: HostSettings
  /// The current file's timeline.
  private var current: (store: Store, folder: URL, proofs: RerunService, queries: QueryService)?
  private var count = 0
  /// What is missing from the current file, as a sentence; `nil` if nothing is.
  package private(set) var note: String?

  /// Reads and starts nothing yet.
  package init(hosts settings: HostSettings) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "debugd-\(UUID().uuidString)")
    // Recordings hold a user's data.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    self.settings = settings
    hosts = HostManager(
      settings,
      observer: HostLog(SilentLog(), output: StreamLog.standardError(form: .human)))
  }

  package func begin() async throws {
    for spec in settings.executables {
      let asked = FromInspector.Host {
        $0.executable = spec.path
        $0.arguments = spec.arguments
        $0.app = spec.app
      }
      try await hosts.add(asked)
    }
  }

  /// Imports a `.timeline` or `.timeline.zst` file, or a `.json` fixture, in place of the previous
  /// one.
  ///
  /// Each has a store of its own: copies and parts of a timeline have the same id.
  package func add(file: String) async throws -> TimelineID {
    let handle = try FileHandle(forReadingFrom: URL(filePath: file))
    defer { try? handle.close() }
    let store = try await freshStore()
    var timeline = store.makeImport()
    do {
      if file.hasSuffix(".json") {
        try await timeline.add(Self.lines(ofDocument: handle))
      } else {
        while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
          try await timeline.add(Array(data))
        }
      }
    } catch {
      await timeline.cancel()
      throw error
    }
    let report = try await timeline.finish()
    note = report.note
    return report.timeline
  }

  private static func lines(ofDocument handle: FileHandle) throws -> [UInt8] {
    guard let lines = try TimelineDocument.lines(of: Array(handle.readToEnd() ?? Data())) else {
      throw Refusal(.failed, "The file is not a fixture: it has no 'header' and 'entries'.")
    }
    return lines
  }

  private func freshStore() async throws -> Store {
    await drop()
    count += 1
    let place = folder.appending(path: "\(count)")
    let store = try Store(folder: place.path, indexer: TimelineIndexer())
    let proofs = RerunService(store: store, hosts: hosts) { fork in
      throw Refusal(.failed, "Only a running daemon can make branches.", timeline: fork.timeline)
    }
    let limits = ServerLimits()
    let queries = QueryService(
      store: store, uploads: Uploads(store: store, limits: limits), limits: limits)
    current = (store, place, proofs, queries)
    return store
  }

  private func drop() async {
    guard let last = current else { return }
    current = nil
    await last.store.close()
    try? FileManager.default.removeItem(at: last.folder)
  }

  /// Answers `verify`, `compare`, and `state` about the current file.
  ///
  /// - Throws: a sentence for people, as a ``BackendError``.
  package func ask(
    _ request: FromInspector, each: @escaping @Sendable (ToInspector) async -> Void = { _ in }
  ) async throws(BackendError) -> ToInspector {
    do {
      guard let current else {
        throw Refusal(.notFound, "No file was imported.", path: "timeline")
      }
      if case .state(let asked) = request { return .state(try await current.queries.state(asked)) }
      return try await current.proofs.answer(request, report: each)
    } catch {
      throw .refused(Refusal(of: error).reply)
    }
  }

  /// Ends the hosts and removes the stores.
  package func close() async {
    await hosts.stop()
    await drop()
    try? FileManager.default.removeItem(at: folder)
  }
}
