public import Foundation

/// A folder of one test's own, which goes with it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// A new, empty folder of mode 0700.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of something in it.
  public func path(_ name: String) -> String { url.appending(path: name).path }
}
