public import Foundation

/// A folder for one test, which is removed at its end.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let url: URL

  /// Creates an empty folder with mode 0700.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of an item in the folder.
  public func path(_ name: String) -> String { url.appending(path: name).path }
}
