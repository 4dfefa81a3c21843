internal import Foundation
internal import TimelineStore
package import Timelines

/// Proves things of files where no daemon runs: with a store for each that lasts as long as the work,
/// and hosts of its own.
package actor FileProofs {
  private let folder: URL
  private let hosts: HostKeeper
  private let settings: HostSettings
  /// The file that was taken in last.
  private var current: (store: Store, folder: URL, proofs: Proofs)?
  private var count = 0

  /// Nothing is read and started yet.
  package init(hosts settings: HostSettings) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "debugd-\(UUID().uuidString)")
    // Recordings hold a user's data.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    self.settings = settings
    hosts = HostKeeper(
      settings, log: SilentLog(), output: HostOutput(StreamLog.standardError(form: .human)))
  }

  /// Starts the executables.
  package func begin() async throws {
    for spec in settings.executables {
      let asked = FromInspector.Host {
        $0.executable = spec.path
        $0.arguments = spec.arguments
        $0.app = spec.app
      }
      if case .refused(let refusal) = await hosts.answer(asked) { throw refusal }
    }
  }

  /// Takes in a `.timeline` or `.timeline.zst` file, or a `.json` fixture, in place of the one before.
  ///
  /// Each has a store of its own: copies of a timeline, and different ends of it, have one id.
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
    return try await timeline.finish().timeline
  }

  private static func lines(ofDocument handle: FileHandle) throws -> [UInt8] {
    guard let lines = try TimelineDocument.lines(of: Array(handle.readToEnd() ?? Data())) else {
      throw Refusal(.failed, "It is no fixture: it has no 'header' and 'entries'.")
    }
    return lines
  }

  private func freshStore() async throws -> Store {
    await drop()
    count += 1
    let place = folder.appending(path: "\(count)")
    let store = try Store(folder: place.path, indexer: TimelineIndexer())
    let proofs = Proofs(store: store, hosts: hosts) { fork in
      throw Refusal(.failed, "Branches are made by a running daemon.", timeline: fork.timeline)
    }
    current = (store, place, proofs)
    return store
  }

  private func drop() async {
    guard let last = current else { return }
    current = nil
    await last.store.close()
    try? FileManager.default.removeItem(at: last.folder)
  }

  /// Answers `verify` and `compare` about the file that was taken in last.
  ///
  /// - Throws: a sentence for people, as a ``BackendError``.
  package func ask(
    _ request: FromInspector, each: @escaping @Sendable (ToInspector) async -> Void = { _ in }
  ) async throws(BackendError) -> ToInspector {
    do {
      guard let proofs = current?.proofs else {
        throw Refusal(.notFound, "No file was taken in.", path: "timeline")
      }
      return try await proofs.answer(request, report: each)
    } catch {
      throw .refused(Refusal(of: error).reply)
    }
  }

  /// Judges the file that was taken in last: a minimized branch by its failure, any other by its
  /// recorded values.
  ///
  /// - Throws: a sentence for people, as a ``BackendError``.
  package func verify(
    _ request: FromInspector.Verify
  ) async throws(BackendError) -> FileVerdict {
    do {
      if let verdict = try await current?.proofs.checkFailure(request) { return .failure(verdict) }
    } catch {
      throw .refused(Refusal(of: error).reply)
    }
    guard case .verify(let verdict) = try await ask(.verify(request)) else {
      throw .unexpected("no verdict")
    }
    return .recording(verdict)
  }

  /// Ends the hosts and removes what was stored.
  package func close() async {
    await hosts.stop()
    await drop()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// What a file shows.
package enum FileVerdict: Sendable {
  /// Whether the recorded values come out again.
  case recording(ToInspector.Verify)
  /// Whether the failure that it was minimized to still happens.
  case failure(FailureVerdict)
}
