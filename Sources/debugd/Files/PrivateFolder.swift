import Foundation

/// A temporary folder that only this user can read: recordings hold a user's data.
struct PrivateFolder: Sendable {
  let path: String

  /// What one is for, which decides where it is.
  enum Purpose {
    /// In the temporary directory: a recording may be larger than the memory.
    case recordings
    /// Where the system keeps sockets, which is memory on most systems.
    case sockets

    fileprivate func place(_ environment: [String: String]) -> String {
      let temporary = FileManager.default.temporaryDirectory.path
      switch self {
      case .recordings: return temporary
      case .sockets:
        return environment["XDG_RUNTIME_DIR"].flatMap { access($0, W_OK) == 0 ? $0 : nil }
          ?? temporary
      }
    }
  }

  private init(for purpose: Purpose) {
    let place = purpose.place(ProcessInfo.processInfo.environment)
    // Short: the path of a Unix socket has at most 107 bytes.
    path = "\(place)/debugd-\(UUID().uuidString.prefix(8))"
  }

  private func create() throws {
    guard mkdir(path, 0o700) == 0 else { throw FileProblem.writing(path, errno) }
  }

  /// Removes it, with what is in it.
  private func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Lends a folder. It is removed afterward, also when a signal ends the program.
  static func use<Result>(
    for purpose: Purpose, _ body: (PrivateFolder) async throws -> Result
  ) async throws -> Result {
    let folder = PrivateFolder(for: purpose)
    await SignalCleanup.add(folder.path)
    defer {
      folder.remove()
      SignalCleanup.forget(folder.path)
    }
    try folder.create()
    return try await body(folder)
  }
}
