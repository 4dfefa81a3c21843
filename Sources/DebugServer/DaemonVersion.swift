internal import TimelineStore
internal import Timelines
internal import WebSockets

/// What `debugd --version` prints: the product, its formats, and its libraries.
public struct DaemonVersion: Sendable {
  /// The version of this package.
  public static let product = ProductVersion.current

  /// One line per component, the product first.
  public static var lines: [String] {
    [
      "debugd \(product)",
      "timeline format \(TimelineFormat.current)",
      "libwebsockets \(TransportLibrary.version)",
      "sqlite \(StoreLibraries.sqlite)",
      "zstd \(StoreLibraries.zstd)",
    ]
  }
}
