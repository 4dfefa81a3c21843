import Foundation

/// A temporary folder that only this user can read: recordings hold a user's data.
struct PrivateFolder: Sendable {
  let path: String

  /// Creates it, in memory where the system offers such a place.
  init(_ environment: [String: String]) throws {
    let place =
      environment["XDG_RUNTIME_DIR"].flatMap { access($0, W_OK) == 0 ? $0 : nil }
      ?? FileManager.default.temporaryDirectory.path
    // Short: the path of a Unix socket has at most 107 bytes.
    path = "\(place)/debugd-\(UUID().uuidString.prefix(8))"
    guard mkdir(path, 0o700) == 0 else { throw FileProblem.writing(path, errno) }
  }

  /// Removes it, with what is in it.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Lends a folder.
  static func use<Result>(_ body: (PrivateFolder) async throws -> Result) async throws -> Result {
    let folder = try PrivateFolder(ProcessInfo.processInfo.environment)
    defer { folder.remove() }
    return try await body(folder)
  }
}
