internal import Foundation
internal import TimelineStore
package import Timelines

/// Proves things of files where no daemon runs: with a store that lasts as long as the work, and
/// hosts of its own.
package actor FileProofs {
  private let folder: URL
  private let store: Store
  private let hosts: HostKeeper
  private let settings: HostSettings
  private let proofs: Proofs

  /// Nothing is read and started yet.
  package init(hosts settings: HostSettings) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "debugd-\(UUID().uuidString)")
    // Recordings hold a user's data.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      store = try Store(folder: folder.path, indexer: TimelineIndexer())
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
    self.folder = folder
    self.settings = settings
    let keeper = HostKeeper(settings, log: SilentLog())
    hosts = keeper
    proofs = Proofs(store: store, hosts: keeper) { fork in
      throw Refusal(.failed, "Branches are made by a running daemon.", timeline: fork.timeline)
    }
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

  /// Takes in a `.timeline` or `.timeline.zst` file.
  package func add(file: String) async throws -> TimelineID {
    let handle = try FileHandle(forReadingFrom: URL(filePath: file))
    defer { try? handle.close() }
    var timeline = store.makeImport()
    do {
      while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
        try await timeline.add(Array(data))
      }
    } catch {
      await timeline.cancel()
      throw error
    }
    return try await timeline.finish().timeline
  }

  /// Answers `verify` and `compare`.
  ///
  /// - Throws: a sentence for people, as a ``BackendError``.
  package func ask(
    _ request: FromInspector, each: @escaping @Sendable (ToInspector) async -> Void = { _ in }
  ) async throws(BackendError) -> ToInspector {
    do {
      return try await proofs.answer(request, report: each)
    } catch {
      throw .refused(Refusal(of: error).reply)
    }
  }

  /// Ends the hosts and removes what was stored.
  package func close() async {
    await hosts.stop()
    await store.close()
    try? FileManager.default.removeItem(at: folder)
  }
}
