import Foundation

/// A temporary folder that only this user can read: recordings hold a user's data.
struct PrivateFolder: Sendable {
  let path: String

  /// A place for one, in memory where the system offers it.
  private init(_ environment: [String: String]) {
    let place =
      environment["XDG_RUNTIME_DIR"].flatMap { access($0, W_OK) == 0 ? $0 : nil }
      ?? FileManager.default.temporaryDirectory.path
    // Short: the path of a Unix socket has at most 107 bytes.
    path = "\(place)/debugd-\(UUID().uuidString.prefix(8))"
  }

  private func create() throws {
    guard mkdir(path, 0o700) == 0 else { throw FileProblem.writing(path, errno) }
  }

  /// Removes it, with what is in it.
  private func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Lends a folder. It is removed afterward, also when a signal ends the program.
  static func use<Result>(_ body: (PrivateFolder) async throws -> Result) async throws -> Result {
    let folder = PrivateFolder(ProcessInfo.processInfo.environment)
    await SignalCleanup.add(folder.path)
    defer {
      folder.remove()
      SignalCleanup.forget(folder.path)
    }
    try folder.create()
    return try await body(folder)
  }
}
