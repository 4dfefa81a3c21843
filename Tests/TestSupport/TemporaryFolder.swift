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

// Short names: the path of a Unix socket has at most 107 bytes.
extension TemporaryFolder {
  /// Creates a folder, and returns its path.
  public static func make() throws -> String {
    let path = NSTemporaryDirectory() + "dbg-\(UInt32.random(in: .min ... .max))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    return path
  }

  /// Removes a folder with its contents.
  public static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
